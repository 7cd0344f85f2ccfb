package wallets_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/custody"
	"github.com/ferrypay/ferry/wallets/deposits"
	"github.com/ferrypay/ferry/wallets/outgoing"
	"github.com/ferrypay/ferry/webhook"
)

var (
	home = ferry.Scope{Business: "biz_00000000000000000000000000000001", Env: ferry.Test}
	away = ferry.Scope{Business: "biz_00000000000000000000000000000002", Env: ferry.Test}
	live = ferry.Scope{Business: home.Business, Env: ferry.Live}
)

// clock is a clock that tests move.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// watched is the sandbox's chain, in whose place a test may put its own
// answers. It counts calls.
type watched struct {
	chain.Chain
	maxMemo func(sources int) int
	inspect func(chain.Address) (chain.Destination, error)
	sign    func() error
	send    func(ctx context.Context, bytes []byte) error
	look    func(ctx context.Context, s []chain.Signature) (chain.StatusReport, error)
	history func(ctx context.Context, a chain.Address, after chain.Cursor, limit int) ([]chain.Movement, error)

	changes  func(ctx context.Context, addresses []chain.Address) ([]chain.ChangeToken, error)
	activity func(ctx context.Context, since chain.Cursor) (chain.Activity, error)

	mu                                                 sync.Mutex
	signs, sends, looks, histories, tokens, activities int
}

func (w *watched) count(calls *int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	*calls++
}

func (w *watched) MaxMemo(sources int) int {
	if w.maxMemo != nil {
		return w.maxMemo(sources)
	}
	return w.Chain.MaxMemo(sources)
}

func (w *watched) Inspect(ctx context.Context, a chain.Address) (chain.Destination, error) {
	if w.inspect != nil {
		return w.inspect(a)
	}
	return w.Chain.Inspect(ctx, a)
}

func (w *watched) Sign(ctx context.Context, t chain.Transfer, keys chain.Keyring) (chain.Signed, error) {
	w.count(&w.signs)
	if w.sign != nil {
		if err := w.sign(); err != nil {
			return chain.Signed{}, err
		}
	}
	return w.Chain.Sign(ctx, t, keys)
}

func (w *watched) Send(ctx context.Context, bytes []byte) error {
	w.count(&w.sends)
	if w.send != nil {
		return w.send(ctx, bytes)
	}
	return w.Chain.Send(ctx, bytes)
}

func (w *watched) Statuses(ctx context.Context, s []chain.Signature) (chain.StatusReport, error) {
	w.count(&w.looks)
	if w.look != nil {
		return w.look(ctx, s)
	}
	return w.Chain.Statuses(ctx, s)
}

func (w *watched) ChangeTokens(ctx context.Context, addresses []chain.Address) ([]chain.ChangeToken, error) {
	w.count(&w.tokens)
	if w.changes != nil {
		return w.changes(ctx, addresses)
	}
	return w.Chain.ChangeTokens(ctx, addresses)
}

func (w *watched) History(ctx context.Context, a chain.Address, after chain.Cursor, limit int) ([]chain.Movement, error) {
	w.count(&w.histories)
	if w.history != nil {
		return w.history(ctx, a, after, limit)
	}
	return w.Chain.History(ctx, a, after, limit)
}

// reporting is a watched chain that reports activity, as the sandbox's does.
type reporting struct {
	*watched
}

func (r reporting) Activity(ctx context.Context, since chain.Cursor) (chain.Activity, error) {
	r.count(&r.activities)
	if r.activity != nil {
		return r.activity(ctx, since)
	}
	return r.Chain.(chain.ActivityReporter).Activity(ctx, since)
}

// silent is a chain that does not report activity.
func silent(c *config) { c.chains[ferry.Test] = c.chains[ferry.Test].(reporting).watched }

// forBoth runs a test on a chain that reports activity, and on one that does not.
func forBoth(t *testing.T, test func(t *testing.T, how func(*config))) {
	t.Run("a chain that reports activity", func(t *testing.T) { test(t, func(*config) {}) })
	t.Run("a chain that does not", func(t *testing.T) { test(t, silent) })
}

type (
	walletService   = wallets.Service
	outgoingService = outgoing.Service
	depositService  = deposits.Service
	custodyService  = custody.Service
)

// services are all that keeps wallets and moves their money.
type services struct {
	*walletService
	*outgoingService
	*depositService
	*custodyService
}

// config is what a test may change of the services.
type config struct {
	chains map[ferry.Env]chain.Chain
	Sealer seal.Sealer
	Random io.Reader
	Fee    money.Amount
	Margin uint64
	Lease  time.Duration
	Logger *slog.Logger
}

// bench is the services on a store and a simulated chain.
type bench struct {
	*services
	t       testing.TB
	clock   *clock
	world   *sandbox.World
	chain   *watched
	backend store.Backend
	units   ferry.EnvUnits[store.Tx]
	config  config
	hooks   wallets.Hooks[wallets.Tx]
	random  *rand.ChaCha8
}

// setup returns a bench on a store that runs every unit twice.
func setup(t testing.TB, change ...func(*config)) *bench {
	return setupOn(t, storefault.Rerun(memstore.New()), change...)
}

func setupOn(t testing.TB, backend store.Backend, change ...func(*config)) *bench {
	c := &clock{now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	world := sandbox.New(sandbox.Config{Clock: c, Seed: 7})
	b := &bench{
		t: t, clock: c, world: world, backend: backend,
		chain:  &watched{Chain: world.Chain()},
		random: rand.NewChaCha8([32]byte{1}),
	}
	b.units = store.Open(b.backend, ferry.OneClock(world.Clock()), ferry.NewIDs(b.random))
	b.config = config{
		chains: map[ferry.Env]chain.Chain{ferry.Test: reporting{b.chain}},
		Sealer: seal.Ephemeral(),
		Random: rand.NewChaCha8([32]byte{2}),
	}
	for _, f := range change {
		f(&b.config)
	}
	b.restart()
	require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		for _, account := range ledger.SystemAccounts(ferry.Test) {
			if err := tx.Ledger().OpenAccount(ctx, account); err != nil {
				return err
			}
		}
		return nil
	}))
	return b
}

// restart makes fresh services on the same store, as after a crash.
func (b *bench) restart() { b.services = b.another() }

// another makes services on the same store, as of another process.
func (b *bench) another() *services {
	c, units := b.config, b.walletUnits()
	s := &services{}
	hooks := b.hooks
	hooks.Activated = append(hooks.Activated, outgoing.ResumeIn)
	s.walletService = wallets.New(units, wallets.Config{Chains: c.chains, Sealer: c.Sealer, Random: c.Random}, hooks)
	s.outgoingService = outgoing.New(units, outgoing.Config{
		Wallets: s.walletService, Chains: c.chains, Sealer: c.Sealer, Fee: c.Fee, Margin: c.Margin, Lease: c.Lease, Logger: c.Logger,
		MayLeave: func(ctx context.Context, tx wallets.Tx, env ferry.Env) error { return s.MayLeaveIn(ctx, tx, env) },
		Verify:   func(ctx context.Context, env ferry.Env) error { return s.Verify(ctx, env) },
	}, outgoing.Hooks[wallets.Tx]{})
	s.depositService = deposits.New(units, deposits.Config{
		Wallets: s.walletService, Chains: c.chains, Sealer: c.Sealer,
	}, deposits.Hooks[wallets.Tx]{
		Unexplained: []func(context.Context, wallets.Tx, wallets.Custody, chain.Movement, money.Amount) error{
			func(ctx context.Context, tx wallets.Tx, at wallets.Custody, m chain.Movement, delta money.Amount) error {
				return s.UnexplainedIn(ctx, tx, at, m, delta)
			},
		},
	})
	s.custodyService = custody.New(units, custody.Config{
		Wallets: s.walletService, Outgoing: s.outgoingService, Deposits: s.depositService, Chains: c.chains, Sealer: c.Sealer, Lease: c.Lease,
	})
	return s
}

func (b *bench) walletUnits() ferry.EnvUnits[wallets.Tx] {
	return ferry.Narrow(b.units, func(tx store.Tx) wallets.Tx { return tx })
}

func usdc(text string) money.Amount {
	a, err := money.ParseMajor(money.AssetUSDC, text)
	if err != nil {
		panic(err)
	}
	return a
}

// wallet makes a wallet of scope home.
func (b *bench) wallet(reference string) wallets.Wallet {
	return b.walletOf(home, reference)
}

func (b *bench) walletOf(scope ferry.Scope, reference string) wallets.Wallet {
	b.t.Helper()
	w, err := b.Create(b.t.Context(), scope, wallets.CreateParams{Reference: reference, Label: reference})
	require.NoError(b.t, err)
	return w
}

// address adds an address to a wallet.
func (b *bench) address(w wallets.Wallet) wallets.Address {
	b.t.Helper()
	a, err := b.CreateAddress(b.t.Context(), w.Scope, wallets.AddressParams{Wallet: wallets.WalletRef{ID: string(w.ID)}})
	require.NoError(b.t, err)
	return a
}

// funded makes a wallet of scope home with so much on its primary address.
func (b *bench) funded(reference, amount string) wallets.Wallet {
	b.t.Helper()
	w := b.wallet(reference)
	b.deposit(w.PrimaryAddress, amount)
	return w
}

// deposit pays to an address on the chain and waits for the credit.
func (b *bench) deposit(to chain.Address, amount string) chain.Signature {
	b.t.Helper()
	signature, err := b.world.Deposit(b.t.Context(), sandbox.DepositParams{To: to, Amount: usdc(amount)})
	require.NoError(b.t, err)
	b.finalize()
	b.sweep()
	return signature
}

// finalize lets so much time pass that what is on the chain is final.
func (b *bench) finalize() { b.clock.pass(10 * time.Second) }

// outlast lets so much time pass that no signed transaction can land any more.
func (b *bench) outlast() { b.clock.pass(3 * time.Minute) }

func (b *bench) sweep() {
	b.t.Helper()
	_, err := b.Sweep(b.t.Context(), 1000)
	require.NoError(b.t, err)
}

func (b *bench) runDue() int {
	b.t.Helper()
	done, err := b.RunDue(b.t.Context(), 100)
	require.NoError(b.t, err)
	return done
}

// settle lets time pass until no transfer is pending.
func (b *bench) settle() {
	b.t.Helper()
	for range 400 {
		if len(b.pending()) == 0 {
			b.sweep()
			return
		}
		b.clock.pass(2 * time.Second)
		b.runDue()
		b.sweep()
	}
	require.Empty(b.t, b.pending(), "transfers that never end")
}

func (b *bench) pending() []outgoing.Transfer {
	b.t.Helper()
	return look(b, func(ctx context.Context, tx store.Tx) ([]outgoing.Transfer, error) {
		return outgoing.TransferKind.After(ctx, tx, outgoing.PendingIn(ferry.Test), "", 1000)
	})
}

func look[R any](b *bench, find func(ctx context.Context, tx store.Tx) (R, error)) R {
	b.t.Helper()
	found, err := ferry.InRead(b.t.Context(), b.units.In(ferry.Test), find)
	require.NoError(b.t, err)
	return found
}

// send sends from a wallet's primary address.
func (b *bench) send(from wallets.Wallet, to chain.Address, amount string) outgoing.Transfer {
	b.t.Helper()
	t, err := b.Transfer(b.t.Context(), from.Scope, order(from, to, amount))
	require.NoError(b.t, err)
	return t
}

// prepare and record are the first two steps of send: they are apart where a test
// changes something between them, or stops after them.
func (b *bench) prepare(from wallets.Wallet, to chain.Address, amount string) ferry.Steps[wallets.Tx, outgoing.Transfer] {
	b.t.Helper()
	steps := b.TransferOp(from.Scope, order(from, to, amount)).Begin()
	require.NoError(b.t, steps.Prepare(b.t.Context(), ""))
	return steps
}

func (b *bench) record(steps ferry.Steps[wallets.Tx, outgoing.Transfer]) (outgoing.Transfer, error) {
	step, err := ferry.InUnit(b.t.Context(), b.walletUnits().In(ferry.Test), func(ctx context.Context, tx wallets.Tx) (ferry.Step[outgoing.Transfer], error) {
		return steps.Record(ctx, tx, "")
	})
	return step.Out, err
}

func order(from wallets.Wallet, to chain.Address, amount string) outgoing.TransferParams {
	return outgoing.TransferParams{From: string(from.PrimaryAddress), To: string(to), Amount: usdc(amount)}
}

// stranger returns an address that nobody here manages.
func (b *bench) stranger() chain.Address {
	b.t.Helper()
	seed, err := chain.NewSeed(b.random)
	require.NoError(b.t, err)
	return seed.Address()
}

// holds returns what an address holds on the chain.
func (b *bench) holds(a chain.Address) money.Amount {
	b.t.Helper()
	amount, err := b.world.Balance(b.t.Context(), a)
	require.NoError(b.t, err)
	return amount
}

// balance returns what a wallet can send.
func (b *bench) balance(w wallets.Wallet) money.Amount {
	b.t.Helper()
	return b.get(w).Balance
}

func (b *bench) get(w wallets.Wallet) wallets.FundedWallet {
	b.t.Helper()
	found, err := b.Get(b.t.Context(), w.Scope, wallets.WalletRef{ID: string(w.ID)})
	require.NoError(b.t, err)
	return found
}

func (b *bench) addressOf(a chain.Address, scope ferry.Scope) wallets.FundedAddress {
	b.t.Helper()
	found, err := b.GetAddress(b.t.Context(), scope, wallets.AddressRef{Address: string(a)})
	require.NoError(b.t, err)
	return found
}

func (b *bench) transfer(t outgoing.Transfer) outgoing.Transfer {
	b.t.Helper()
	return look(b, func(ctx context.Context, tx store.Tx) (outgoing.Transfer, error) {
		return outgoing.TransferKind.Get(ctx, tx, t.Scope, t.ID)
	})
}

func (b *bench) attempts(t outgoing.Transfer) []outgoing.Attempt {
	b.t.Helper()
	all, err := b.Attempts(b.t.Context(), t.Scope, t.ID)
	require.NoError(b.t, err)
	return all
}

// lines returns the statement of a scope, newest first.
func (b *bench) lines(scope ferry.Scope, q wallets.TransactionQuery) []wallets.StatementLine {
	b.t.Helper()
	list, err := b.Transactions(b.t.Context(), scope, q, ferry.Page{Limit: 100})
	require.NoError(b.t, err)
	return list.Data
}

// events returns what a scope was told, oldest first, of one type.
func (b *bench) events(scope ferry.Scope, kind string) []webhook.Event {
	b.t.Helper()
	all := look(b, func(ctx context.Context, tx store.Tx) ([]webhook.Event, error) {
		return tx.Webhooks().Feed(ctx, scope, 0, time.Time{}, 1000)
	})
	var some []webhook.Event
	for _, e := range all {
		if e.Type == kind {
			some = append(some, e)
		}
	}
	return some
}

// data decodes the data of an event.
func (b *bench) data(e webhook.Event) map[string]any {
	b.t.Helper()
	var data map[string]any
	require.NoError(b.t, json.Unmarshal([]byte(e.Data), &data))
	return data
}

// inject makes the next calls of the chain go wrong.
func (b *bench) inject(kind sandbox.Kind, count int) {
	b.t.Helper()
	require.NoError(b.t, b.world.Inject(b.t.Context(), sandbox.TargetChain, kind, count))
}

// findings audits books and custody.
func (b *bench) findings() []ledger.Finding {
	b.t.Helper()
	return look(b, func(ctx context.Context, tx store.Tx) ([]ledger.Finding, error) {
		books, err := ledger.Audit(ctx, tx.Ledger(), ferry.Test)
		if err != nil {
			return nil, err
		}
		transfers, err := outgoing.Audit(ctx, tx, ferry.Test)
		if err != nil {
			return nil, err
		}
		held, err := custody.Audit(ctx, tx, ferry.Test)
		return slices.Concat(books, transfers, held), err
	})
}

// clean checks that the books are right and that custody is what the true chain
// holds.
func (b *bench) clean() {
	b.t.Helper()
	require.Empty(b.t, b.findings())
	for _, c := range b.custodies() {
		require.Equal(b.t, b.holds(c.Address).Minor(), c.OnChain.Minor(), "custody of %s", c.Address)
	}
}

func (b *bench) custodies() []wallets.Custody {
	b.t.Helper()
	return look(b, func(ctx context.Context, tx store.Tx) ([]wallets.Custody, error) {
		return wallets.CustodyKind.After(ctx, tx, wallets.CustodiesIn(ferry.Test), "", 1000)
	})
}

// Advance takes the step on the chain with which TransferOp follows up what it recorded.
func (s *services) Advance(ctx context.Context, scope ferry.Scope, id wallets.TransferID) error {
	op := s.TransferOp(scope, outgoing.TransferParams{})
	steps := op.Begin()
	err := op.Units.Write(ctx, func(ctx context.Context, tx wallets.Tx) error {
		_, err := steps.Record(ctx, tx, string(id))
		return err
	})
	if err != nil {
		return err
	}
	steps.Act(ctx)
	err = op.Units.Write(ctx, func(ctx context.Context, tx wallets.Tx) error {
		_, err := steps.Conclude(ctx, tx)
		return err
	})
	if err == nil {
		steps.Follow(ctx)
	}
	return err
}
