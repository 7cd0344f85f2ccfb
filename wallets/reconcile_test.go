package wallets_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/custody"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// matchStep is longer than a hold waits between two looks.
const matchStep = 20 * time.Second

func (b *bench) reconcile() custody.Reconciliation {
	b.t.Helper()
	r, err := b.Reconcile(b.t.Context(), ferry.Test)
	require.NoError(b.t, err)
	return r
}

// damage writes another figure into a custody, as a fault of ours would.
func (b *bench) damage(c wallets.Custody, onChain money.Amount) {
	b.t.Helper()
	c.OnChain = onChain
	require.NoError(b.t, b.units.In(ferry.Test).Write(b.t.Context(), func(ctx context.Context, tx store.Tx) error {
		return wallets.CustodyKind.Update(ctx, tx, c)
	}))
}

func TestReconcileOfWhatAgreesFindsNothing(t *testing.T) {
	b := setup(t)
	w := b.funded("one", "10")
	b.funded("two", "5")
	b.send(w, b.stranger(), "4")
	b.settle()
	r := b.reconcile()
	require.Empty(t, r.Drifts)
	require.Empty(t, r.InFlight)
	require.Equal(t, 2, r.Addresses)
	require.Equal(t, usdc("11"), r.OnChain)
	require.Equal(t, usdc("11"), r.Custody)
	require.NotZero(t, r.Slot)
}

func TestADepositThatWasNotReadIsInFlight(t *testing.T) {
	b := setup(t)
	w := b.funded("one", "10")
	_, err := b.world.Deposit(t.Context(), sandbox.DepositParams{To: w.PrimaryAddress, Amount: usdc("3")})
	require.NoError(t, err)
	b.finalize()
	r := b.reconcile()
	require.Empty(t, r.Drifts)
	require.Len(t, r.InFlight, 1)
	require.Equal(t, string(w.Primary), r.InFlight[0].Subject)
	require.Contains(t, r.InFlight[0].Text, "holds 13 USDC")
	require.Contains(t, r.InFlight[0].Text, "10 USDC is booked")
}

func TestAPaymentIsInFlightWhicheverOfItsTwoTracesIsReadFirst(t *testing.T) {
	for name, first := range map[string]func(*bench){
		"nothing":         func(*bench) {},
		"the history":     func(b *bench) { b.sweep() },
		"the transaction": func(b *bench) { b.runDue() },
		"both":            func(b *bench) { b.sweep(); b.runDue() },
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			w := b.funded("one", "10")
			b.send(w, b.stranger(), "4")
			b.finalize()
			first(b)
			require.Empty(t, b.reconcile().Drifts)
			b.settle()
			require.Empty(t, b.reconcile().InFlight)
		})
	}
}

func TestAnAddressThatHoldsSomethingElseDriftsAndItsWalletStopsTheSecondTime(t *testing.T) {
	b := setup(t)
	w := b.funded("one", "10")
	other := b.funded("two", "10")
	b.damage(b.custodies()[0], usdc("12"))
	r := b.reconcile()
	require.Len(t, r.Drifts, 1)
	finding := r.Drifts[0].Finding()
	require.Equal(t, "drift", finding.Check)
	require.Equal(t, string(w.Primary), finding.Subject)
	require.Contains(t, finding.Text, "holds 10 USDC")
	require.Contains(t, finding.Text, "say 12 USDC")

	freeze := func(drifts []custody.Drift) int {
		n, err := b.Freeze(t.Context(), ferry.Test, drifts)
		require.NoError(t, err)
		return n
	}
	require.Zero(t, freeze(r.Drifts), "once may be a node that is behind")
	require.Zero(t, freeze(nil), "the next pass did not see it")
	require.Zero(t, freeze(b.reconcile().Drifts))
	require.Equal(t, wallets.Active, b.get(w).Status)
	require.Equal(t, 1, freeze(b.reconcile().Drifts))
	require.Equal(t, wallets.Suspended, b.get(w).Status)
	require.Zero(t, freeze(b.reconcile().Drifts), "it is suspended already")
	require.Equal(t, wallets.Active, b.get(other).Status)
}

func TestADriftOfAnotherAmountIsNotConfirmed(t *testing.T) {
	b := setup(t)
	w := b.funded("one", "10")
	for _, wrong := range []string{"12", "13"} {
		b.damage(b.custodies()[0], usdc(wrong))
		n, err := b.Freeze(t.Context(), ferry.Test, b.reconcile().Drifts)
		require.NoError(t, err)
		require.Zero(t, n)
	}
	require.Equal(t, wallets.Active, b.get(w).Status)
}

func TestAChainThatDoesNotAnswerIsNotReconciled(t *testing.T) {
	b := setup(t)
	b.funded("one", "10")
	b.inject(sandbox.Unavailable, 1)
	_, err := b.Reconcile(t.Context(), ferry.Test)
	require.ErrorIs(t, err, wallets.ErrUnavailable)
	_, err = b.Reconcile(t.Context(), ferry.Live)
	require.ErrorIs(t, err, wallets.ErrUnavailable)
}

func TestMoneyThatLeavesWithoutATransferHoldsTheEnvironmentUntilItIsAdopted(t *testing.T) {
	b := setup(t)
	w := b.funded("one", "10")
	other := b.funded("two", "10")
	thief := b.stranger()
	first := true
	b.chain.history = func(ctx context.Context, a chain.Address, after chain.Cursor, limit int) ([]chain.Movement, error) {
		if a != w.PrimaryAddress || !first {
			return nil, nil
		}
		first = false
		return []chain.Movement{{
			Signature: "stolen", Mint: sandbox.USDCMint, Supported: true, Delta: usdc("4").Neg(), Counterparty: thief,
			Memo: "bye", At: b.clock.Now(), Cursor: "stolen",
		}}, nil
	}
	_, err := b.ScanAddress(t.Context(), ferry.Test, w.PrimaryAddress)
	require.NoError(t, err)
	h, err := b.OutflowHold(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.True(t, h.Held)
	require.Equal(t, custody.HoldUnknown, h.Reason)
	sent := b.send(other, b.stranger(), "1")
	require.Zero(t, sent.Attempts, "nothing leaves from anywhere")

	open, err := b.Outflows(t.Context(), ferry.Test, "", 10)
	require.NoError(t, err)
	require.Len(t, open, 1)
	require.Equal(t, []any{w.PrimaryAddress, thief, usdc("4"), "bye", wallets.TransferID("")},
		[]any{open[0].From, open[0].To, open[0].Amount, open[0].Memo, open[0].Transfer})
	_, err = b.Adopt(t.Context(), ferry.Test, "stolen")
	require.ErrorIs(t, err, outgoing.ErrHeld)
	_, err = b.Adopt(t.Context(), ferry.Test, "other")
	require.ErrorIs(t, err, custody.ErrOutflowNotFound)

	b.match()
	_, err = b.Adopt(t.Context(), ferry.Test, "stolen")
	require.NoError(t, err)
	require.Equal(t, wallets.Active, b.get(w).Status)
	b.runHolds()
	h, err = b.OutflowHold(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.False(t, h.Held)
	b.runDue()
	require.Equal(t, 1, b.transfer(sent).Attempts, "what waited is due at once")
	require.Empty(t, b.findings())
}

func (b *bench) runHolds() {
	b.t.Helper()
	_, err := b.RunHolds(b.t.Context(), 10)
	require.NoError(b.t, err)
}

// match lets time pass until a hold was matched.
func (b *bench) match() {
	b.t.Helper()
	for range 60 {
		b.runHolds()
		b.clock.pass(matchStep)
		if h, err := b.OutflowHold(b.t.Context(), ferry.Test); err == nil && !h.Matched.IsZero() {
			return
		}
	}
	require.Fail(b.t, "the hold was not matched")
}

func TestADepositWithTheMemoOfAPaymentOfOursIsADeposit(t *testing.T) {
	b := setup(t)
	w := b.funded("one", "10")
	sent := b.send(w, b.stranger(), "4")
	b.settle()
	memo := b.attempts(sent)[0].Memo
	for name, m := range map[string]chain.Movement{
		"whoever copied it":                       {Memo: memo},
		"another engine with the same fee payer":  {Memo: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", Own: true},
		"another engine that writes other memos":  {Memo: "x", Own: true},
		"somebody whose memo is one word of ours": {Memo: memo[1:]},
	} {
		m.Signature, m.Mint, m.Supported, m.Delta = chain.Signature(name), sandbox.USDCMint, true, usdc("1")
		m.Cursor = chain.Cursor(name)
		told := false
		b.chain.history = func(context.Context, chain.Address, chain.Cursor, int) ([]chain.Movement, error) {
			if told {
				return nil, nil
			}
			told = true
			return []chain.Movement{m}, nil
		}
		before := b.balance(w)
		_, err := b.ScanAddress(t.Context(), ferry.Test, w.PrimaryAddress)
		require.NoError(t, err)
		require.Equal(t, before.Minor()+1_000_000, b.balance(w).Minor(), name)
	}
	h, err := b.OutflowHold(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.False(t, h.Held)
}
