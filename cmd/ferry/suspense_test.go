package main

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
)

func TestMoneyInSuspenseIsGivenBackByAnOperator(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ferry.db")
	startOn(t, file).stop(t)
	session := payNobody(t, file)
	p := startOn(t, file)
	p.advance(t, "60")
	p.stop(t)

	from := []string{"--store", "sqlite:" + file}
	list := func() []map[string]string {
		var found struct{ Suspended []map[string]string }
		require.NoError(t, json.Unmarshal([]byte(mustRun(t, append([]string{"suspense", "list"}, from...)...)), &found))
		return found.Suspended
	}
	require.Len(t, list(), 1)
	require.Equal(t, session, list()[0]["session_id"])
	require.Equal(t, "7 NGN", list()[0]["amount"])
	found, _ := reconcile(t, exitFindings, from...)
	require.Equal(t, "suspense", found.Findings[0].Check)

	_, stderr, code := ferryCommand(t, append([]string{"suspense", "return", "unknown"}, from...)...)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "No credit of that session is in suspense")
	first := mustRun(t, append([]string{"suspense", "return", session}, from...)...)
	require.Equal(t, first, mustRun(t, append([]string{"suspense", "return", session}, from...)...))
	require.Empty(t, list())
	found, _ = reconcile(t, 0, from...)
	require.Contains(t, found.InFlight[0].Subject+found.InFlight[0].Problem, session)

	p = startOn(t, file)
	p.advance(t, "60")
	p.stop(t)
	found, _ = reconcile(t, 0, from...)
	require.Empty(t, found.InFlight)
	requireAudit(t, 0, from...)
}

// payNobody brings naira to an account that no business has, in the world of a
// store, and returns its session.
func payNobody(t *testing.T, file string) string {
	s := newStore(t, file)
	defer func() { require.NoError(t, s.Close(t.Context())) }()
	world := sandbox.New(sandbox.Config{Store: s.World()})
	account, err := world.Bank().OpenAccount(t.Context(), "forgotten", "Nobody")
	require.NoError(t, err)
	credit, err := world.Credit(t.Context(), sandbox.CreditParams{AccountNumber: account.AccountNumber, Amount: money.NGN(700)})
	require.NoError(t, err)
	return credit.SessionID
}
