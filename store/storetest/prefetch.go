package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// testPrefetch checks that what is read ahead answers as what is not.
func (k tested) testPrefetch(t *testing.T, open func(*testing.T) store.Backend) {
	b, row := open(t), k.row(home, 1)
	write(t, b, k.inserted(row))
	ahead := func(scope ferry.Scope) body {
		return func(_ context.Context, p store.Ports) error {
			for _, n := range []int{1, 2, 3, 1} {
				k.rows.Prefetch(p, k.scope(scope), k.id(k.row(home, n)))
			}
			return nil
		}
	}
	for _, scope := range append(k.others(), home) {
		for n := range 3 {
			asked := k.in(scope, k.row(home, n+1))
			found, err := ferry.InRead(t.Context(), b, asked)
			same, sameErr := ferry.InRead(t.Context(), b, func(ctx context.Context, p store.Ports) (any, error) {
				require.NoError(t, ahead(scope)(ctx, p))
				return asked(ctx, p)
			})
			require.Equal(t, found, same)
			require.Equal(t, err, sameErr)
			require.True(t, n > 0 || (scope == home) == (err == nil))
			peeked, peekErr := ferry.InRead(t.Context(), b, func(ctx context.Context, p store.Ports) (any, error) {
				return k.rows.Peek(ctx, p, k.scope(scope), k.id(k.row(home, n+1)))
			})
			require.Equal(t, err, peekErr)
			require.True(t, err != nil || k.version(found) == k.version(peeked))
		}
	}
	row = k.stored(row, 1)
	row = k.change(row)
	write(t, b, all(ahead(home), k.updated(row), ahead(home), func(ctx context.Context, p store.Ports) error {
		own, err := k.rows.Peek(ctx, p, k.scope(home), k.id(row))
		require.NoError(t, err)
		require.EqualValues(t, 2, k.version(own), "a unit peeks at what it wrote")
		seen, err := k.in(home, row)(ctx, p)
		require.EqualValues(t, 2, k.version(seen))
		return err
	}))
}

// testExpect checks that a row that is expected answers as the stored one, whether it has
// changed or not.
func (k tested) testExpect(t *testing.T, open func(*testing.T) store.Backend) {
	b, row := open(t), k.row(home, 1)
	expecting := func(row any, then body) body {
		return func(ctx context.Context, p store.Ports) error {
			k.rows.Expect(p, row)
			return then(ctx, p)
		}
	}
	missing(t, b, k.kind.Missing, expecting(row, fails(k.in(home, row))))
	write(t, b, k.inserted(row))
	former := look(t, b, k.in(home, row))
	newer := former
	newer = k.change(newer)
	write(t, b, expecting(former, func(ctx context.Context, p store.Ports) error {
		seen, err := k.in(home, row)(ctx, p)
		require.Equal(t, former, seen)
		if err != nil {
			return err
		}
		return k.rows.Update(ctx, p, newer)
	}))
	newer = look(t, b, k.in(home, row))
	require.EqualValues(t, 2, k.version(newer))
	refuse(t, b, ferry.ErrStale, expecting(former, k.updated(former)))
	var seen any
	write(t, b, expecting(former, func(ctx context.Context, p store.Ports) (err error) {
		if seen, err = k.in(home, row)(ctx, p); err != nil {
			return err
		}
		return k.rows.Update(ctx, p, seen)
	}))
	require.Equal(t, newer, seen, "the unit has run again with the stored row")
	require.Equal(t, look(t, b, k.in(home, row)), look(t, b, func(ctx context.Context, p store.Ports) (any, error) {
		k.rows.Expect(p, former)
		return k.in(home, row)(ctx, p)
	}))
}

func testPrefetch(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("accounts and legs that are read ahead answer as others", func(t *testing.T) {
		b := books(t, open)
		for _, ahead := range []bool{false, true} {
			write(t, b, func(ctx context.Context, p store.Ports) error {
				if ahead {
					for _, id := range []ledger.AccountID{left, "nobody", right, left, naira} {
						p.Ledger().PrefetchAccount(id)
					}
					for _, id := range []ledger.PostingID{"fund-right", "nothing", "fund-left"} {
						p.Ledger().PrefetchLegs(id)
					}
				}
				for id, minor := range map[ledger.AccountID]money.Amount{left: money.USDC(100), right: money.USDC(50), naira: money.NGN(1000)} {
					a, err := p.Ledger().Account(ctx, id)
					require.NoError(t, err)
					require.Equal(t, id, a.ID)
					require.Equal(t, minor, a.Posted)
				}
				_, err := p.Ledger().Account(ctx, "nobody")
				require.ErrorIs(t, err, ledger.ErrAccountNotFound)
				for id, account := range map[ledger.PostingID]ledger.AccountID{"fund-left": left, "fund-right": right} {
					for range 2 {
						legs, err := p.Ledger().Legs(ctx, id)
						require.NoError(t, err)
						require.Len(t, legs, 2)
						require.Equal(t, []ledger.AccountID{chain, account}, []ledger.AccountID{legs[0].Account, legs[1].Account})
						require.Equal(t, ledger.EntryID{Posting: id, Leg: 1}, legs[1].ID)
						legs[0].Account = "changed"
					}
				}
				legs, err := p.Ledger().Legs(ctx, "nothing")
				require.Empty(t, legs)
				return err
			})
		}
	})
	t.Run("an account that is read ahead shows what its own unit moves", func(t *testing.T) {
		b := books(t, open)
		write(t, b, func(ctx context.Context, p store.Ports) error {
			p.Ledger().PrefetchAccount(left)
			if err := move("p", left, right, money.USDC(30))(ctx, p); err != nil {
				return err
			}
			a, err := p.Ledger().Account(ctx, left)
			require.Equal(t, money.USDC(70), a.Posted)
			return err
		})
	})
	t.Run("a page is read with what was to be read before it", func(t *testing.T) {
		b := open(t)
		row := wallets.Wallet{ID: wallets.ID(idOf("wal_", 1)), Scope: home, Reference: "w", Status: wallets.Active, CreatedAt: start, UpdatedAt: start}
		write(t, b, func(ctx context.Context, p store.Ports) error { return wallets.WalletKind.Insert(ctx, p, row) })
		list := look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[wallets.Wallet], error) {
			wallets.WalletKind.Prefetch(p, home, row.ID)
			list, err := wallets.WalletKind.Page(ctx, p, home, records.Query{}, ferry.Page{})
			if err == nil {
				_, err = wallets.WalletKind.Get(ctx, p, home, row.ID)
			}
			return list, err
		})
		require.Len(t, list.Data, 1)
		require.Equal(t, 1, list.Total)
	})
}
