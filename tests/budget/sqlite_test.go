package budget_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/statements"
	"github.com/ferrypay/ferry/internal/worker"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
	"github.com/ferrypay/ferry/sqlstore/sqlitetest"
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

// take returns the statements since the last call.
func (m *statementMeter) take() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	seen := m.seen
	m.seen = nil
	return seen
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
	store, err := sqlite.Open(statements.Seen(t.Context(), m.see), sqlitetest.File(t))
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

// outside is an address that belongs to nobody here.
const outside = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"

func TestAnExternalTransferOnSQLiteRunsFewStatementsUntilItIsPending(t *testing.T) {
	s, m := onSQLite(t)
	from := s.Get("/v1/wallets?reference=wallet-0").OK().Text("data.primary_address")
	serial := 0
	// It runs four guards, that of the outflow rules among them, and commits the signed attempt in a
	// second unit, before it is sent.
	m.atMost(t, 24, func() {
		serial++
		s.With("Idempotency-Key", fmt.Sprint("key-", serial)).Post("/v1/wallets/transfer", apitest.Object{
			"from_address": from, "to_address": outside, "amount": 2, "network": "solana", "asset": "USDC",
		}).OK()
	})
}

// order makes a checkout session with a bank account and an address for USDC.
func order(s *apitest.Server, trxID string) {
	s.With("Idempotency-Key", trxID).Post("/v1/checkout/create", apitest.Object{
		"public_key": s.Tenant.PublicKey, "trx_id": trxID, "email": "ada@example.com", "amount": 500_000, "currency": "NGN",
	}).OK()
}

func TestACheckoutSessionOnSQLiteRunsFewStatements(t *testing.T) {
	s, m := onSQLite(t)
	serial := 0
	// It makes an address in one unit, and asks the bank for an account between that and the second.
	m.atMost(t, 31, func() {
		serial++
		order(s, fmt.Sprint("counted-", serial))
	})
}

// payByBank credits what a session asks for. Begins is called before the credit, and ends when
// the payment is made.
func payByBank(t *testing.T, e *engine.Engine, scope ferry.Scope, trxID string, begins, ends func()) {
	t.Helper()
	state, err := e.Checkout.Get(t.Context(), scope, checkout.Ref{TrxID: trxID})
	require.NoError(t, err)
	begins()
	_, err = e.World.Credit(t.Context(), sandbox.CreditParams{AccountNumber: state.Account.AccountNumber, Amount: money.NGN(500_000)})
	require.NoError(t, err)
	_, err = e.BankFeed.RunDue(t.Context(), 100)
	require.NoError(t, err)
	ends()
	state, err = e.Checkout.Get(t.Context(), scope, checkout.Ref{TrxID: trxID})
	require.NoError(t, err)
	require.Equal(t, payments.Success, state.Payment.Status)
}

func TestABankCreditOnSQLiteRunsFewStatementsUntilThePaymentIsMade(t *testing.T) {
	s, m := onSQLite(t)
	serial := 0
	m.atMost(t, 21, func() {
		serial++
		trxID := fmt.Sprint("counted-", serial)
		order(s, trxID)
		var counted []string
		payByBank(t, s.Engine, s.Tenant.Business.Scope, trxID, func() { m.take() }, func() { counted = m.take() })
		m.seen = counted
	})
}

// It asks twice a second for due work and for the version of the simulated world, in one statement,
// and reads nothing else.
func TestAnIdleServerOnSQLiteRunsThreeStatementsASecondAtMost(t *testing.T) {
	var m statementMeter
	store, err := sqlite.Open(statements.Seen(t.Context(), m.see), sqlitetest.File(t))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close(context.Background())) })
	s := apitest.Start(t, apitest.Config{RealTime: true, Engine: engine.Config{Store: store, World: sandbox.New(sandbox.Config{Store: store.World()})}})
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Engine.Run(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
	time.Sleep(7 * time.Second) // what it does at its start, and until it is idle
	m.take()
	const watched = 6
	time.Sleep(watched * time.Second)
	seen := m.take()
	mean := float64(len(seen)) / watched
	t.Logf("%.1f statements a second", mean)
	if mean > 3 {
		t.Errorf("%.1f statements a second, the budget is 3:\n%s", mean, strings.Join(seen[:min(len(seen), 100)], "\n---\n"))
	}
}

func TestAnEventWithoutABacklogOnSQLiteRunsFewStatements(t *testing.T) {
	s, m := onSQLite(t)
	delivered := receiver(t, s)
	former, err := s.Engine.Webhooks.RunDue(t.Context(), 1000) // the events of enrich
	require.NoError(t, err)
	for range former {
		<-delivered
	}
	// It asks what is due and reads the event. It runs 5 statements for the claim and the body,
	// and 7 for the attempt and the end of the claim.
	m.atMost(t, 14, func() {
		tell(t, s, 1)
		m.seen = nil
		done, err := s.Engine.Webhooks.RunDue(t.Context(), worker.Batch)
		require.NoError(t, err)
		require.Equal(t, 1, done)
		<-delivered
	})
}
