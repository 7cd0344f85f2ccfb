package payments_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/store"
)

const address = "addr_1"

// arrive adds a receipt of 100 USDC to a payment, of which some are held.
func (s *stage) arrive(p payments.Payment, held money.Amount) (payments.Payment, payments.Receipt) {
	var r payments.Receipt
	p = in(s, func(ctx context.Context, tx store.Tx) (payments.Payment, error) {
		received, made, err := payments.ReceiveIn(ctx, tx, p, payments.Receipt{
			Method: payments.USDC, Source: "signature", Address: address, Amount: money.USDC(100), Held: held, State: payments.Held,
		})
		if err != nil {
			return p, err
		}
		r = made
		return payments.SaveIn(ctx, tx, received)
	})
	return p, r
}

// again reads a receipt again.
func (s *stage) again(r payments.Receipt) payments.Receipt {
	return in(s, func(ctx context.Context, tx store.Tx) (payments.Receipt, error) {
		return payments.ReceiptKind.Get(ctx, tx, shop, r.ID)
	})
}

func TestWhatArrivesIsToldWithItsPaymentOldestFirst(t *testing.T) {
	s := setup(t)
	p, first := s.arrive(s.create("order-1"), money.Amount{})
	s.now = s.now.Add(time.Minute)
	p, second := s.arrive(p, money.USDC(40))
	require.Equal(t, p, s.get(p))
	found, err := s.Receipts(t.Context(), p)
	require.NoError(t, err)
	require.Equal(t, []payments.Receipt{first, second}, found)
	require.Regexp(t, "^rcpt_[0-9a-f]{32}$", first.ID)
	require.Equal(t, p.ID, first.Payment)
	require.Equal(t, shop, first.Scope)
	require.Equal(t, [2]money.Amount{money.USDC(0), money.USDC(0)}, [2]money.Amount{first.Held, first.Decided})
	require.Equal(t, [2]money.Amount{money.USDC(40), money.USDC(0)}, [2]money.Amount{second.Held, second.Decided})
	require.Equal(t, s.now, second.CreatedAt)
	require.Equal(t, s.now, second.UpdatedAt)
}

func TestMoneyThatIsHeldMovesOnByOneDecision(t *testing.T) {
	for cause, want := range map[payments.ReceiptCause]struct {
		state   payments.ReceiptState
		decided money.Amount
	}{
		payments.Settle: {payments.Settled, money.USDC(0)},
		payments.Accept: {payments.Accepted, money.USDC(40)},
		payments.Refund: {payments.Refunded, money.USDC(40)},
	} {
		s := setup(t)
		_, r := s.arrive(s.create("order-1"), money.USDC(40))
		s.now = s.now.Add(time.Minute)
		s.do(func(ctx context.Context, tx store.Tx) error { return payments.MoveReceiptIn(ctx, tx, r, cause) })
		r = s.again(r)
		require.Equal(t, want.state, r.State)
		require.Equal(t, want.decided, r.Decided, cause)
		require.Equal(t, money.USDC(0), r.Held)
		require.Equal(t, s.now, r.UpdatedAt)
		err := s.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
			return payments.MoveReceiptIn(ctx, tx, r, payments.Settle)
		})
		require.ErrorIs(t, err, ferry.ErrInvalidTransition)
	}
}

func TestWhatARefundDidNotTakeIsHeldAgain(t *testing.T) {
	for held, reserved := range map[int64]func(payments.Receipt) ledger.ReservationID{
		100: payments.Receipt.Reservation, 60: payments.Receipt.Excess,
	} {
		s := setup(t)
		s.do(func(ctx context.Context, tx store.Tx) error {
			account := ledger.Account{ID: ledger.AddressAccount(address), Scope: shop, Asset: money.AssetUSDC}
			if err := tx.Ledger().OpenAccount(ctx, account); err != nil {
				return err
			}
			return ledger.Post(ctx, tx.Ledger(), ledger.Move("in", shop.Env, "test", "",
				ledger.SystemAccount(shop.Env, ledger.Chain, money.AssetUSDC), account.ID, money.USDC(100), tx.Now()))
		})
		_, r := s.arrive(s.create("order-1"), money.USDC(held))
		again := func(r payments.Receipt) error {
			return s.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
				return payments.HoldAgainIn(ctx, tx, r, money.USDC(held))
			})
		}
		require.ErrorIs(t, again(r), ferry.ErrInvalidTransition, "nothing was to go back")
		s.do(func(ctx context.Context, tx store.Tx) error {
			return payments.MoveReceiptIn(ctx, tx, r, payments.Refund)
		})
		r = s.again(r)
		r.Outcome = "trf_1"
		s.now = s.now.Add(time.Minute)
		require.NoError(t, again(r))
		r = s.again(r)
		require.Equal(t, payments.Held, r.State)
		require.Equal(t, [2]money.Amount{money.USDC(held), money.USDC(0)}, [2]money.Amount{r.Held, r.Decided})
		require.Equal(t, s.now, r.UpdatedAt)
		require.Equal(t, reserved(r)+":trf_1", r.HeldBy(), "not that which the refund ended")
		hold := in(s, func(ctx context.Context, tx store.Tx) (ledger.Reservation, error) {
			return tx.Ledger().Reservation(ctx, r.HeldBy())
		})
		require.Equal(t, money.USDC(held), hold.Amount)
		require.Equal(t, ledger.Open, hold.State)
	}
}

func TestTheFirstHoldOfAReceiptHasTheNameOfWhatItHolds(t *testing.T) {
	r := payments.Receipt{ID: "rcpt_1", Amount: money.USDC(100), Held: money.USDC(100)}
	require.Equal(t, r.Reservation(), r.HeldBy(), "all of it")
	r.Held = money.USDC(99)
	require.Equal(t, r.Excess(), r.HeldBy(), "what was too much")
}

func TestAReceiptPaidWhatNeitherWaitsNorWasDecided(t *testing.T) {
	for parts, paid := range map[[2]int64]bool{{0, 0}: true, {99, 0}: true, {0, 99}: true, {40, 59}: true, {100, 0}: false, {0, 100}: false, {40, 60}: false} {
		r := payments.Receipt{Amount: money.USDC(100), Held: money.USDC(parts[0]), Decided: money.USDC(parts[1])}
		require.Equal(t, paid, r.Paid(), parts)
	}
}

func TestThePartsOfAReceiptAddUpToIt(t *testing.T) {
	for state, want := range map[payments.ReceiptState]payments.Parts{
		payments.Held:     {Kept: money.NGN(70), Held: money.NGN(30), Refunded: money.NGN(0), Returned: money.NGN(0)},
		payments.Settled:  {Kept: money.NGN(80), Held: money.NGN(0), Refunded: money.NGN(0), Returned: money.NGN(20)},
		payments.Accepted: {Kept: money.NGN(100), Held: money.NGN(0), Refunded: money.NGN(0), Returned: money.NGN(0)},
		payments.Refunded: {Kept: money.NGN(80), Held: money.NGN(0), Refunded: money.NGN(20), Returned: money.NGN(0)},
		payments.Returned: {Kept: money.NGN(80), Held: money.NGN(0), Refunded: money.NGN(0), Returned: money.NGN(20)},
	} {
		r := payments.Receipt{Amount: money.NGN(100), Held: money.NGN(30), Decided: money.NGN(20), State: state}
		parts, err := r.Parts()
		require.NoError(t, err)
		require.Equal(t, want, parts, state)
	}
}
