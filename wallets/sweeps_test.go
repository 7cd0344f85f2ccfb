package wallets_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/deposits"
)

// addresses are those of the bench in the order of their ids, which is that of sweeps. There are n,
// and the sweeps have come to know them.
func (b *bench) addresses(n int) []chain.Address {
	b.t.Helper()
	w := b.wallet("w")
	for range n - 1 {
		b.address(w)
	}
	b.sweep()
	b.sweep()
	all := look(b, func(ctx context.Context, tx store.Tx) ([]wallets.Custody, error) {
		return wallets.CustodyKind.After(ctx, tx, wallets.CustodiesIn(ferry.Test), "", n)
	})
	addresses := make([]chain.Address, n)
	for i, c := range all {
		addresses[i] = c.Address
	}
	return addresses
}

// deaf is a chain on whose reports of activity nothing stands.
func (b *bench) deaf() {
	b.chain.activity = func(_ context.Context, since chain.Cursor) (chain.Activity, error) {
		return chain.Activity{Cursor: since}, nil
	}
}

// behind has the nodes that tell change tokens and histories stand still for a while.
func (b *bench) behind(of chain.Address, d time.Duration) {
	b.t.Helper()
	tokens, err := b.chain.Chain.ChangeTokens(b.t.Context(), []chain.Address{of})
	require.NoError(b.t, err)
	until := b.clock.Now().Add(d)
	b.chain.changes = func(ctx context.Context, all []chain.Address) ([]chain.ChangeToken, error) {
		if b.clock.Now().Before(until) {
			return tokens, nil
		}
		return b.chain.Chain.ChangeTokens(ctx, all)
	}
	b.chain.history = func(ctx context.Context, a chain.Address, after chain.Cursor, limit int) ([]chain.Movement, error) {
		if b.clock.Now().Before(until) {
			return nil, nil
		}
		return b.chain.Chain.History(ctx, a, after, limit)
	}
}

func TestAWalkThatFindsNothingNewHasNothingAskedAfterIt(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	for range 149 {
		b.address(w)
	}
	b.settled()
	b.clock.pass(time.Hour)
	b.sweep()
	require.Equal(t, 3, b.calls(), "150 addresses are two calls")
	b.sweep()
	require.Equal(t, 1, b.calls())
}

func TestAReportOfANodeThatIsAheadHidesNoMoneyBehindAnEarlierDeposit(t *testing.T) {
	// The second deposit is reported just before the token of the first one is believed.
	b := setup(t)
	w := b.wallet("w")
	b.settled()
	b.arrives(w.PrimaryAddress, "1")
	b.sweep()
	b.sweep()
	b.clock.pass(15 * time.Second)
	b.sweep()
	require.Equal(t, usdc("1"), b.balance(w))
	b.clock.pass(100 * time.Second)
	b.behind(w.PrimaryAddress, 80*time.Second)
	b.arrives(w.PrimaryAddress, "2")
	for range 50 {
		b.sweep()
		b.clock.pass(2 * time.Second)
	}
	require.Equal(t, usdc("3"), b.balance(w))
}

func TestHistoriesThatLagBehindAWalkHideNoMoney(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	b.settled()
	b.deaf()
	b.arrives(w.PrimaryAddress, "1")
	b.clock.pass(time.Hour)
	later := b.clock.Now().Add(80 * time.Second)
	b.chain.history = func(ctx context.Context, a chain.Address, after chain.Cursor, limit int) ([]chain.Movement, error) {
		if b.clock.Now().Before(later) {
			return nil, nil
		}
		return b.chain.Chain.History(ctx, a, after, limit)
	}
	for range 100 {
		b.sweep()
		b.clock.pass(2 * time.Second)
	}
	require.Equal(t, usdc("1"), b.balance(w), "long before the next walk")
}

func TestAllAddressesThatAreReportedAtOnceAreRead(t *testing.T) {
	const many = 10*chain.MaxAddresses + 1 // one more than are read from the store at once
	b := setupOn(t, memstore.New())
	all := b.addresses(many)
	b.chain.changes = func(_ context.Context, some []chain.Address) ([]chain.ChangeToken, error) {
		tokens := make([]chain.ChangeToken, len(some))
		for i := range tokens {
			tokens[i] = "moved"
		}
		return tokens, nil
	}
	b.chain.activity = func(_ context.Context, since chain.Cursor) (chain.Activity, error) {
		return chain.Activity{Addresses: all, Cursor: since}, nil
	}
	done, err := b.Sweep(t.Context(), 2*many)
	require.NoError(t, err)
	require.Equal(t, many, done, "each of them once")
}

func TestSweepsThatTheirLimitEndsComeRoundToTheFirstAddress(t *testing.T) {
	forBoth(t, func(t *testing.T, how func(*config)) {
		b := setup(t, how)
		all := b.addresses(250)
		b.settled()
		for _, a := range all {
			_, err := b.world.Deposit(t.Context(), sandbox.DepositParams{To: a, Amount: usdc("1")})
			require.NoError(t, err)
		}
		b.finalize()
		for _, want := range []int{100, 100, 50} {
			done, err := b.Sweep(t.Context(), 100)
			require.NoError(t, err)
			require.Equal(t, want, done)
		}
		b.arrives(all[0], "1")
		_, err := b.Sweep(t.Context(), 100)
		require.NoError(t, err)
		require.Equal(t, usdc("2"), b.addressOf(all[0], home).Balance)
	})
}

func TestASweepOfAnyLimitDoesAPage(t *testing.T) {
	forBoth(t, func(t *testing.T, how func(*config)) {
		b := setup(t, how)
		w := b.wallet("w")
		for range 149 {
			b.address(w)
		}
		for _, want := range []int{100, 50} {
			done, err := b.Sweep(t.Context(), 0)
			require.NoError(t, err)
			require.Equal(t, want, done)
		}
	})
}

func TestHistoriesThatCannotBeReadCountForTheLimitOfASweep(t *testing.T) {
	forBoth(t, func(t *testing.T, how func(*config)) {
		b := setup(t, how)
		w := b.wallet("w")
		for range 249 {
			b.address(w)
		}
		b.chain.history = func(context.Context, chain.Address, chain.Cursor, int) ([]chain.Movement, error) {
			return nil, chain.ErrUnavailable
		}
		_, err := b.Sweep(t.Context(), 100)
		require.ErrorIs(t, err, wallets.ErrUnavailable)
		require.Equal(t, 100, b.chain.histories)
	})
}

func TestAWalkThatTheStoreCutsOffGoesOnInTheNextSweep(t *testing.T) {
	for n := 1; ; n++ {
		faulty := storefault.FailNth(memstore.New(), 0, errFault)
		b := setupOn(t, faulty)
		w := b.wallet("w")
		b.settled()
		b.deaf()
		b.arrives(w.PrimaryAddress, "1")
		b.clock.pass(time.Hour)
		faulty.Arm(n)
		_, err := b.Sweep(t.Context(), 100)
		fired := faulty.Fired()
		faulty.Arm(0)
		if fired {
			require.ErrorIs(t, err, errFault)
			b.sweep()
		}
		require.Equal(t, usdc("1"), b.balance(w), "after operation %d failed", n)
		if !fired {
			require.Greater(t, n, 5, "a walk takes some operations")
			return
		}
	}
}

func TestAWalkThatTheChainCutsOffGoesOnInTheNextSweep(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	b.settled()
	b.deaf()
	b.arrives(w.PrimaryAddress, "1")
	b.clock.pass(time.Hour)
	b.chain.changes = func(context.Context, []chain.Address) ([]chain.ChangeToken, error) { return nil, chain.ErrUnavailable }
	_, err := b.Sweep(t.Context(), 100)
	require.ErrorIs(t, err, wallets.ErrUnavailable)
	b.chain.changes = nil
	b.sweep()
	require.Equal(t, usdc("1"), b.balance(w))
}

// meanwhile has another process sweep while the next history is read.
func (b *bench) meanwhile(do func()) {
	other := b.another()
	b.chain.history = func(ctx context.Context, a chain.Address, after chain.Cursor, limit int) ([]chain.Movement, error) {
		b.chain.history = nil
		do()
		_, err := other.Sweep(ctx, 10)
		require.NoError(b.t, err)
		b.chain.changes = nil
		return b.chain.Chain.History(ctx, a, after, limit)
	}
}

func TestTwoWhoReadForOneTokenAgainAtOnceCountThatOnce(t *testing.T) {
	forBoth(t, func(t *testing.T, how func(*config)) {
		b := setup(t, how)
		b.wallet("w")
		b.sweep()
		require.Equal(t, 1, b.custodies()[0].PendingReads)
		b.meanwhile(func() {})
		b.sweep()
		require.Equal(t, 2, b.custodies()[0].PendingReads, "else a token would be believed too early")
	})
}

func TestANewerTokenIsNotForgottenForAnOlderOne(t *testing.T) {
	forBoth(t, func(t *testing.T, how func(*config)) {
		b := setup(t, how)
		b.wallet("w")
		b.sweep()
		b.meanwhile(func() {
			b.chain.changes = func(context.Context, []chain.Address) ([]chain.ChangeToken, error) {
				return []chain.ChangeToken{"newer"}, nil
			}
		})
		b.sweep()
		require.Equal(t, chain.ChangeToken("newer"), b.custodies()[0].PendingToken)
	})
}

func TestAMovementOfAnotherTokenIsReadOnce(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	_, err := b.world.Deposit(t.Context(), sandbox.DepositParams{To: w.PrimaryAddress, Amount: usdc("5"), Mint: string(b.stranger())})
	require.NoError(t, err)
	b.finalize()
	for _, want := range []int{1, 0} {
		done, err := b.ScanAddress(t.Context(), ferry.Test, w.PrimaryAddress)
		require.NoError(t, err)
		require.Equal(t, want, done)
	}
}

func TestOnlyAnArrivalOfAnotherTokenIsUnsupported(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	_, err := b.world.Deposit(t.Context(), sandbox.DepositParams{To: w.PrimaryAddress, Amount: usdc("5"), Mint: string(b.stranger())})
	require.NoError(t, err)
	b.finalize()
	b.sweep()
	b.rob(w)
	for name, signature := range map[string]chain.Signature{"a payment that was not seen yet": "unseen", "USDC that left": "thief"} {
		found, err := b.ArrivalOf(t.Context(), ferry.Test, w.PrimaryAddress, signature)
		require.NoError(t, err)
		require.Equal(t, deposits.ArrivalUnknown, found, name)
	}
}

func TestOnlyUSDCThatArrivedWaitsForARate(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	missing := errors.New("no rate for now")
	s := deposits.New(b.walletUnits(), deposits.Config{
		Wallets: b.walletService, Chains: b.config.chains, Sealer: b.config.Sealer,
		Priced: func(context.Context, wallets.Tx, ferry.Env, wallets.AddressID, time.Time) (wallets.RateSource, error) {
			return func(context.Context, ferry.Env) (money.Rate, error) { return money.Rate{}, missing }, nil
		},
	}, deposits.Hooks[wallets.Tx]{})
	moves := []chain.Movement{
		{Signature: "nothing", Supported: true, Mint: sandbox.USDCMint, Delta: usdc("0"), Cursor: "91"},
		{Signature: "another token", Mint: string(b.stranger()), Delta: usdc("5"), Cursor: "92"},
		{Signature: "out", Supported: true, Mint: sandbox.USDCMint, Delta: usdc("4").Neg(), Cursor: "93"},
		{Signature: "in", Supported: true, Mint: sandbox.USDCMint, Delta: usdc("1"), Cursor: "94"},
	}
	b.chain.history = func(_ context.Context, _ chain.Address, after chain.Cursor, _ int) ([]chain.Movement, error) {
		for i, m := range moves {
			if m.Cursor == after {
				return moves[i+1:], nil
			}
		}
		return moves, nil
	}
	done, err := s.ScanAddress(t.Context(), ferry.Test, w.PrimaryAddress)
	require.ErrorIs(t, err, missing)
	require.Equal(t, 3, done)
	require.Equal(t, usdc("6"), b.custodies()[0].OnChain)
	require.Equal(t, usdc("10"), b.balance(w))
	_, err = b.ScanAddress(t.Context(), ferry.Test, w.PrimaryAddress) // where nobody asks for a rate
	require.NoError(t, err)
	require.Equal(t, usdc("11"), b.balance(w))
}

func TestWhatIsReportedWhileAWalkIsUnderWayDoesNotWaitForIt(t *testing.T) {
	b := setup(t)
	all := b.addresses(150)
	b.settled()
	b.deaf()
	b.arrives(all[0], "1")
	b.clock.pass(time.Hour)
	done, err := b.Sweep(t.Context(), 1) // ends after the first page of a walk
	require.NoError(t, err)
	require.Equal(t, 1, done)
	b.chain.activity = nil
	b.arrives(all[0], "2")
	_, err = b.Sweep(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, usdc("3"), b.addressOf(all[0], home).Balance)
}

func TestATokenThatIsEmptyCallsForAHistoryAsAnyOther(t *testing.T) {
	forBoth(t, func(t *testing.T, how func(*config)) {
		b := setup(t, how)
		w := b.wallet("w")
		b.settled()
		b.arrives(w.PrimaryAddress, "1")
		b.chain.changes = func(_ context.Context, some []chain.Address) ([]chain.ChangeToken, error) {
			return make([]chain.ChangeToken, len(some)), nil
		}
		b.sweep()
		require.Equal(t, usdc("1"), b.balance(w))
	})
}

// foretelling is a watched chain that reports what is on its way, as the sandbox's does.
type foretelling struct{ *watched }

// tellsAll is one that reports activity, too.
type tellsAll struct{ reporting }

func (a tellsAll) PendingDeposits(ctx context.Context, addresses []chain.Address) ([]chain.PendingDeposits, error) {
	return foretelling{a.watched}.PendingDeposits(ctx, addresses)
}

func TestWhatIsOnItsWayIsToldOnceASweepAlsoWhileActivityIsNotReported(t *testing.T) {
	b := setupOn(t, memstore.New())
	to := b.addressOf(b.addresses(1)[0], home)
	require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return wallets.ChangeCustodyIn(ctx, tx, ferry.Test, to.ID, func(c *wallets.Custody) error {
			c.AwaitedUntil = tx.Now().Add(24 * time.Hour)
			return nil
		})
	}))
	told := 0
	s := deposits.New(b.walletUnits(), deposits.Config{
		Wallets: b.walletService, Chains: wallets.Chains{ferry.Test: tellsAll{reporting{b.chain}}}, Sealer: b.config.Sealer,
	}, deposits.Hooks[wallets.Tx]{Pending: []func(context.Context, wallets.Tx, wallets.AddressID, chain.PendingDeposits) error{
		func(context.Context, wallets.Tx, wallets.AddressID, chain.PendingDeposits) error { told++; return nil },
	}})
	for range 5 {
		_, err := s.Sweep(t.Context(), 100)
		require.NoError(t, err)
		b.clock.pass(3 * time.Minute)
	}
	b.clock.pass(time.Hour) // the next sweep walks
	_, err := b.world.Deposit(t.Context(), sandbox.DepositParams{To: to.Address.Address, Amount: usdc("2")})
	require.NoError(t, err)
	b.clock.pass(2 * sandbox.SlotTime)
	_, err = s.Sweep(t.Context(), 100)
	require.NoError(t, err)
	require.Equal(t, 1, told)
	b.chain.activity = func(context.Context, chain.Cursor) (chain.Activity, error) {
		return chain.Activity{}, chain.ErrUnavailable
	}
	s.Forget()
	_, err = s.Sweep(t.Context(), 100)
	require.ErrorIs(t, err, wallets.ErrUnavailable)
	require.GreaterOrEqual(t, told, 2)
}

func (f foretelling) PendingDeposits(ctx context.Context, addresses []chain.Address) ([]chain.PendingDeposits, error) {
	return f.Chain.(chain.PendingReporter).PendingDeposits(ctx, addresses)
}

func TestWhatIsOnItsWayIsToldOfAddressesThatAreAwaited(t *testing.T) {
	b := setupOn(t, memstore.New())
	all := b.addresses(3)
	paid, idle, unawaited := b.addressOf(all[0], home), b.addressOf(all[1], home), b.addressOf(all[2], home)
	require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		for _, id := range []wallets.AddressID{paid.ID, idle.ID} {
			if err := wallets.ChangeCustodyIn(ctx, tx, ferry.Test, id, func(c *wallets.Custody) error {
				c.AwaitedUntil = tx.Now().Add(time.Minute)
				return nil
			}); err != nil {
				return err
			}
		}
		return nil
	}))
	told := map[wallets.AddressID]money.Amount{}
	var refusal error
	s := deposits.New(b.walletUnits(), deposits.Config{
		Wallets: b.walletService, Chains: wallets.Chains{ferry.Test: foretelling{b.chain}}, Sealer: b.config.Sealer,
	}, deposits.Hooks[wallets.Tx]{Pending: []func(context.Context, wallets.Tx, wallets.AddressID, chain.PendingDeposits) error{
		func(_ context.Context, _ wallets.Tx, to wallets.AddressID, in chain.PendingDeposits) error {
			told[to] = in.Amount
			return refusal
		},
	}})
	for _, to := range []chain.Address{paid.Address.Address, unawaited.Address.Address} {
		_, err := b.world.Deposit(t.Context(), sandbox.DepositParams{To: to, Amount: usdc("2")})
		require.NoError(t, err)
	}
	b.clock.pass(2 * sandbox.SlotTime)
	_, err := s.Sweep(t.Context(), 100)
	require.NoError(t, err)
	require.Equal(t, map[wallets.AddressID]money.Amount{paid.ID: usdc("2")}, told)

	refusal = errors.New("nobody wants to know")
	_, err = s.Sweep(t.Context(), 100)
	require.ErrorIs(t, err, refusal)
	clear(told)
	b.clock.pass(time.Minute)
	_, err = s.Sweep(t.Context(), 100)
	require.NoError(t, err)
	require.Empty(t, told, "it is final, and nobody awaits it any more")
}

func TestNothingIsOnItsWayOnAChainThatCannotTell(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	_, err := b.world.Deposit(t.Context(), sandbox.DepositParams{To: w.PrimaryAddress, Amount: usdc("2")})
	require.NoError(t, err)
	b.clock.pass(2 * sandbox.SlotTime)
	in, err := b.PendingDeposits(t.Context(), ferry.Test, w.PrimaryAddress)
	require.NoError(t, err)
	require.Equal(t, []chain.PendingDeposits{{Amount: usdc("0")}}, in)
}

func TestNoChainIsAskedWhatIsOnItsWayToNoAddress(t *testing.T) {
	b := setup(t)
	s := deposits.New(b.walletUnits(), deposits.Config{
		Wallets: b.walletService, Chains: wallets.Chains{ferry.Test: foretelling{b.chain}}, Sealer: b.config.Sealer,
	}, deposits.Hooks[wallets.Tx]{})
	b.inject(sandbox.Unavailable, 1)
	in, err := s.PendingDeposits(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.Empty(t, in)
	_, err = s.PendingDeposits(t.Context(), ferry.Test, b.stranger())
	require.ErrorIs(t, err, wallets.ErrUnavailable)
}
