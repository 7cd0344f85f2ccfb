package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

const (
	wallet ledger.AccountID = "wallet:w" // over left and right
	left   ledger.AccountID = "address:left"
	right  ledger.AccountID = "address:right"
	naira  ledger.AccountID = "naira"
)

var (
	chain = ledger.SystemAccount(ferry.Test, ledger.Chain, money.AssetUSDC)
	bank  = ledger.SystemAccount(ferry.Test, ledger.Bank, money.AssetNGN)
	costs = ledger.SystemAccount(ferry.Test, ledger.NetworkFees, money.AssetUSDC)
)

// books returns a store with the accounts above and 100 USDC on left, 50 on
// right, and 1,000 kobo on naira.
func books(t *testing.T, open func(*testing.T) store.Backend) store.Backend {
	b := open(t)
	write(t, b, func(ctx context.Context, p store.Ports) error {
		for _, a := range append(ledger.SystemAccounts(ferry.Test),
			ledger.Account{ID: wallet, Scope: home, Asset: money.AssetUSDC},
			ledger.Account{ID: left, Scope: home, Asset: money.AssetUSDC, Control: wallet},
			ledger.Account{ID: right, Scope: home, Asset: money.AssetUSDC, Control: wallet},
			ledger.Account{ID: naira, Scope: home, Asset: money.AssetNGN}) {
			if err := p.Ledger().OpenAccount(ctx, a); err != nil {
				return err
			}
		}
		return nil
	})
	write(t, b, move("fund-left", chain, left, money.USDC(100)))
	write(t, b, move("fund-right", chain, right, money.USDC(50)))
	write(t, b, move("fund-naira", bank, naira, money.NGN(1000)))
	return b
}

func move(id ledger.PostingID, from, to ledger.AccountID, amount money.Amount) body {
	return post(ledger.Move(id, ferry.Test, "move", "ref", from, to, amount, start))
}

func post(posting ledger.Posting) body {
	return func(ctx context.Context, p store.Ports) error { return ledger.Post(ctx, p.Ledger(), posting) }
}

func reserve(id ledger.ReservationID, account ledger.AccountID, amount money.Amount) body {
	return func(ctx context.Context, p store.Ports) error {
		return ledger.Reserve(ctx, p.Ledger(), ledger.Reservation{ID: id, Account: account, Amount: amount, At: start})
	}
}

// settle posts an amount of a reservation on left to the chain.
func settle(id ledger.ReservationID, posting ledger.PostingID, amount money.Amount) body {
	return func(ctx context.Context, p store.Ports) error {
		return ledger.Settle(ctx, p.Ledger(), id, ledger.Move(posting, ferry.Test, "transfer", "ref", left, chain, amount, start))
	}
}

func release(id ledger.ReservationID) body {
	return func(ctx context.Context, p store.Ports) error { return ledger.Release(ctx, p.Ledger(), id) }
}

func accountOf(id ledger.AccountID) func(context.Context, store.Ports) (ledger.Account, error) {
	return func(ctx context.Context, p store.Ports) (ledger.Account, error) { return p.Ledger().Account(ctx, id) }
}

func reservationOf(id ledger.ReservationID) func(context.Context, store.Ports) (ledger.Reservation, error) {
	return func(ctx context.Context, p store.Ports) (ledger.Reservation, error) {
		return p.Ledger().Reservation(ctx, id)
	}
}

// holds checks what an account has posted and reserved, in minor units.
func holds(t testing.TB, b store.Backend, id ledger.AccountID, posted, reserved int64) {
	t.Helper()
	a := look(t, b, accountOf(id))
	require.Equal(t, [2]int64{posted, reserved}, [2]int64{a.Posted.Minor(), a.Reserved.Minor()}, "posted and reserved of %s", id)
}

// clean checks that an audit finds nothing.
func clean(t testing.TB, b store.Backend) {
	t.Helper()
	require.Empty(t, look(t, b, func(ctx context.Context, p store.Ports) ([]ledger.Finding, error) {
		return ledger.Audit(ctx, p.Ledger(), ferry.Test)
	}))
}

// short runs a unit that must fail with a shortage of exactly these figures.
func short(t testing.TB, b store.Backend, id ledger.AccountID, available, required money.Amount, do body) {
	t.Helper()
	err := b.Write(t.Context(), do)
	require.ErrorIs(t, err, ledger.ErrInsufficientBalance)
	shortage, ok := errors.AsType[*ledger.Shortage](err)
	require.True(t, ok, "a *ledger.Shortage in %v", err)
	require.Equal(t, ledger.Shortage{Account: id, Available: available, Required: required}, *shortage)
}

func testLedger(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("accounts", func(t *testing.T) { testAccounts(t, open) })
	t.Run("postings", func(t *testing.T) { testPostings(t, open) })
	t.Run("reservations", func(t *testing.T) { testReservations(t, open) })
	t.Run("lists", func(t *testing.T) { testLedgerLists(t, open) })
	readOnly(t, open, map[string]body{
		"OpenAccount": openAccount(ledger.Account{ID: "a", Scope: home, Asset: money.AssetNGN}),
		"Post":        move("p", chain, left, money.USDC(1)),
		"Reserve":     reserve("r", left, money.USDC(1)),
		"Release":     release("r"),
		"Settle": func(ctx context.Context, p store.Ports) error {
			return p.Ledger().Settle(ctx, "r", money.USDC(1), ledger.Move("p", ferry.Test, "transfer", "ref", left, chain, money.USDC(1), start))
		},
	})
}

func openAccount(a ledger.Account) body {
	return func(ctx context.Context, p store.Ports) error { return p.Ledger().OpenAccount(ctx, a) }
}

func testAccounts(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("an account is opened once with nothing in it", func(t *testing.T) {
		b := books(t, open)
		fresh := ledger.Account{ID: "fresh", Scope: away, Asset: money.AssetUSDC, Posted: money.USDC(7), Reserved: money.USDC(7)}
		write(t, b, openAccount(fresh))
		refuse(t, b, ledger.ErrAccountExists, openAccount(fresh))
		fresh.Posted, fresh.Reserved = money.USDC(0), money.USDC(0)
		require.Equal(t, fresh, look(t, b, accountOf("fresh")))
	})
	t.Run("an account that was not opened is not found", func(t *testing.T) {
		b := books(t, open)
		missing(t, b, ledger.ErrAccountNotFound, fails(accountOf("none")))
		refuse(t, b, ledger.ErrAccountNotFound, move("p", chain, "none", money.USDC(1)))
		refuse(t, b, ledger.ErrAccountNotFound, reserve("r", "none", money.USDC(1)))
	})
	t.Run("a control account must be there before its subsidiaries", func(t *testing.T) {
		refuse(t, books(t, open), ledger.ErrAccountNotFound,
			openAccount(ledger.Account{ID: "a", Scope: home, Asset: money.AssetUSDC, Control: "none"}))
	})
	t.Run("only a counted and empty account of the same asset is put over others", func(t *testing.T) {
		b := books(t, open)
		for name, a := range map[string]ledger.Account{
			"under an account with entries":  {ID: "a", Scope: home, Asset: money.AssetNGN, Control: naira},
			"under an account of a control":  {ID: "a", Scope: home, Asset: money.AssetUSDC, Control: left},
			"under an uncounted account":     {ID: "a", Scope: home, Asset: money.AssetUSDC, Control: chain},
			"under one of another asset":     {ID: "a", Scope: home, Asset: money.AssetNGN, Control: wallet},
			"uncounted, under a counted one": {ID: "a", Scope: home, Asset: money.AssetUSDC, Control: wallet, Uncounted: true},
		} {
			require.Error(t, b.Write(t.Context(), openAccount(a)), name)
		}
		clean(t, b)
	})
	t.Run("an uncounted account keeps no balance and has no limit", func(t *testing.T) {
		b := books(t, open)
		write(t, b, move("out", left, chain, money.USDC(30)))
		holds(t, b, chain, 0, 0)
		write(t, b, move("more", costs, left, money.USDC(1_000_000)))
		holds(t, b, costs, 0, 0)
		clean(t, b)
	})
	t.Run("nothing is posted to or reserved on a control account itself", func(t *testing.T) {
		b := books(t, open)
		require.Error(t, b.Write(t.Context(), move("p", chain, wallet, money.USDC(1))))
		require.Error(t, b.Write(t.Context(), reserve("r", wallet, money.USDC(1))))
		holds(t, b, wallet, 150, 0)
		clean(t, b)
	})
	t.Run("nothing is reserved on an uncounted account", func(t *testing.T) {
		require.Error(t, books(t, open).Write(t.Context(), reserve("r", chain, money.USDC(1))))
	})
	t.Run("an account takes only its own asset", func(t *testing.T) {
		b := books(t, open)
		require.Error(t, b.Write(t.Context(), move("p", bank, left, money.NGN(1))))
		require.Error(t, b.Write(t.Context(), move("p", chain, naira, money.USDC(1))))
		require.Error(t, b.Write(t.Context(), reserve("r", left, money.NGN(1))))
		clean(t, b)
	})
	t.Run("a posting of one environment does not touch the accounts of the other", func(t *testing.T) {
		b := books(t, open)
		require.Error(t, b.Write(t.Context(), post(ledger.Move("p", ferry.Live, "move", "ref", left, right, money.USDC(1), start))))
		clean(t, b)
	})
}

func testPostings(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a posting moves its accounts and their control account", func(t *testing.T) {
		b := books(t, open)
		write(t, b, move("p", left, right, money.USDC(40)))
		write(t, b, move("q", right, chain, money.USDC(10)))
		holds(t, b, left, 60, 0)
		holds(t, b, right, 80, 0)
		holds(t, b, wallet, 140, 0)
		clean(t, b)
	})
	t.Run("a posting is made once", func(t *testing.T) {
		b := books(t, open)
		write(t, b, move("p", left, right, money.USDC(40)))
		refuse(t, b, ledger.ErrPosted, move("p", left, right, money.USDC(40)))
		refuse(t, b, ledger.ErrPosted, func(ctx context.Context, p store.Ports) error {
			return errors.Join(move("twice", left, right, money.USDC(1))(ctx, p), move("twice", left, right, money.USDC(1))(ctx, p))
		})
		holds(t, b, left, 60, 0)
		clean(t, b)
	})
	t.Run("an account that would fall below nothing is refused with the figures", func(t *testing.T) {
		b := books(t, open)
		short(t, b, left, money.USDC(100), money.USDC(101), move("p", left, right, money.USDC(101)))
		holds(t, b, left, 100, 0)
		holds(t, b, right, 50, 0)
		holds(t, b, wallet, 150, 0)
		write(t, b, move("p", left, right, money.USDC(100)))
		holds(t, b, left, 0, 0)
		clean(t, b)
	})
	t.Run("more than a control account has is refused with the figures of the account", func(t *testing.T) {
		b := books(t, open)
		short(t, b, left, money.USDC(100), money.USDC(151), move("p", left, chain, money.USDC(151)))
		write(t, b, reserve("r", right, money.USDC(50)))
		short(t, b, left, money.USDC(100), money.USDC(101), move("p", left, chain, money.USDC(101)))
		holds(t, b, left, 100, 0)
		holds(t, b, wallet, 150, 50)
	})
	t.Run("an account that would fall below its reserved is refused with what is available", func(t *testing.T) {
		b := books(t, open)
		write(t, b, reserve("r", left, money.USDC(70)))
		short(t, b, left, money.USDC(30), money.USDC(31), move("p", left, chain, money.USDC(31)))
		write(t, b, move("p", left, chain, money.USDC(30)))
		holds(t, b, left, 70, 70)
		clean(t, b)
	})
	t.Run("the legs of a posting count together, in whatever order", func(t *testing.T) {
		b := books(t, open)
		legs := []ledger.Leg{{Account: left, Amount: money.USDC(-120)}, {Account: right, Amount: money.USDC(100)}, {Account: left, Amount: money.USDC(20)}}
		write(t, b, post(ledger.Posting{ID: "p", Env: ferry.Test, Kind: "move", Ref: "ref", Legs: legs, At: start}))
		holds(t, b, left, 0, 0)
		holds(t, b, right, 150, 0)
		holds(t, b, wallet, 150, 0)
		clean(t, b)
	})
	t.Run("a posting with one leg that is refused moves none", func(t *testing.T) {
		b := books(t, open)
		legs := []ledger.Leg{{Account: left, Amount: money.USDC(-10)}, {Account: costs, Amount: money.USDC(61)}, {Account: right, Amount: money.USDC(-51)}}
		short(t, b, right, money.USDC(50), money.USDC(51), post(ledger.Posting{ID: "p", Env: ferry.Test, Legs: legs, At: start}))
		legs = []ledger.Leg{{Account: left, Amount: money.USDC(-10)}, {Account: "none", Amount: money.USDC(10)}}
		refuse(t, b, ledger.ErrAccountNotFound, post(ledger.Posting{ID: "p", Env: ferry.Test, Legs: legs, At: start}))
		holds(t, b, left, 100, 0)
		holds(t, b, right, 50, 0)
		clean(t, b)
	})
	t.Run("postings of one unit follow each other", func(t *testing.T) {
		b := books(t, open)
		write(t, b, func(ctx context.Context, p store.Ports) error {
			if err := move("p", left, right, money.USDC(100))(ctx, p); err != nil {
				return err
			}
			return move("q", right, chain, money.USDC(150))(ctx, p)
		})
		holds(t, b, wallet, 0, 0)
		clean(t, b)
	})
	t.Run("entries carry the running balances of account and control", func(t *testing.T) {
		b := books(t, open)
		write(t, b, move("p", left, right, money.USDC(40)))
		out, in := entryOf(t, b, "p", 0), entryOf(t, b, "p", 1)
		require.Equal(t, ledger.Entry{
			ID: ledger.EntryID{Posting: "p", Leg: 0}, Account: left, Amount: money.USDC(-40),
			BalanceAfter: money.USDC(60), Control: wallet, ControlAfter: money.USDC(110), Kind: "move", Ref: "ref", At: start,
		}, out)
		require.Equal(t, [2]money.Amount{money.USDC(90), money.USDC(150)}, [2]money.Amount{in.BalanceAfter, in.ControlAfter})
		funding := entryOf(t, b, "fund-naira", 1)
		require.Equal(t, money.NGN(1000), funding.BalanceAfter)
		require.Empty(t, funding.Control)
		require.True(t, funding.ControlAfter.IsZero())
		require.True(t, entryOf(t, b, "fund-naira", 0).BalanceAfter.IsZero())
		require.Len(t, look(t, b, legs("p")), 2)
		require.Empty(t, look(t, b, legs("q")))
	})
	t.Run("a unit that looks beyond the last leg of a posting commits", func(t *testing.T) {
		b := books(t, open)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		require.NoError(t, b.Write(ctx, func(ctx context.Context, p store.Ports) error {
			_, after, err := ledger.BalancesAround(ctx, p.Ledger(), ledger.EntryID{Posting: "fund-left", Leg: 1})
			require.NoError(t, err)
			require.Equal(t, money.USDC(100), after)
			return move("p", left, right, after)(ctx, p)
		}))
		holds(t, b, left, 0, 0)
	})
}

func legs(posting ledger.PostingID) func(context.Context, store.Ports) ([]ledger.Entry, error) {
	return func(ctx context.Context, p store.Ports) ([]ledger.Entry, error) { return p.Ledger().Legs(ctx, posting) }
}

func entryOf(t testing.TB, b store.Backend, posting ledger.PostingID, leg int) ledger.Entry {
	t.Helper()
	return look(t, b, legs(posting))[leg]
}

func testLedgerLists(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("the entries of an account come oldest first after a given one", func(t *testing.T) {
		b := books(t, open)
		for _, id := range []ledger.PostingID{"z", "a", "m"} {
			write(t, b, move(id, left, right, money.USDC(1)))
		}
		entries := func(after ledger.EntryID, limit int) []ledger.PostingID {
			var ids []ledger.PostingID
			for _, e := range look(t, b, func(ctx context.Context, p store.Ports) ([]ledger.Entry, error) {
				return p.Ledger().Entries(ctx, left, after, limit)
			}) {
				require.Equal(t, left, e.Account)
				ids = append(ids, e.ID.Posting)
			}
			return ids
		}
		require.Equal(t, []ledger.PostingID{"fund-left", "z", "a", "m"}, entries(ledger.EntryID{}, 10))
		require.Equal(t, []ledger.PostingID{"fund-left", "z"}, entries(ledger.EntryID{}, 2))
		require.Equal(t, []ledger.PostingID{"a", "m"}, entries(ledger.EntryID{Posting: "z", Leg: 0}, 10))
		require.Empty(t, entries(ledger.EntryID{Posting: "m", Leg: 0}, 10))
	})
	t.Run("accounts come in order of id within their environment", func(t *testing.T) {
		b := books(t, open)
		write(t, b, openAccount(ledger.Account{ID: "live", Scope: live, Asset: money.AssetNGN}))
		var ids []ledger.AccountID
		for {
			page := look(t, b, func(ctx context.Context, p store.Ports) ([]ledger.Account, error) {
				var after ledger.AccountID
				if len(ids) > 0 {
					after = ids[len(ids)-1]
				}
				return p.Ledger().Accounts(ctx, ferry.Test, after, 3)
			})
			for _, a := range page {
				ids = append(ids, a.ID)
			}
			if len(page) < 3 {
				break
			}
		}
		require.IsIncreasing(t, ids)
		require.Len(t, ids, len(ledger.SystemAccounts(ferry.Test))+4)
	})
	t.Run("open reservations come in order of id within their environment", func(t *testing.T) {
		b := books(t, open)
		for _, id := range []ledger.ReservationID{"c", "a", "d", "b"} {
			write(t, b, reserve(id, left, money.USDC(1)))
		}
		write(t, b, release("d"))
		list := func(env ferry.Env, after ledger.ReservationID, limit int) []ledger.ReservationID {
			var ids []ledger.ReservationID
			for _, r := range look(t, b, func(ctx context.Context, p store.Ports) ([]ledger.Reservation, error) {
				return p.Ledger().OpenReservations(ctx, env, after, limit)
			}) {
				ids = append(ids, r.ID)
			}
			return ids
		}
		require.Equal(t, []ledger.ReservationID{"a", "b", "c"}, list(ferry.Test, "", 10))
		require.Equal(t, []ledger.ReservationID{"b"}, list(ferry.Test, "a", 1))
		require.Empty(t, list(ferry.Live, "", 10))
	})
	t.Run("totals sum the counted accounts of a scope and no control account", func(t *testing.T) {
		b := books(t, open)
		write(t, b, reserve("r", left, money.USDC(70)))
		totals := look(t, b, func(ctx context.Context, p store.Ports) ([]ledger.Total, error) { return p.Ledger().Totals(ctx, home) })
		require.ElementsMatch(t, []ledger.Total{
			{Asset: money.AssetNGN, Posted: money.NGN(1000), Reserved: money.NGN(0)},
			{Asset: money.AssetUSDC, Posted: money.USDC(150), Reserved: money.USDC(70)},
		}, totals)
		require.Empty(t, look(t, b, func(ctx context.Context, p store.Ports) ([]ledger.Total, error) { return p.Ledger().Totals(ctx, away) }))
	})
}
