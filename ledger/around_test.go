package ledger_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

// read runs body on the books of a store.
func read(t *testing.T, s *memstore.Store, body func(context.Context, ledger.Store) error) {
	t.Helper()
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error { return body(ctx, p.Ledger()) }))
}

// post posts on the books of a store.
func post(t *testing.T, s *memstore.Store, id ledger.PostingID, legs ...ledger.Leg) {
	t.Helper()
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		return ledger.Post(ctx, p.Ledger(), ledger.Posting{ID: id, Env: ferry.Test, Legs: legs})
	}))
}

func TestTheBalanceBetweenTheLegsOfAPostingIsNotShown(t *testing.T) {
	s := movedBooks(t) // of the wallet w: 90 on w/a, and 10 on w/b
	legs := []ledger.Leg{
		{Account: "w/a", Amount: money.USDC(-10)}, {Account: chainID, Amount: money.USDC(5)}, {Account: "w/b", Amount: money.USDC(2)},
		{Account: "x", Amount: money.USDC(2)}, {Account: "w/b", Amount: money.USDC(1)},
	}
	post(t, s, "sent", legs...)
	read(t, s, func(ctx context.Context, books ledger.Store) error {
		for leg, want := range map[int][2]int64{0: {100, 93}, 2: {100, 93}, 4: {100, 93}, 3: {0, 2}} {
			before, after, err := ledger.BalancesAround(ctx, books, ledger.EntryID{Posting: "sent", Leg: leg})
			require.NoError(t, err)
			require.Equal(t, want, [2]int64{before.Minor(), after.Minor()}, "leg %d", leg)
		}
		for _, id := range []ledger.EntryID{{Posting: "sent", Leg: -1}, {Posting: "sent", Leg: len(legs)}, {Posting: "lost"}} {
			_, _, err := ledger.BalancesAround(ctx, books, id)
			require.ErrorIs(t, err, ledger.ErrEntryNotFound, id)
		}
		return nil
	})
}

func TestASumIsOfTheEntriesOfOneAccount(t *testing.T) {
	read(t, movedBooks(t), func(ctx context.Context, books ledger.Store) error {
		for account, want := range map[ledger.AccountID]int64{chainID: -100, "w/a": 90, "w/b": 10, "x": 0, "never opened": 0} {
			sum, err := ledger.Sum(ctx, books, account)
			require.NoError(t, err)
			require.Equal(t, want, sum.Minor(), account)
		}
		return nil
	})
}

func TestAnAccountIsOpenedOnceHoweverOftenThatIsAsked(t *testing.T) {
	s := openBooks(t, t.Context())
	for range 2 {
		require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
			return ledger.OpenOnce(ctx, p.Ledger(), ledger.Account{ID: "y", Scope: ferry.Scope{Env: ferry.Test}, Asset: money.AssetUSDC})
		}))
	}
	post(t, s, "p", pair(chainID, "y", 1)...)
}

func TestAPostingTakesNoLegsThatMoveNothing(t *testing.T) {
	moving := ledger.Leg{Account: "w/a", Amount: money.USDC(-1)}
	require.Equal(t, []ledger.Leg{moving}, ledger.Nonzero(ledger.Leg{Account: "x", Amount: money.USDC(0)}, moving, ledger.Leg{Account: "w/b"}))
}

func TestWhatAPostingBroughtIsTakenBackButForWhatStays(t *testing.T) {
	s := openBooks(t, t.Context())
	post(t, s, "paid",
		ledger.Leg{Account: "w/a", Amount: money.USDC(90)}, ledger.Leg{Account: feesID, Amount: money.USDC(7)},
		ledger.Leg{Account: chainID, Amount: money.USDC(-100)}, ledger.Leg{Account: "w/b", Amount: money.USDC(3)})
	var entries []ledger.Entry
	read(t, s, func(ctx context.Context, books ledger.Store) (err error) {
		entries, err = books.Legs(ctx, "paid")
		return err
	})
	legs, err := ledger.Opposite(entries, "w/b")
	require.NoError(t, err)
	require.ElementsMatch(t, []ledger.Leg{
		{Account: "w/a", Amount: money.USDC(-90)}, {Account: feesID, Amount: money.USDC(-7)}, {Account: chainID, Amount: money.USDC(97)},
	}, legs)
	legs, err = ledger.Opposite(entries[2:], "w/b")
	require.NoError(t, err)
	require.Empty(t, legs, "all of it stays")
}

func TestAPostingIsThereOrNot(t *testing.T) {
	read(t, movedBooks(t), func(ctx context.Context, books ledger.Store) error {
		for id, want := range map[ledger.PostingID]bool{"p0": true, "p9": false} {
			posted, err := ledger.Posted(ctx, books, id)
			require.NoError(t, err)
			require.Equal(t, want, posted, id)
		}
		return nil
	})
}
