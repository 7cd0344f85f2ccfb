package main

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/sandbox"
)

func TestAnOperatorStopsWhatLeavesAndLetsItLeaveAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ferry.db")
	alarmed(t, file)
	type standing struct {
		Environment ferry.Env `json:"environment"`
		MayLeave    bool      `json:"may_leave"`
		StoppedAt   string    `json:"stopped_at"`
		Reason      string    `json:"stop_reason"`
	}
	run := func(args ...string) []standing {
		var out struct {
			Environments []standing `json:"environments"`
		}
		require.NoError(t, json.Unmarshal([]byte(mustRun(t, append(append([]string{"outflow"}, args...), "--store", "sqlite:"+file)...)), &out))
		return out.Environments
	}
	for _, env := range run("status") {
		require.True(t, env.MayLeave)
	}
	stopped := run("stop", "--reason", "a key was stolen", "--environment", "live")
	require.Len(t, stopped, 1)
	require.Equal(t, ferry.Live, stopped[0].Environment)
	require.False(t, stopped[0].MayLeave)
	require.Equal(t, "a key was stolen", stopped[0].Reason)
	require.NotEmpty(t, stopped[0].StoppedAt)
	now := run("status")
	require.Len(t, now, 2)
	require.True(t, now[0].MayLeave, "the other environment goes on")
	require.Equal(t, stopped[0], now[1], "it stands in the store")
	for _, env := range run("resume") {
		require.True(t, env.MayLeave)
	}
	_, stderr, code := ferryCommand(t, "outflow", "stop", "--store", "sqlite:"+file)
	require.Equal(t, 80, code, "a stop without a reason")
	require.Contains(t, stderr, "--reason")
}

func TestAnOperatorEndsAPaymentThatTheBankDidNotMakeAsItWasTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ferry.db")
	item := misPaid(t, file)
	from := []string{"--store", "sqlite:" + file}
	found, _ := reconcile(t, exitFindings, from...)
	require.Equal(t, item, found.Findings[0].Subject)
	resolve := func(id, decision string, more ...string) (stdout, stderr string, code int) {
		return ferryCommand(t, append(append([]string{"outflow", "resolve", id, decision, "--by", "Ada"}, from...), more...)...)
	}
	_, stderr, code := resolve(item, "paid")
	require.Equal(t, 80, code, "a decision without a reason")
	require.Contains(t, stderr, "--reason")
	_, stderr, code = resolve(item, "perhaps", "--reason", "Ticket 7")
	require.Equal(t, 80, code)
	require.Contains(t, stderr, "not-paid")
	_, stderr, code = resolve("pitm_unknown", "paid", "--reason", "Ticket 7")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "has this id")

	first, stderr, code := resolve(item, "paid", "--reason", "Ticket 7", "--session", "0001")
	require.Zero(t, code, stderr)
	var view map[string]string
	require.NoError(t, json.Unmarshal([]byte(first), &view))
	for name, want := range map[string]string{
		"environment": "test", "payment_id": item, "decision": "paid", "session_id": "0001", "by": "Ada", "reason": "Ticket 7",
	} {
		require.Equal(t, want, view[name], name)
	}
	require.NotEmpty(t, view["business_id"])
	require.NotEmpty(t, view["at"])
	again, _, code := resolve(item, "paid", "--reason", "Ticket 8")
	require.Zero(t, code)
	require.Equal(t, first, again)
	_, stderr, code = resolve(item, "not-paid", "--reason", "Ticket 8")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "resolved as paid already, by Ada")
	requireAudit(t, 0, from...)
	found, _ = reconcile(t, exitFindings, from...)
	require.Contains(t, found.Findings[0].Problem, "by the decision of Ada")
}

// misPaid makes a payout of 7 naira in a store, of which the bank says that it paid 8, and returns
// its item.
func misPaid(t *testing.T, file string) string {
	s := newStore(t, file)
	defer func() { require.NoError(t, s.Close(t.Context())) }()
	world := sandbox.New(sandbox.Config{Store: s.World()})
	e, err := engine.New(engine.Config{Store: s, World: world})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	require.NoError(t, world.Inject(t.Context(), sandbox.TargetBank, sandbox.WrongAmount, 1))
	made, err := e.Payouts.Create(t.Context(), tenant.Business.Scope, payouts.Params{
		Type: payouts.Single, Reference: "rent", Source: tenant.Business.SourceAccounts[0].AccountNumber,
		Items: []payouts.Destination{{BankCode: "058", AccountNumber: "0123456780", Amount: money.NGN(7_00)}},
	})
	require.NoError(t, err)
	_, err = e.Advance(t.Context(), time.Minute)
	require.NoError(t, err)
	return string(made.Items[0].ID)
}

func TestTheAlarmOfAStopRingsRightAfterAStart(t *testing.T) {
	site := newSite(t)
	key := site.createBusiness(t).SecretKey
	mustRun(t, "outflow", "stop", "--config", site.config, "--reason", "drill")
	p := site.serve(t, key)
	require.Contains(t, p.metrics(t), `ferry_held{environment="test"} 1`)
	p.stop(t)
	mustRun(t, "outflow", "resume", "--config", site.config)
	p = site.serve(t, key)
	require.Contains(t, p.metrics(t), `ferry_held{environment="test"} 0`)
	p.stop(t)
}
