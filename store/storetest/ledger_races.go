package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

// racers is how many goroutines go for one account.
const racers = 64

func testLedgerRaces(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("of many who reserve at once exactly the affordable number succeeds", func(t *testing.T) {
		b := books(t, open)
		for round := range 5 {
			require.Equal(t, 10, affordable(t, race(racers, func(i int) error {
				return b.Write(t.Context(), reserve(raceReservation(round, i), left, money.USDC(10)))
			})))
			holds(t, b, left, 100, 100)
			releaseAll(t, b)
		}
		holds(t, b, left, 100, 0)
		clean(t, b)
	})
	t.Run("of many who post at once exactly the affordable number succeeds", func(t *testing.T) {
		b := books(t, open)
		for round := range 5 {
			require.Equal(t, 14, affordable(t, race(racers, func(i int) error {
				return b.Write(t.Context(), move(racePosting(round, i), left, chain, money.USDC(7)))
			})))
			holds(t, b, left, 2, 0)
			write(t, b, move(ledger.PostingID(fmt.Sprintf("refill-%d", round)), chain, left, money.USDC(98)))
		}
		clean(t, b)
	})
	t.Run("of many who end one reservation at once one succeeds", func(t *testing.T) {
		b := books(t, open)
		for round := range 5 {
			id := raceReservation(round, 0)
			write(t, b, reserve(id, left, money.USDC(10)))
			one(t, racers/4, ledger.ErrReservationEnded, func(i int) error { return b.Write(t.Context(), endOne(id, round, i)) })
		}
		require.Zero(t, look(t, b, accountOf(left)).Reserved.Minor())
		clean(t, b)
	})
	t.Run("of many who post one cause at once one succeeds", func(t *testing.T) {
		b := books(t, open)
		for round := range 5 {
			one(t, racers/4, ledger.ErrPosted, func(int) error {
				return b.Write(t.Context(), move(racePosting(round, 0), chain, left, money.USDC(1)))
			})
		}
		holds(t, b, left, 105, 0)
		clean(t, b)
	})
	t.Run("transfers to and fro between two accounts lose nothing and do not lock up", func(t *testing.T) {
		b := books(t, open)
		const rounds = 10
		for _, err := range race(8, func(i int) error {
			from, to := left, right
			if i%2 == 1 {
				from, to = right, left
			}
			for r := range rounds {
				if err := b.Write(t.Context(), move(racePosting(r, i), from, to, money.USDC(1))); err != nil {
					return err
				}
			}
			return nil
		}) {
			require.NoError(t, err)
		}
		holds(t, b, left, 100, 0)
		holds(t, b, right, 50, 0)
		holds(t, b, wallet, 150, 0)
		clean(t, b)
	})
}

func raceReservation(round, i int) ledger.ReservationID {
	return ledger.ReservationID(fmt.Sprintf("r-%d-%d", round, i))
}

func racePosting(round, i int) ledger.PostingID {
	return ledger.PostingID(fmt.Sprintf("p-%d-%d", round, i))
}

// endOne settles a reservation, fully or in part, or releases it.
func endOne(id ledger.ReservationID, round, i int) body {
	switch i % 3 {
	case 0:
		return settle(id, racePosting(round, i), money.USDC(10))
	case 1:
		return settle(id, racePosting(round, i), money.USDC(4))
	}
	return release(id)
}

// affordable counts successes and checks that all else is a true shortage.
func affordable(t testing.TB, errs []error) int {
	t.Helper()
	n := 0
	for _, err := range errs {
		if err == nil {
			n++
			continue
		}
		shortage, ok := errors.AsType[*ledger.Shortage](err)
		require.True(t, ok, "a shortage and not %v", err)
		require.ErrorIs(t, err, ledger.ErrInsufficientBalance)
		require.Less(t, shortage.Available.Minor(), shortage.Required.Minor())
	}
	return n
}

// releaseAll ends every open reservation.
func releaseAll(t testing.TB, b store.Backend) {
	t.Helper()
	open := look(t, b, func(ctx context.Context, p store.Ports) ([]ledger.Reservation, error) {
		return p.Ledger().OpenReservations(ctx, ferry.Test, "", 1000)
	})
	for _, r := range open {
		write(t, b, release(r.ID))
	}
}
