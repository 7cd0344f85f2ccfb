package engine_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sqlstore/sqlitetest"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
	"github.com/ferrypay/ferry/tests/apitest"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// keyedStores are the kinds of stores on which keys are tried; do_postgres_test.go adds
// one.
var keyedStores = map[string]func(testing.TB) store.Backend{
	"memory": func(testing.TB) store.Backend { return memstore.New() },
	"SQLite": func(t testing.TB) store.Backend { return sqlitetest.Open(t) },
}

var errLost = errors.New("the reply was lost")

// keyed is an engine whose providers are counted, on a clock that a test moves.
type keyed struct {
	*engine.Engine
	t     testing.TB
	clock *apitest.Clock
	scope ferry.Scope
	from  wallets.Wallet
	// failing fails single operations of the store; lose is how many commits are still
	// to come until the reply to one is lost.
	failing *storefault.Failing
	lose    atomic.Int64

	mu   sync.Mutex
	sent map[string]int // one-time passwords, by attempt
}

func newKeyed(t testing.TB, backend store.Backend) *keyed {
	t.Helper()
	k := &keyed{t: t, clock: apitest.NewClock(), sent: map[string]int{}}
	k.failing = storefault.FailNth(lossy{backend, k}, 0, errLost)
	world := sandbox.New(sandbox.Config{Clock: k.clock, Seed: 3})
	var err error
	k.Engine, err = engine.New(engine.Config{
		Store: k.failing, Clock: k.clock, World: world, Test: engine.Providers{KYC: countedKYC{world.KYC(), k}},
	})
	require.NoError(t, err)
	k.furnish()
	return k
}

// furnish makes a business with a wallet that has money.
func (k *keyed) furnish() {
	t := k.t
	t.Helper()
	tenant, err := k.Bootstrap(t.Context())
	require.NoError(t, err)
	k.scope = tenant.Business.Scope
	k.from, err = k.Wallets.Create(t.Context(), k.scope, wallets.CreateParams{Reference: "treasury"})
	require.NoError(t, err)
	_, err = k.World.Deposit(t.Context(), sandbox.DepositParams{To: k.from.PrimaryAddress, Amount: money.USDC(5_000_000_000)})
	require.NoError(t, err)
	_, err = k.Advance(t.Context(), time.Minute)
	require.NoError(t, err)
}

// lossy loses the reply to a commit.
type lossy struct {
	store.Backend
	k *keyed
}

func (l lossy) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
	if err := l.Backend.Write(ctx, body); err != nil {
		return err
	}
	if l.k.lose.Add(-1) == 0 {
		return errLost
	}
	return nil
}

type countedKYC struct {
	kyc.Provider
	k *keyed
}

func (c countedKYC) SendOTP(ctx context.Context, attempt string, t kyc.Type, number string) (kyc.Challenge, error) {
	c.k.mu.Lock()
	c.k.sent[attempt]++
	c.k.mu.Unlock()
	return c.Provider.SendOTP(ctx, attempt, t, number)
}

// work is an operation whose effects can be told apart and counted.
type work[T idempotency.Tx, Out any] struct {
	// op is the n-th operation; no two are equal.
	op      func(k *keyed, n int) ferry.Operation[T, Out]
	effects func(*keyed) int
	// name is what equal answers have in common.
	name func(Out) string
}

var transfers = work[wallets.Tx, outgoing.Transfer]{
	op: func(k *keyed, n int) ferry.Operation[wallets.Tx, outgoing.Transfer] {
		return k.Outgoing.TransferOp(k.scope, outgoing.TransferParams{
			From: string(k.from.PrimaryAddress), To: string(stranger(k.t, 7)), Amount: money.USDC(int64(1_000_000 + n)),
		})
	},
	effects: func(k *keyed) int {
		out, err := k.Wallets.Transactions(k.t.Context(), k.scope, wallets.TransactionQuery{Direction: wallets.Out}, ferry.Page{})
		require.NoError(k.t, err)
		return out.Total
	},
	name: func(t outgoing.Transfer) string { return string(t.ID) },
}

var initiations = work[customers.Tx, customers.Outcome]{
	op: func(k *keyed, n int) ferry.Operation[customers.Tx, customers.Outcome] {
		return k.Customers.InitiateOp(k.scope, customers.InitiateParams{
			Type: kyc.BVN, Number: customers.Number(fmt.Sprintf("222%07d0", n)),
		})
	},
	effects: func(k *keyed) int {
		k.mu.Lock()
		defer k.mu.Unlock()
		return len(maps.Clone(k.sent))
	},
	name: func(o customers.Outcome) string { return string(o.Identity.ID) + string(o.Identity.Status) + o.Number },
}

var sessions = work[checkout.Tx, checkout.Created]{
	op: func(k *keyed, n int) ferry.Operation[checkout.Tx, checkout.Created] {
		return k.Checkout.CreateOp(k.scope, checkout.CreateParams{
			TrxID: fmt.Sprint("order-", n), Email: "ada@example.com", Amount: money.NGN(15_000_00),
		})
	},
	effects: func(k *keyed) int {
		all, err := k.Checkout.List(k.t.Context(), k.scope, checkout.Filter{}, ferry.Page{})
		require.NoError(k.t, err)
		return all.Total
	},
	name: func(c checkout.Created) string {
		return string(c.Session.ID) + c.Session.Account.AccountNumber + fmt.Sprint(c.Session.NeedsAccount())
	},
}

var collections = work[accounts.Tx, accounts.Account]{
	op: func(k *keyed, n int) ferry.Operation[accounts.Tx, accounts.Account] {
		return k.Accounts.CreateVirtualOp(k.scope, accounts.VirtualParams{Currency: "NGN", Reference: fmt.Sprint("invoice-", n)})
	},
	effects: func(k *keyed) int {
		all, err := k.Accounts.List(k.t.Context(), k.scope, accounts.Filter{Kind: accounts.Virtual}, ferry.Page{})
		require.NoError(k.t, err)
		return all.Total
	},
	name: func(a accounts.Account) string { return string(a.ID) + a.Bank.AccountNumber },
}

// onKeyedStores runs a test on each kind of store.
func onKeyedStores(t *testing.T, test func(*testing.T, *keyed)) {
	t.Helper()
	for name, open := range keyedStores {
		t.Run(name, func(t *testing.T) { test(t, newKeyed(t, open(t))) })
	}
}

func TestAHundredCallersWithOneKeyHaveOneEffectAndOneAnswer(t *testing.T) {
	onKeyedStores(t, func(t *testing.T, k *keyed) {
		t.Run("transfer", func(t *testing.T) { together(t, k, transfers) })
		t.Run("identity", func(t *testing.T) { together(t, k, initiations) })
		t.Run("checkout", func(t *testing.T) { together(t, k, sessions) })
		t.Run("account", func(t *testing.T) { together(t, k, collections) })
	})
}

func together[T idempotency.Tx, Out any](t *testing.T, k *keyed, w work[T, Out]) {
	const callers = 100
	before := w.effects(k)
	op := w.op(k, 1)
	var answers [callers]string
	var errs [callers]error
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			out, err := engine.Do(t.Context(), k.Engine, "one-key", op)
			answers[i], errs[i] = w.name(out), err
		})
	}
	all.Wait()
	for i := range callers {
		require.NoError(t, errs[i])
		require.Equal(t, answers[0], answers[i])
	}
	require.Equal(t, before+1, w.effects(k))

	_, err := engine.Do(t.Context(), k.Engine, "one-key", w.op(k, 2))
	require.ErrorIs(t, err, idempotency.ErrConflict)
	other, err := engine.Do(t.Context(), k.Engine, "another-key", w.op(k, 3))
	require.NoError(t, err)
	require.NotEqual(t, answers[0], w.name(other))
	require.Equal(t, before+2, w.effects(k))
}

// death is how a run ends that a test kills.
type death struct{ at string }

// diesAt panics at a place.
func diesAt(place string) func(string) {
	return func(at string) {
		if at == place {
			panic(death{at})
		}
	}
}

// visiting is an operation that calls die at each of places: before or after one of its
// steps, in the unit of the step or outside of any.
func visiting[T, Out any](die func(place string), op ferry.Operation[T, Out]) ferry.Operation[T, Out] {
	begin := op.Begin
	op.Begin = func() ferry.Steps[T, Out] {
		steps := begin()
		killed := steps
		if steps.Prepare != nil {
			killed.Prepare = func(ctx context.Context, resource string) error {
				die("before prepare")
				err := steps.Prepare(ctx, resource)
				die("after prepare")
				return err
			}
		}
		killed.Record = func(ctx context.Context, tx T, resource string) (ferry.Step[Out], error) {
			step, err := steps.Record(ctx, tx, resource)
			die("before the intent commits")
			return step, err
		}
		killed.Act = func(ctx context.Context) {
			die("after the intent")
			steps.Act(ctx)
			die("after the act")
		}
		killed.Conclude = func(ctx context.Context, tx T) (ferry.Step[Out], error) {
			step, err := steps.Conclude(ctx, tx)
			die("before the outcome commits")
			return step, err
		}
		return killed
	}
	return op
}

var places = []string{
	"before prepare", "after prepare", "before the intent commits", "after the intent", "after the act", "before the outcome commits",
}

func TestARunThatWasKilledBetweenItsStepsIsFinishedByTheRetry(t *testing.T) {
	onKeyedStores(t, func(t *testing.T, k *keyed) {
		t.Run("transfer", func(t *testing.T) { killed(t, k, transfers) })
		t.Run("identity", func(t *testing.T) { killed(t, k, initiations) })
		t.Run("checkout", func(t *testing.T) { killed(t, k, sessions) })
		t.Run("account", func(t *testing.T) { killed(t, k, collections) })
	})
}

func killed[T idempotency.Tx, Out any](t *testing.T, k *keyed, w work[T, Out]) {
	deaths := 0
	for n, place := range places {
		before, key, op := w.effects(k), fmt.Sprint("key-", n), w.op(k, n)
		if dies(func() { _, _ = engine.Do(t.Context(), k.Engine, key, visiting(diesAt(place), op)) }) {
			deaths++
		}
		finish(t, k, before, key, place, op, w)
	}
	require.GreaterOrEqual(t, deaths, 3, "an operation has not all of the steps")
}

func dies(run func()) (died bool) {
	defer func() { _, died = recover().(death) }()
	run()
	return false
}

// finish does an operation that was cut off again with its key: it has one effect, and
// one answer from then on.
func finish[T idempotency.Tx, Out any](t *testing.T, k *keyed, before int, key, after string, op ferry.Operation[T, Out], w work[T, Out]) {
	t.Helper()
	k.clock.Add(idempotency.Busy) // so long a retry waits for the run that is gone
	first, err := engine.Do(t.Context(), k.Engine, key, op)
	require.NoError(t, err, after)
	require.Equal(t, before+1, w.effects(k), after)
	second, err := engine.Do(t.Context(), k.Engine, key, op)
	require.NoError(t, err, after)
	require.Equal(t, w.name(first), w.name(second), after)
	require.Equal(t, before+1, w.effects(k), after)
}

func TestAFaultOfTheStoreAtAnyPlaceIsMendedByTheRetry(t *testing.T) {
	k := newKeyed(t, memstore.New())
	t.Run("transfer", func(t *testing.T) { faulty(t, k, transfers) })
	t.Run("identity", func(t *testing.T) { faulty(t, k, initiations) })
	t.Run("checkout", func(t *testing.T) { faulty(t, k, sessions) })
	t.Run("account", func(t *testing.T) { faulty(t, k, collections) })
}

// faulty lets each operation of the store fail once, and each reply to a commit be lost.
func faulty[T idempotency.Tx, Out any](t *testing.T, k *keyed, w work[T, Out]) {
	n := 0
	// A retry of a run whose claim stands waits longer than this.
	patience := 20 * time.Millisecond
	once := func(arm func(nth int), nth int, fired func() bool) (did bool, err error) {
		n++
		before, key, op := w.effects(k), fmt.Sprint("key-", n), w.op(k, n)
		arm(nth)
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		_, err = engine.Do(ctx, k.Engine, key, op)
		did = fired()
		k.failing.Arm(0)
		k.lose.Store(0)
		finish(t, k, before, key, fmt.Sprint("fault ", nth), op, w)
		return did, err
	}
	try := func(arm func(nth int), nth int, fired func() bool) bool {
		for {
			did, err := once(arm, nth, fired)
			if did || err == nil {
				return did
			}
			patience *= 2 // a busy machine did not come so far
		}
	}
	operations, commits := 1, 1
	for ; try(k.failing.Arm, operations, k.failing.Fired); operations++ {
	}
	for ; try(func(nth int) { k.lose.Store(int64(nth)) }, commits, func() bool { return k.lose.Load() <= 0 }); commits++ {
	}
	require.Greater(t, operations, 10)
	require.GreaterOrEqual(t, commits, 2)
}

func TestARefusalIsRememberedByItsKeyAsTheErrorThatItWas(t *testing.T) {
	k := newKeyed(t, memstore.New())
	op := k.Customers.InitiateOp(k.scope, customers.InitiateParams{Type: kyc.CAC, Number: "RC1234561"})
	_, first := engine.Do(t.Context(), k.Engine, "company", op)
	_, again := engine.Do(t.Context(), k.Engine, "company", op)
	require.ErrorIs(t, first, customers.ErrNotVerified)
	require.ErrorIs(t, again, customers.ErrNotVerified)
	require.Equal(t, first.Error(), again.Error())
}

func TestARefusalThatChangedNothingIsNotRemembered(t *testing.T) {
	k := newKeyed(t, memstore.New())
	p := outgoing.TransferParams{From: string(k.from.PrimaryAddress), To: string(stranger(t, 7)), Amount: money.USDC(6_000_000_000)}
	_, err := engine.Do(t.Context(), k.Engine, "much", k.Outgoing.TransferOp(k.scope, p))
	require.Error(t, err)
	p.Amount = money.USDC(1_000_000)
	sent, err := engine.Do(t.Context(), k.Engine, "much", k.Outgoing.TransferOp(k.scope, p))
	require.NoError(t, err)
	require.Equal(t, p.Amount, sent.Amount)
}

func TestWithoutAKeyEachCallIsWorkOfItsOwn(t *testing.T) {
	k := newKeyed(t, memstore.New())
	op := transfers.op(k, 1)
	first, err := engine.Do(t.Context(), k.Engine, "", op)
	require.NoError(t, err)
	second, err := engine.Do(t.Context(), k.Engine, "", op)
	require.NoError(t, err)
	require.NotEqual(t, first.ID, second.ID)
}

func TestWhatIsNoKeyIsRefused(t *testing.T) {
	k := newKeyed(t, memstore.New())
	_, err := engine.Do(t.Context(), k.Engine, "two\nlines", transfers.op(k, 1))
	require.ErrorIs(t, err, ferry.ErrValidation)
	nobodys := k.Outgoing.TransferOp(ferry.Scope{}, outgoing.TransferParams{})
	for _, key := range []string{"", "key"} {
		_, err := engine.Do(t.Context(), k.Engine, key, nobodys)
		require.ErrorIs(t, err, ferry.ErrZeroScope)
	}
}

func TestTheParamsOfAnOperationDoNotPrint(t *testing.T) {
	k := newKeyed(t, memstore.New())
	op := k.Customers.ValidateOp(k.scope, customers.ValidateParams{Type: kyc.BVN, Number: "22212345670", OTP: "123456"})
	require.Equal(t, "customers.Validate", fmt.Sprintf("%v", op))
	require.Equal(t, "customers.Validate", fmt.Sprintf("%#v", op))
}
