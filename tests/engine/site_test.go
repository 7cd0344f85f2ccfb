package engine_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
	"github.com/ferrypay/ferry/sqlstore/sqlitetest"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/custody"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// frozen is a clock that stands still: only the world's own clock moves.
type frozen struct{}

func (frozen) Now() time.Time { return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC) }

// site is an engine on a SQLite file beside a world that is not in the file, and
// that a restore of the file does not take back.
type site struct {
	*engine.Engine
	t      testing.TB
	folder string
	files  int
	path   string
	store  *sqlstore.Store
	config engine.Config
	scope  ferry.Scope
}

func newSite(t testing.TB) *site {
	s := &site{t: t, folder: t.TempDir(), config: engine.Config{
		World:  sandbox.New(sandbox.Config{Clock: frozen{}, Seed: 5}),
		Sealer: seal.Ephemeral(),
		Pepper: make(business.Pepper, 32),
	}}
	first := s.file()
	sqlitetest.Write(t, first)
	s.start(first, false)
	t.Cleanup(s.stop)
	tenant, err := s.Bootstrap(t.Context())
	require.NoError(t, err)
	s.scope = tenant.Business.Scope
	return s
}

func (s *site) file() string {
	s.files++
	return filepath.Join(s.folder, fmt.Sprintf("%d.db", s.files))
}

// start opens a file under an engine.
func (s *site) start(path string, hold bool) {
	s.t.Helper()
	var err error
	s.path = path
	s.store, err = sqlite.Open(context.Background(), path)
	require.NoError(s.t, err)
	s.config.Store, s.config.Hold = s.store, hold
	s.Engine, err = engine.New(s.config)
	require.NoError(s.t, err)
}

func (s *site) stop() { require.NoError(s.t, s.store.Close(context.Background())) }

// backup copies the file while the store has it open.
func (s *site) backup() string {
	s.t.Helper()
	into := s.file()
	db, err := sql.Open("sqlite", "file:"+s.path+"?mode=ro")
	require.NoError(s.t, err)
	_, err = db.Exec("VACUUM INTO ?", into)
	require.NoError(s.t, err)
	require.NoError(s.t, db.Close())
	return into
}

// restore puts a backup in the place of the file.
func (s *site) restore(backup string, hold bool) {
	s.t.Helper()
	s.stop()
	s.start(backup, hold)
}

func (s *site) pass(d time.Duration) {
	s.t.Helper()
	for range 100 {
		progress, err := s.Advance(s.t.Context(), d)
		require.NoError(s.t, err)
		if progress.Done {
			return
		}
		d = 0
	}
	require.Fail(s.t, "time does not pass")
}

// wallet makes a wallet with so much on it.
func (s *site) wallet(amount int64) wallets.Wallet {
	s.t.Helper()
	w, err := s.Wallets.Create(s.t.Context(), s.scope, wallets.CreateParams{})
	require.NoError(s.t, err)
	if amount > 0 {
		s.deposit(w, amount)
	}
	return w
}

func (s *site) deposit(w wallets.Wallet, amount int64) {
	s.t.Helper()
	_, err := s.World.Deposit(s.t.Context(), sandbox.DepositParams{To: w.PrimaryAddress, Amount: money.USDC(amount)})
	require.NoError(s.t, err)
	s.pass(10 * time.Second)
}

func stranger(t testing.TB, n byte) chain.Address {
	t.Helper()
	seed, err := chain.OpenSeed(append(make([]byte, 31), n))
	require.NoError(t, err)
	return seed.Address()
}

// order begins a transfer that nobody has signed yet.
func (s *site) order(from wallets.Wallet, to chain.Address, amount int64) outgoing.Transfer {
	s.t.Helper()
	t, err := s.begin(from, to, amount)
	require.NoError(s.t, err)
	return t
}

func (s *site) begin(from wallets.Wallet, to chain.Address, amount int64) (outgoing.Transfer, error) {
	steps := s.Outgoing.TransferOp(s.scope, outgoing.TransferParams{
		From: string(from.PrimaryAddress), To: string(to), Amount: money.USDC(amount), Memo: "rent",
	}).Begin()
	if err := steps.Prepare(s.t.Context(), ""); err != nil {
		return outgoing.Transfer{}, err
	}
	return s.record(steps, "")
}

// retryOn goes on with a transfer, as the retry of its request does.
func (s *site) retryOn(e *engine.Engine, id wallets.TransferID) {
	s.t.Helper()
	steps := e.Outgoing.TransferOp(s.scope, outgoing.TransferParams{}).Begin()
	_, err := s.record(steps, string(id))
	require.NoError(s.t, err)
	steps.Act(s.t.Context())
	_, err = ferry.InUnit(s.t.Context(), e.Units(ferry.Test), func(ctx context.Context, tx store.Tx) (ferry.Step[outgoing.Transfer], error) {
		return steps.Conclude(ctx, tx)
	})
	require.NoError(s.t, err)
	steps.Follow(s.t.Context())
}

func (s *site) record(steps ferry.Steps[wallets.Tx, outgoing.Transfer], resource string) (outgoing.Transfer, error) {
	step, err := ferry.InUnit(s.t.Context(), s.Units(ferry.Test), func(ctx context.Context, tx store.Tx) (ferry.Step[outgoing.Transfer], error) {
		return steps.Record(ctx, tx, resource)
	})
	return step.Out, err
}

func (s *site) transfer(id wallets.TransferID) outgoing.Transfer {
	s.t.Helper()
	t, err := s.Outgoing.FindTransfer(s.t.Context(), s.scope, string(id))
	require.NoError(s.t, err)
	return t
}

func (s *site) holds(a chain.Address) int64 {
	s.t.Helper()
	amount, err := s.World.Balance(s.t.Context(), a)
	require.NoError(s.t, err)
	return amount.Minor()
}

func (s *site) balance(w wallets.Wallet) int64 {
	s.t.Helper()
	found, err := s.Wallets.Get(s.t.Context(), s.scope, wallets.WalletRef{ID: string(w.ID)})
	require.NoError(s.t, err)
	return found.Balance.Minor()
}

func (s *site) held() bool {
	s.t.Helper()
	held, why, err := s.Held(s.t.Context(), ferry.Test)
	require.NoError(s.t, err)
	require.Equal(s.t, held, why != "")
	return held
}

func (s *site) outflows() []custody.Outflow {
	s.t.Helper()
	open, err := s.Outflows(s.t.Context(), ferry.Test)
	require.NoError(s.t, err)
	return open
}

// matched lets so much time pass that the hold was matched.
func (s *site) matched() {
	s.t.Helper()
	s.pass(10 * time.Minute)
	h, err := s.Custody.OutflowHold(s.t.Context(), ferry.Test)
	require.NoError(s.t, err)
	require.False(s.t, h.Matched.IsZero(), "%+v", h)
}

// clean checks books, chain and bank.
func (s *site) clean() {
	s.t.Helper()
	findings, err := s.Audit(s.t.Context(), ferry.Test)
	require.NoError(s.t, err)
	require.Empty(s.t, findings)
	r, err := s.Reconcile(s.t.Context(), ferry.Test)
	require.NoError(s.t, err)
	require.Empty(s.t, r.Findings)
	require.Empty(s.t, r.InFlight)
	require.True(s.t, r.Clean())
	require.Equal(s.t, r.Chain.OnChain, r.Chain.Custody)
}

// suspense is what stands in suspense, in millionths of USDC.
func (s *site) suspense() int64 {
	s.t.Helper()
	var sum int64
	entries, err := ferry.InRead(s.t.Context(), s.Units(ferry.Test), func(ctx context.Context, tx store.Tx) ([]ledger.Entry, error) {
		return tx.Ledger().Entries(ctx, ledger.SystemAccount(ferry.Test, ledger.Suspense, money.AssetUSDC), ledger.EntryID{}, 1000)
	})
	require.NoError(s.t, err)
	for _, e := range entries {
		sum += e.Amount.Minor()
	}
	return sum
}

// adopt adopts all there is and sees the hold end.
func (s *site) adopt() {
	s.t.Helper()
	_, err := s.AdoptAll(s.t.Context(), ferry.Test)
	require.NoError(s.t, err)
	s.pass(10 * time.Minute)
	require.Empty(s.t, s.outflows())
	require.False(s.t, s.held())
}

const dollar = 1_000_000
