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
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
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
	s.start(s.file(), false)
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
	s.store, err = sqlstore.OpenSQLite(context.Background(), path)
	require.NoError(s.t, err)
	s.config.Store, s.config.Hold = s.store, hold
	s.Engine, err = engine.New(s.config)
	require.NoError(s.t, err)
}

func (s *site) stop() { require.NoError(s.t, s.store.Close(context.Background())) }

// backup copies the file as docs/storage.md says.
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
func (s *site) order(from wallets.Wallet, to chain.Address, amount int64) wallets.Transfer {
	s.t.Helper()
	t, err := s.begin(from, to, amount)
	require.NoError(s.t, err)
	return t
}

func (s *site) begin(from wallets.Wallet, to chain.Address, amount int64) (wallets.Transfer, error) {
	prepared, err := s.Wallets.Prepare(s.t.Context(), s.scope, wallets.TransferParams{
		From: string(from.PrimaryAddress), To: string(to), Amount: money.USDC(amount), Memo: "rent",
	})
	if err != nil {
		return wallets.Transfer{}, err
	}
	return ferry.InUnit(s.t.Context(), s.Units(), func(ctx context.Context, tx store.Tx) (wallets.Transfer, error) {
		return s.Wallets.TransferIn(ctx, tx, s.scope, prepared)
	})
}

func (s *site) transfer(id wallets.TransferID) wallets.Transfer {
	s.t.Helper()
	t, err := s.Wallets.FindTransfer(s.t.Context(), s.scope, string(id))
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

func (s *site) outflows() []wallets.Outflow {
	s.t.Helper()
	open, err := s.Outflows(s.t.Context(), ferry.Test)
	require.NoError(s.t, err)
	return open
}

// matched lets so much time pass that the hold was matched.
func (s *site) matched() {
	s.t.Helper()
	s.pass(10 * time.Minute)
	h, err := s.Wallets.Held(s.t.Context(), ferry.Test)
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
	entries, err := ferry.InRead(s.t.Context(), s.Units(), func(ctx context.Context, tx store.Tx) ([]ledger.Entry, error) {
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

func TestATransferThatLandedAfterTheBackupIsNotPaidAgain(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	sent := s.order(w, to, 4*dollar)
	backup := s.backup()
	s.pass(time.Minute)
	require.Equal(t, wallets.Success, s.transfer(sent.ID).Status)
	require.EqualValues(t, 4*dollar, s.holds(to))
	signature := s.transfer(sent.ID).Signature

	s.restore(backup, true)
	require.Equal(t, wallets.Pending, s.transfer(sent.ID).Status)
	require.True(t, s.held())
	require.ErrorIs(t, s.ReleaseHold(t.Context(), ferry.Test), wallets.ErrHeld, "nothing was matched yet")
	s.pass(30 * time.Second)
	_, err := s.Adopt(t.Context(), ferry.Test, signature)
	require.ErrorIs(t, err, wallets.ErrHeld, "other addresses may have paid a part")
	s.matched()

	require.True(t, s.held(), "an unknown payment keeps the hold")
	require.ErrorIs(t, s.ReleaseHold(t.Context(), ferry.Test), wallets.ErrHeld)
	found := s.outflows()
	require.Len(t, found, 1)
	require.Equal(t, signature, found[0].Signature)
	require.Equal(t, sent.ID, found[0].Transfer)
	require.Equal(t, w.PrimaryAddress, found[0].From)
	require.Equal(t, to, found[0].To)
	require.Equal(t, money.USDC(4*dollar), found[0].Amount)
	require.Contains(t, found[0].Memo, "rent ")
	findings, err := s.Audit(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.NotEmpty(t, findings)
	require.Equal(t, wallets.Pending, s.transfer(sent.ID).Status)

	adopted, err := s.Adopt(t.Context(), ferry.Test, signature)
	require.NoError(t, err)
	again, err := s.Adopt(t.Context(), ferry.Test, signature)
	require.NoError(t, err)
	require.Equal(t, adopted, again, "it is adopted once")
	now := s.transfer(sent.ID)
	require.Equal(t, wallets.Success, now.Status)
	require.Equal(t, signature, now.Signature)
	require.NoError(t, s.ReleaseHold(t.Context(), ferry.Test))
	require.False(t, s.held())
	s.pass(time.Hour)
	require.EqualValues(t, 4*dollar, s.holds(to), "it was paid once")
	require.EqualValues(t, 10*dollar-4*dollar-5000, s.balance(w))
	s.clean()

	// The wallet sends again, and the engine knows what it sends.
	next := s.order(w, to, dollar)
	s.pass(time.Minute)
	require.Equal(t, wallets.Success, s.transfer(next.ID).Status)
	require.False(t, s.held())
	s.clean()
}

func TestAnOlderStoreIsHeldWithoutBeingAsked(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	sent := s.order(w, to, 4*dollar)
	backup := s.backup()
	s.pass(time.Minute)
	require.EqualValues(t, 4*dollar, s.holds(to))

	s.restore(backup, false)
	require.False(t, s.held(), "nobody has looked yet")
	_, err := s.Wallets.Advance(t.Context(), s.scope, sent.ID)
	require.NoError(t, err)
	require.True(t, s.held(), "before anything is signed")
	require.Equal(t, wallets.Pending, s.transfer(sent.ID).Status)
	s.matched()
	require.EqualValues(t, 4*dollar, s.holds(to))
	s.adopt()
	require.EqualValues(t, 4*dollar, s.holds(to))
	s.clean()
}

func TestAHoldLetsEverythingElseGoOn(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	s.restore(s.backup(), true)
	sent, err := s.Wallets.Transfer(t.Context(), s.scope, wallets.TransferParams{
		From: string(w.PrimaryAddress), To: string(to), Amount: money.USDC(dollar)})
	require.NoError(t, err)
	require.Equal(t, wallets.Pending, sent.Status)
	require.Empty(t, sent.Signature, "nothing is signed")
	other := s.wallet(2 * dollar)
	require.EqualValues(t, 2*dollar, s.balance(other), "deposits are credited")
	inside, err := s.Wallets.Transfer(t.Context(), s.scope, wallets.TransferParams{
		From: string(w.PrimaryAddress), To: string(other.PrimaryAddress), Amount: money.USDC(dollar)})
	require.NoError(t, err)
	require.Equal(t, wallets.Success, inside.Status)
	require.Zero(t, s.holds(to))
	stats, err := s.Stats(t.Context())
	require.NoError(t, err)
	require.True(t, stats.Holds[0].Held)
	require.NoError(t, s.Ping(t.Context()))

	s.matched()
	require.False(t, s.held(), "it ends by itself when nothing is unknown")
	s.pass(time.Minute)
	require.Equal(t, wallets.Success, s.transfer(sent.ID).Status, "what waited is sent")
	require.EqualValues(t, dollar, s.holds(to))
	s.clean()
}

func TestAHoldOutlivesRestartsAndBindsEveryServer(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	sent := s.order(w, to, dollar)
	s.restore(s.path, true)
	s.restore(s.path, false)
	require.True(t, s.held())
	s.config.Store = s.store
	other, err := engine.New(s.config)
	require.NoError(t, err)
	_, err = other.Wallets.Advance(t.Context(), s.scope, sent.ID)
	require.NoError(t, err)
	s.pass(time.Minute)
	require.True(t, s.held())
	require.Zero(t, s.holds(to))
	s.matched()
	s.pass(time.Minute)
	require.EqualValues(t, dollar, s.holds(to))
	s.clean()
}

func TestAnAttemptThatReplacedTheOneInTheBackupIsNotPaidAgain(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetChain, sandbox.ForkDropped, 1))
	sent := s.order(w, to, 4*dollar)
	_, err := s.Wallets.Advance(t.Context(), s.scope, sent.ID)
	require.NoError(t, err)
	require.Equal(t, 1, s.transfer(sent.ID).Attempts)
	backup := s.backup()
	s.pass(5 * time.Minute)
	require.Equal(t, 2, s.transfer(sent.ID).Attempts)
	require.EqualValues(t, 4*dollar, s.holds(to))

	s.restore(backup, true)
	require.Equal(t, 1, s.transfer(sent.ID).Attempts)
	s.matched()
	s.adopt()
	require.Equal(t, wallets.Success, s.transfer(sent.ID).Status)
	require.Equal(t, 2, s.transfer(sent.ID).Attempts)
	require.EqualValues(t, 4*dollar, s.holds(to))
	s.clean()
}

func TestAnAttemptInTheBackupThatLandedIsNoUnknownPayment(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	sent := s.order(w, to, 4*dollar)
	_, err := s.Wallets.Advance(t.Context(), s.scope, sent.ID)
	require.NoError(t, err)
	backup := s.backup()
	s.pass(time.Minute)

	s.restore(backup, true)
	s.matched()
	require.False(t, s.held())
	require.Equal(t, wallets.Success, s.transfer(sent.ID).Status)
	require.EqualValues(t, 4*dollar, s.holds(to))
	s.clean()
}

func TestAnAttemptInTheBackupIsNotSentWhileHeld(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetChain, sandbox.SubmissionLost, 1))
	sent := s.order(w, to, 4*dollar)
	_, err := s.Wallets.Advance(t.Context(), s.scope, sent.ID)
	require.NoError(t, err)
	s.restore(s.backup(), true)
	s.pass(30 * time.Second)
	require.Zero(t, s.holds(to))
	s.matched()
	s.pass(time.Minute)
	require.False(t, s.held())
	require.EqualValues(t, 4*dollar, s.holds(to), "the next attempt pays")
	require.Equal(t, 2, s.transfer(sent.ID).Attempts)
	s.clean()
}

func TestATransferThatTheBackupDoesNotHaveStandsInSuspense(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	backup := s.backup()
	s.deposit(w, 3*dollar)
	s.order(w, to, 4*dollar)
	s.pass(time.Minute)
	require.EqualValues(t, 4*dollar, s.holds(to))

	s.restore(backup, true)
	s.matched()
	require.EqualValues(t, 13*dollar, s.balance(w), "the deposit was found again, and the business is not charged")
	require.Len(t, s.outflows(), 1)
	s.adopt()
	require.EqualValues(t, -4*dollar, s.suspense())
	require.EqualValues(t, 13*dollar, s.balance(w))
	found, err := s.Wallets.Get(t.Context(), s.scope, wallets.WalletRef{ID: string(w.ID)})
	require.NoError(t, err)
	require.Equal(t, wallets.Active, found.Status)
	s.clean()
}

func TestATransferThatAForgottenAddressPaidIsNotPaidAgain(t *testing.T) {
	s := newSite(t)
	rich, poor, to := s.wallet(10*dollar), s.wallet(0), stranger(t, 1)
	_, err := s.Wallets.Transfer(t.Context(), s.scope, wallets.TransferParams{
		From: string(rich.PrimaryAddress), To: string(poor.PrimaryAddress), Amount: money.USDC(5 * dollar)})
	require.NoError(t, err)
	sent := s.order(poor, to, 4*dollar)
	backup := s.backup()
	// A new address has most, so it pays.
	fresh, err := s.Wallets.Create(t.Context(), s.scope, wallets.CreateParams{})
	require.NoError(t, err)
	_, err = s.World.Deposit(t.Context(), sandbox.DepositParams{To: fresh.PrimaryAddress, Amount: money.USDC(20 * dollar)})
	require.NoError(t, err)
	_, err = s.World.Advance(t.Context(), 10*time.Second)
	require.NoError(t, err)
	_, err = s.Wallets.ScanAddress(t.Context(), ferry.Test, fresh.PrimaryAddress)
	require.NoError(t, err)
	s.pass(time.Minute)
	require.EqualValues(t, 4*dollar, s.holds(to))
	require.EqualValues(t, 16*dollar, s.holds(fresh.PrimaryAddress))

	s.restore(backup, true)
	s.matched()
	require.Len(t, s.outflows(), 1)
	require.Equal(t, fresh.PrimaryAddress, s.outflows()[0].From)
	s.adopt()
	require.Equal(t, wallets.Success, s.transfer(sent.ID).Status)
	require.EqualValues(t, 4*dollar, s.holds(to))
	require.EqualValues(t, 4*dollar, s.suspense(), "owed to whoever had the forgotten address")
	require.EqualValues(t, 5*dollar, s.balance(rich))
	s.clean()
}

func TestGatheringThatTheBackupDoesNotHaveIsNoDeposit(t *testing.T) {
	s := newSite(t)
	var all []wallets.Wallet
	for range 20 {
		all = append(all, s.wallet(dollar))
	}
	// One wallet owns everything; the money lies on 20 addresses.
	for _, w := range all[1:] {
		_, err := s.Wallets.Transfer(t.Context(), s.scope, wallets.TransferParams{
			From: string(w.PrimaryAddress), To: string(all[0].PrimaryAddress), Amount: money.USDC(dollar)})
		require.NoError(t, err)
	}
	to := stranger(t, 1)
	sent := s.order(all[0], to, 19*dollar)
	backup := s.backup()
	s.pass(5 * time.Minute)
	require.Equal(t, wallets.Success, s.transfer(sent.ID).Status)
	require.EqualValues(t, 19*dollar, s.holds(to))

	s.restore(backup, true)
	s.matched()
	require.GreaterOrEqual(t, len(s.outflows()), 2)
	require.EqualValues(t, 20*dollar-19*dollar-5000, s.balance(all[0]), "what was gathered is no deposit")
	s.adopt()
	require.Equal(t, wallets.Success, s.transfer(sent.ID).Status)
	require.EqualValues(t, 19*dollar, s.holds(to))
	require.Zero(t, s.suspense())
	s.clean()
}

func TestAPaymentThatFailedAfterTheBackupShowsThatTheStoreIsOlder(t *testing.T) {
	s := newSite(t)
	w, to := s.wallet(10*dollar), stranger(t, 1)
	sent := s.order(w, to, 4*dollar)
	backup := s.backup()
	require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetChain, sandbox.ProgramError, 1))
	s.pass(time.Minute)
	require.Equal(t, wallets.Failed, s.transfer(sent.ID).Status)

	s.restore(backup, false)
	s.pass(0)
	require.True(t, s.held())
	require.Zero(t, s.holds(to))
	s.matched()
	require.False(t, s.held(), "it moved nothing, so nothing is to be adopted")
}
