package wallets_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/wallets"
)

// arrives pays to an address on the chain and makes that final.
func (b *bench) arrives(to chain.Address, amount string) {
	b.t.Helper()
	_, err := b.world.Deposit(b.t.Context(), sandbox.DepositParams{To: to, Amount: usdc(amount)})
	require.NoError(b.t, err)
	b.finalize()
}

// settled lets the sweeps come to rest, and forgets what they asked.
func (b *bench) settled() {
	b.t.Helper()
	for range 5 {
		b.sweep()
		b.clock.pass(3 * time.Minute)
	}
	b.sweep()
	b.calls()
}

// calls returns how often the sweeps have asked the chain, and forgets it.
func (b *bench) calls() int {
	c := b.chain
	all := c.tokens + c.histories + c.activities
	c.tokens, c.histories, c.activities = 0, 0, 0
	return all
}

func TestASweepOfIdleAddressesTakesOneCallOfAChainThatReportsActivity(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	for range 249 {
		b.address(w)
	}
	b.settled()
	for range 5 {
		b.sweep()
	}
	require.Equal(t, 5, b.calls())
}

func TestASweepAsksAboutTheAddressesAtWhichSomethingHasMoved(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	for range 249 {
		b.address(w)
	}
	b.settled()
	b.arrives(w.PrimaryAddress, "1")
	b.sweep()
	require.Equal(t, usdc("1"), b.balance(w))
	require.Equal(t, 1, b.chain.activities)
	require.Equal(t, 1, b.chain.tokens)
	require.Equal(t, 1, b.chain.histories)
	b.settled()
	b.sweep()
	require.Equal(t, 1, b.calls(), "by then the address is not watched any more")
}

func TestADepositOfWhichNoReportCameIsFoundWithinTheHour(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	b.settled()
	b.chain.activity = func(_ context.Context, since chain.Cursor) (chain.Activity, error) {
		return chain.Activity{Cursor: since}, nil
	}
	b.arrives(w.PrimaryAddress, "1")
	b.sweep()
	require.Equal(t, usdc("0"), b.balance(w))
	b.clock.pass(time.Hour)
	b.sweep()
	require.Equal(t, usdc("1"), b.balance(w))
	b.clean()
}

func TestWhatArrivedWhileNobodySweptIsFoundByTheFirstSweep(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	b.settled()
	b.arrives(w.PrimaryAddress, "1")
	b.restart()
	b.sweep()
	require.Equal(t, usdc("1"), b.balance(w))
}

func TestAfterACursorThatHasExpiredAllAddressesAreAskedAbout(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	b.settled()
	b.arrives(w.PrimaryAddress, "1")
	b.chain.activity = func(ctx context.Context, since chain.Cursor) (chain.Activity, error) {
		if since != "" {
			return chain.Activity{}, chain.ErrCursorExpired
		}
		b.chain.activity = nil
		return reporting{b.chain}.Activity(ctx, "")
	}
	b.sweep()
	require.Equal(t, usdc("1"), b.balance(w))
	b.settled()
	b.sweep()
	require.Equal(t, 1, b.calls())
}

func TestWhileTheChainDoesNotReportAllAddressesAreAskedAbout(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	b.settled()
	b.chain.activity = func(context.Context, chain.Cursor) (chain.Activity, error) {
		return chain.Activity{}, chain.ErrUnavailable
	}
	for range 3 {
		b.arrives(w.PrimaryAddress, "1")
		_, err := b.Sweep(t.Context(), 1000)
		require.ErrorIs(t, err, wallets.ErrUnavailable)
	}
	require.Equal(t, usdc("3"), b.balance(w))
}

func TestAnAddressThatIsReportedIsWatchedUntilItsHistoryWasRead(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	b.settled()
	b.arrives(w.PrimaryAddress, "1")
	b.chain.history = func(context.Context, chain.Address, chain.Cursor, int) ([]chain.Movement, error) {
		return nil, chain.ErrUnavailable
	}
	for range 10 {
		_, err := b.Sweep(t.Context(), 1000)
		require.ErrorIs(t, err, wallets.ErrUnavailable)
		b.clock.pass(4 * time.Minute)
	}
	b.chain.history = nil
	b.sweep()
	require.Equal(t, usdc("1"), b.balance(w))
}

func TestAReportOfANodeThatIsAheadHidesNoMoney(t *testing.T) {
	// Change tokens and histories are those of nodes that lag 80 seconds behind.
	b := setup(t)
	w := b.wallet("w")
	b.settled()
	before, err := b.chain.Chain.ChangeTokens(t.Context(), []chain.Address{w.PrimaryAddress})
	require.NoError(t, err)
	b.arrives(w.PrimaryAddress, "1")
	later := b.clock.Now().Add(80 * time.Second)
	lags := func() bool { return b.clock.Now().Before(later) }
	b.chain.changes = func(ctx context.Context, all []chain.Address) ([]chain.ChangeToken, error) {
		if lags() {
			return before, nil
		}
		return b.chain.Chain.ChangeTokens(ctx, all)
	}
	for range 50 {
		b.sweep()
		b.clock.pass(2 * time.Second)
	}
	require.Equal(t, usdc("1"), b.balance(w))
}

func TestAReportOfAnAddressOfNobodyIsIgnored(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	b.settled()
	b.arrives(b.stranger(), "1")
	b.arrives(w.PrimaryAddress, "1")
	b.sweep()
	require.Equal(t, usdc("1"), b.balance(w))
}

func TestWhatIsForgottenIsFoundByASweepOfAllAddresses(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	b.settled()
	b.chain.activity = func(_ context.Context, since chain.Cursor) (chain.Activity, error) {
		return chain.Activity{Cursor: "now"}, nil
	}
	b.arrives(w.PrimaryAddress, "1")
	b.Forget()
	b.sweep()
	require.Equal(t, usdc("1"), b.balance(w))
}

func TestTwoServersAreBothToldOfActivity(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	second := b.another()
	b.settled()
	_, err := second.Sweep(t.Context(), 1000)
	require.NoError(t, err)
	b.arrives(w.PrimaryAddress, "1")
	_, err = second.Sweep(t.Context(), 1000)
	require.NoError(t, err)
	b.sweep()
	require.Equal(t, usdc("1"), b.balance(w))
	b.arrives(w.PrimaryAddress, "1")
	b.sweep()
	_, err = second.Sweep(t.Context(), 1000)
	require.NoError(t, err)
	require.Equal(t, usdc("2"), b.balance(w))
	require.Len(t, b.events(home, wallets.EventReceived), 2)
	b.clean()
}
