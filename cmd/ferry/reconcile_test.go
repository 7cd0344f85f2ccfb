package main

import (
	"database/sql"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/wallets/custody"
)

// reconcile runs reconcile and returns what it prints.
func reconcile(t *testing.T, code int, args ...string) (found reconciliation, stderr string) {
	t.Helper()
	stdout, stderr, got := ferryCommand(t, append([]string{"reconcile"}, args...)...)
	require.Equal(t, code, got, stderr)
	if code != exitCannotTell {
		// Instants are printed, not read.
		var raw struct {
			Clean        bool
			Findings     []findingView
			InFlight     []findingView `json:"in_flight"`
			Unknown      []struct{}    `json:"unknown_payments"`
			Environments []struct {
				Environment string
				Chain, Bank map[string]any
			}
		}
		require.NoError(t, json.Unmarshal([]byte(stdout), &raw))
		found = reconciliation{Clean: raw.Clean, Findings: raw.Findings, InFlight: raw.InFlight}
		require.Len(t, raw.Environments, 1)
		require.Equal(t, "test", raw.Environments[0].Environment)
		found.Environments = make([]comparison, 1)
		c := &found.Environments[0]
		c.Chain.Holds, _ = raw.Environments[0].Chain["holds"].(string)
		c.Chain.Books, _ = raw.Environments[0].Chain["books"].(string)
		c.Bank.Told, _ = raw.Environments[0].Bank["told"].(string)
		c.Bank.Books, _ = raw.Environments[0].Bank["books"].(string)
	}
	return found, stderr
}

// paidOut is a store of ferry dev in which a payment has gone out.
func paidOut(t *testing.T) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "ferry.db")
	p := startOn(t, file)
	payOut(t, p)
	p.advance(t, "120")
	require.Equal(t, "success", transfer(t, p))
	p.stop(t)
	return file
}

func TestReconcilePrintsWhatWasCompared(t *testing.T) {
	file := paidOut(t)
	found, _ := reconcile(t, 0, "--store", "sqlite:"+file)
	require.True(t, found.Clean)
	require.Empty(t, found.Findings)
	c := found.Environments[0]
	require.Equal(t, "15 USDC", c.Chain.Holds, "the fee is ours")
	require.Equal(t, "15 USDC", c.Chain.Books)
	require.Equal(t, "1000000 NGN", c.Bank.Told)
	require.Equal(t, "1000000 NGN", c.Bank.Books)

	found, _ = reconcile(t, 0, "--store", "sqlite:"+file, "--adopt")
	require.True(t, found.Clean, "there is nothing to adopt")
}

func TestReconcileFindsWhatDiffersFromTheChain(t *testing.T) {
	file := paidOut(t)
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	changed, err := db.Exec("UPDATE custodies SET on_chain = on_chain + 1000000 WHERE on_chain > 0")
	require.NoError(t, err)
	rows, err := changed.RowsAffected()
	require.NoError(t, err)
	require.Equal(t, int64(1), rows)
	require.NoError(t, db.Close())
	found, stderr := reconcile(t, exitFindings, "--store", "sqlite:"+file)
	require.Contains(t, stderr, errFindings.Error())
	require.False(t, found.Clean)
	var texts strings.Builder
	for _, f := range found.Findings {
		require.Equal(t, ferry.Test, f.Environment)
		texts.WriteString(f.Check + " " + f.Problem + "\n")
	}
	require.Contains(t, texts.String(), "drift ")
	require.Contains(t, texts.String(), "15 USDC")
	require.Contains(t, texts.String(), "16 USDC")
}

func TestReconcileThatCannotTellSaysWhy(t *testing.T) {
	site := newSite(t)
	site.createBusiness(t)
	found, _ := reconcile(t, 0, "--config", site.config)
	require.True(t, found.Clean)
	p := site.serve(t, "")
	defer p.stop(t)
	_, stderr := reconcile(t, exitCannotTell, "--config", site.config)
	require.Contains(t, stderr, "in use by another process")
	_, stderr = reconcile(t, exitCannotTell, "--store", "memory")
	require.Contains(t, stderr, errMemory.Error())
	_, stderr = reconcile(t, exitCannotTell)
	require.Contains(t, stderr, errNoStore.Error())
}

func TestAHoldIsToldUntilItEnds(t *testing.T) {
	site := newSite(t)
	p := site.serve(t, site.createBusiness(t).SecretKey)
	metrics := p.metrics(t)
	require.Contains(t, metrics, `ferry_held{environment="test"} 0`)
	p.stop(t)

	var log strings.Builder
	cmd := exec.Command(binary, "serve", "--config", site.config, "--hold")
	cmd.Stderr = &log
	p = startCommand(t, cmd)
	metrics = p.metrics(t)
	require.Contains(t, metrics, `ferry_held{environment="test"} 1`)
	p.stop(t)
	require.Contains(t, log.String(), "nothing leaves the addresses")
	require.Contains(t, log.String(), string(custody.HoldAsked))
	require.Contains(t, log.String(), "about five minutes")

	db := newStore(t, site.path("ferry.db"))
	defer func() { require.NoError(t, db.Close(t.Context())) }()
	require.NoError(t, lookInto(t.Context(), db, engine.Providers{}, engine.Providers{}, func(e *engine.Engine) error {
		held, why, err := e.Held(t.Context(), ferry.Test)
		require.NoError(t, err)
		require.True(t, held, "it stands in the store: %s", why)
		return nil
	}))
}
