package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

func testReservations(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a reservation sets its amount aside, on the control account too", func(t *testing.T) {
		b := books(t, open)
		write(t, b, reserve("r", left, money.USDC(70)))
		holds(t, b, left, 100, 70)
		holds(t, b, wallet, 150, 70)
		require.Equal(t, ledger.Reservation{ID: "r", Account: left, Amount: money.USDC(70), State: ledger.Open, At: start}, look(t, b, reservationOf("r")))
		clean(t, b)
	})
	t.Run("a reservation is made once", func(t *testing.T) {
		b := books(t, open)
		write(t, b, reserve("r", left, money.USDC(10)))
		refuse(t, b, ledger.ErrReserved, reserve("r", left, money.USDC(10)))
		write(t, b, release("r"))
		refuse(t, b, ledger.ErrReserved, reserve("r", left, money.USDC(10)))
		holds(t, b, left, 100, 0)
	})
	t.Run("no more is reserved than is available", func(t *testing.T) {
		b := books(t, open)
		write(t, b, reserve("r", left, money.USDC(70)))
		short(t, b, left, money.USDC(30), money.USDC(31), reserve("s", left, money.USDC(31)))
		missing(t, b, ledger.ErrReservationNotFound, fails(reservationOf("s")))
		write(t, b, reserve("s", left, money.USDC(30)))
		short(t, b, left, money.USDC(0), money.USDC(1), reserve("u", left, money.USDC(1)))
		holds(t, b, left, 100, 100)
		clean(t, b)
	})
	t.Run("a reservation settled in full is posted and holds nothing", func(t *testing.T) {
		b := books(t, open)
		write(t, b, reserve("r", left, money.USDC(70)))
		write(t, b, settle("r", "p", money.USDC(70)))
		holds(t, b, left, 30, 0)
		holds(t, b, wallet, 80, 0)
		r := look(t, b, reservationOf("r"))
		require.Equal(t, ledger.Settled, r.State)
		require.Equal(t, money.USDC(70), r.Settled)
		require.Equal(t, money.USDC(30), entryOf(t, b, "p", 0).BalanceAfter)
		clean(t, b)
	})
	t.Run("a reservation settled in part makes the rest available", func(t *testing.T) {
		b := books(t, open)
		write(t, b, reserve("r", left, money.USDC(100)))
		write(t, b, settle("r", "p", money.USDC(60)))
		holds(t, b, left, 40, 0)
		require.Equal(t, money.USDC(60), look(t, b, reservationOf("r")).Settled)
		write(t, b, reserve("s", left, money.USDC(40)))
		clean(t, b)
	})
	t.Run("a released reservation makes all of it available and posts nothing", func(t *testing.T) {
		b := books(t, open)
		write(t, b, reserve("r", left, money.USDC(100)))
		write(t, b, release("r"))
		holds(t, b, left, 100, 0)
		holds(t, b, wallet, 150, 0)
		require.Equal(t, ledger.Released, look(t, b, reservationOf("r")).State)
		write(t, b, reserve("s", left, money.USDC(100)))
		clean(t, b)
	})
	t.Run("a reservation ends once", func(t *testing.T) {
		b := books(t, open)
		write(t, b, reserve("r", left, money.USDC(10)))
		write(t, b, reserve("s", left, money.USDC(10)))
		write(t, b, settle("r", "p", money.USDC(10)))
		write(t, b, release("s"))
		for _, id := range []ledger.ReservationID{"r", "s"} {
			refuse(t, b, ledger.ErrReservationEnded, settle(id, "q", money.USDC(10)))
			refuse(t, b, ledger.ErrReservationEnded, release(id))
		}
		refuse(t, b, ledger.ErrReservationNotFound, release("none"))
		refuse(t, b, ledger.ErrReservationNotFound, settle("none", "q", money.USDC(10)))
		holds(t, b, left, 90, 0)
		clean(t, b)
	})
	t.Run("a settlement whose posting is refused leaves the reservation open", func(t *testing.T) {
		b := books(t, open)
		write(t, b, reserve("r", left, money.USDC(10)))
		refuse(t, b, ledger.ErrPosted, settle("r", "fund-left", money.USDC(10)))
		refuse(t, b, ledger.ErrAccountNotFound, func(ctx context.Context, p store.Ports) error {
			return ledger.Settle(ctx, p.Ledger(), "r", ledger.Move("p", ferry.Test, "transfer", "ref", left, "none", money.USDC(10), start))
		})
		require.Equal(t, ledger.Open, look(t, b, reservationOf("r")).State)
		holds(t, b, left, 100, 10)
		clean(t, b)
	})
	t.Run("a reservation is made and settled within one unit", func(t *testing.T) {
		b := books(t, open)
		write(t, b, func(ctx context.Context, p store.Ports) error {
			if err := reserve("r", left, money.USDC(100))(ctx, p); err != nil {
				return err
			}
			return settle("r", "p", money.USDC(90))(ctx, p)
		})
		holds(t, b, left, 10, 0)
		clean(t, b)
	})
}
