package budget_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/statements"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
	"github.com/ferrypay/ferry/tests/apitest"
)

// statementMeter keeps the statements that a store in SQLite runs. It leaves out those that begin
// or end transactions.
type statementMeter struct {
	mu   sync.Mutex
	seen []string
}

// frames are the statements that begin or end transactions and savepoints.
var frames = []string{"BEGIN DEFERRED", "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK", "SAVEPOINT unit", "RELEASE unit"}

func (m *statementMeter) see(statement string) {
	if slices.Contains(frames, statement) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen = append(m.seen, statement)
}

// atMost requires that the cheapest of 3 equal requests runs at most so many statements. One
// request before them fills the cache. When all run more, it prints the fewest.
func (m *statementMeter) atMost(t *testing.T, budget int, ask func()) {
	t.Helper()
	var least []string
	for n := range 4 {
		m.seen = nil
		ask()
		if n == 1 || n > 1 && len(m.seen) < len(least) {
			least = m.seen
		}
	}
	t.Logf("%d statements of %d", len(least), budget)
	if len(least) > budget {
		t.Errorf("%d statements, the budget is %d:\n%s", len(least), budget, strings.Join(least, "\n---\n"))
	}
}

// onSQLite returns a server on SQLite with a business that enrich has filled, and the meter of its
// statements.
func onSQLite(t *testing.T) (*apitest.Server, *statementMeter) {
	var m statementMeter
	store, err := sqlite.Open(statements.Seen(t.Context(), m.see), filepath.Join(t.TempDir(), "ferry.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close(context.Background())) })
	s := apitest.Start(t, apitest.Config{RealTime: true, Engine: engine.Config{Store: store, World: sandbox.New(sandbox.Config{})}})
	enrich(t, s)
	return s, &m
}

func TestReadingOnSQLiteRunsFewStatements(t *testing.T) {
	s, m := onSQLite(t)
	eachRead(t, s, func(t *testing.T, r read, ask func()) { m.atMost(t, r.statements, ask) })
}

func TestAnInternalTransferOnSQLiteRunsFewStatements(t *testing.T) {
	s, m := onSQLite(t)
	address := func(wallet string) string {
		return s.Get("/v1/wallets?reference=" + wallet).OK().Text("data.primary_address")
	}
	from, to, serial := address("wallet-0"), address("wallet-1"), 0
	transfer := func() {
		serial++
		s.With("Idempotency-Key", fmt.Sprint("key-", serial)).Post("/v1/wallets/transfer", apitest.Object{
			"from_address": from, "to_address": to, "amount": 1, "network": "solana", "asset": "USDC",
		}).OK()
	}
	// It runs four guards, and one or more statements for each row that it writes or counts. It
	// reads nothing.
	m.atMost(t, 28, transfer)
	s.Post("/v1/webhook/config", apitest.Object{"url": nil}).OK()
	m.atMost(t, 27, transfer) // two streams less become due, and the endpoint has a guard
}
