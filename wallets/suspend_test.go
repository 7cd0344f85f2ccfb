package wallets_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

func (b *bench) setStatus(w wallets.Wallet, to wallets.Status) error {
	b.t.Helper()
	_, err := b.SetStatus(b.t.Context(), w.Scope, wallets.WalletRef{ID: string(w.ID)}, to)
	return err
}

// steps lets time pass in which an attempt could be made.
func (b *bench) steps() {
	b.t.Helper()
	for range 20 {
		b.outlast()
		b.runDue()
	}
}

func TestAWalletThatIsSuspendedBetweenTwoAttemptsSignsNoNextOne(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	b.chain.send = func(context.Context, []byte) error { return nil } // lost for ever
	sent := b.send(w, b.stranger(), "3")
	require.NoError(t, b.setStatus(w, wallets.Suspended))
	b.steps()
	attempts := b.attempts(sent)
	require.Len(t, attempts, 1)
	require.Equal(t, outgoing.AttemptExpired, attempts[0].State)
	require.Equal(t, wallets.Pending, b.transfer(sent).Status)
	require.Equal(t, usdc("6.995"), b.balance(w), "what it sends stays reserved")
	b.clean()

	b.chain.send = nil
	require.NoError(t, b.setStatus(w, wallets.Active))
	b.runDue()
	require.Len(t, b.attempts(sent), 2, "it goes on at once")
	b.settle()
	require.Equal(t, wallets.Success, b.transfer(sent).Status)
	require.Equal(t, usdc("6.995"), b.balance(w))
	b.clean()
}

func TestAWalletThatIsSuspendedWhileAnAttemptIsSignedSendsNothing(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	b.chain.sign = func() error {
		b.chain.sign = nil
		require.NoError(t, b.setStatus(w, wallets.Suspended))
		return nil
	}
	sent := b.send(w, b.stranger(), "3")
	b.steps()
	require.Empty(t, b.attempts(sent))
	require.Equal(t, usdc("10"), b.holds(w.PrimaryAddress))
	b.clean()
}

func TestASuspendedWalletPaysForNoOther(t *testing.T) {
	b := setup(t)
	a, lender := b.funded("a", "5"), b.funded("lender", "5")
	// What a has is moved within the books, so that it lies on the lender's address.
	b.send(lender, a.PrimaryAddress, "5")
	require.NoError(t, b.setStatus(lender, wallets.Suspended))
	sent := b.send(a, b.stranger(), "9")
	b.steps()
	require.Empty(t, b.attempts(sent))
	require.Equal(t, usdc("5"), b.holds(lender.PrimaryAddress))
	require.Equal(t, wallets.Pending, b.transfer(sent).Status)

	require.NoError(t, b.setStatus(lender, wallets.Active))
	b.settle()
	require.Equal(t, wallets.Success, b.transfer(sent).Status)
	b.clean()
}

func TestASuspendedWalletsFundsAreNotGathered(t *testing.T) {
	b := setup(t)
	a, lender, third := b.funded("a", "2"), b.funded("lender", "5"), b.funded("third", "4")
	b.send(lender, a.PrimaryAddress, "5")
	b.send(third, a.PrimaryAddress, "4")
	require.NoError(t, b.setStatus(lender, wallets.Suspended))
	sent := b.send(a, b.stranger(), "5.5")
	b.settle()
	require.Equal(t, wallets.Success, b.transfer(sent).Status, "the third lends what is missing")
	require.Equal(t, usdc("5"), b.holds(lender.PrimaryAddress))
	b.clean()
}

// rob lets money leave the wallet's address on the chain without a transfer.
func (b *bench) rob(w wallets.Wallet) {
	b.t.Helper()
	stolen := chain.Movement{
		Signature: "thief", Supported: true, Mint: sandbox.USDCMint, Delta: money.USDC(-4_000_000), Cursor: "99999999999999999999",
	}
	b.chain.history = func(_ context.Context, _ chain.Address, after chain.Cursor, _ int) ([]chain.Movement, error) {
		if after == stolen.Cursor {
			return nil, nil
		}
		return []chain.Movement{stolen}, nil
	}
	_, err := b.ScanAddress(b.t.Context(), ferry.Test, w.PrimaryAddress)
	require.NoError(b.t, err)
}

func TestOnlyTheOperatorEndsASuspensionByAlarm(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	b.rob(w)
	require.Equal(t, wallets.ByAlarm, b.get(w).SuspendedBy)
	for _, to := range []wallets.Status{wallets.Active, wallets.Closed} {
		err := b.setStatus(w, to)
		require.ErrorIs(t, err, ferry.ErrInvalidTransition)
		require.ErrorContains(t, err, "Only the operator")
	}
	require.NoError(t, b.setStatus(w, wallets.Suspended), "it is suspended already")
	require.Equal(t, wallets.ByAlarm, b.get(w).SuspendedBy)

	released, err := b.ReleaseWallet(t.Context(), home, wallets.WalletRef{ID: string(w.ID)})
	require.NoError(t, err)
	require.Equal(t, wallets.Active, released.Status)
	require.Equal(t, wallets.ByNobody, b.get(w).SuspendedBy)
	_, err = b.ReleaseWallet(t.Context(), home, wallets.WalletRef{ID: string(w.ID)})
	require.ErrorIs(t, err, wallets.ErrNotAlarmed)
}

func TestAWalletThatItsBusinessSuspendedTooStaysSuspendedAfterItsRelease(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	require.NoError(t, b.setStatus(w, wallets.Suspended))
	require.Equal(t, wallets.ByBusiness, b.get(w).SuspendedBy)
	b.rob(w)
	require.Equal(t, wallets.ByBoth, b.get(w).SuspendedBy)
	require.ErrorIs(t, b.setStatus(w, wallets.Active), ferry.ErrInvalidTransition)

	released, err := b.ReleaseWallet(t.Context(), home, wallets.WalletRef{ID: string(w.ID)})
	require.NoError(t, err)
	require.Equal(t, wallets.Suspended, released.Status)
	require.Equal(t, wallets.ByBusiness, released.SuspendedBy)
	require.NoError(t, b.setStatus(w, wallets.Active))
}

func TestWhatABusinessSuspendedIsNotTheOperatorsToRelease(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	require.NoError(t, b.setStatus(w, wallets.Suspended))
	_, err := b.ReleaseWallet(t.Context(), home, wallets.WalletRef{ID: string(w.ID)})
	require.ErrorIs(t, err, wallets.ErrNotAlarmed)
	require.Equal(t, wallets.Suspended, look(b, func(ctx context.Context, tx store.Tx) (wallets.Wallet, error) {
		return wallets.WalletKind.Get(ctx, tx, home, w.ID)
	}).Status)
}
