package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// custody is what is known of an address on the chain, with no field empty.
func custody(a wallets.Address) wallets.Custody {
	return wallets.Custody{
		ID: a.ID, Scope: a.Scope, Wallet: a.Wallet, Address: a.Address,
		Cursor: "c", Mark: "m", Doubt: "d", Looks: 1, ScannedAt: after(1), OnChain: money.USDC(10), Committed: money.USDC(4),
	}
}

func updateCustody(c wallets.Custody) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().UpdateCustody(ctx, c) }
}

func custodyOf(env ferry.Env, id wallets.AddressID) func(context.Context, store.Ports) (wallets.Custody, error) {
	return func(ctx context.Context, p store.Ports) (wallets.Custody, error) {
		return p.Wallets().Custody(ctx, env, id)
	}
}

func testCustodies(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a custody comes back as it was inserted and updated", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAddress(address(1)))
		want := custody(address(1))
		want.Version = 1
		row := look(t, b, custodyOf(ferry.Test, want.ID))
		require.Equal(t, want, row)
		row.Cursor, row.Mark, row.Doubt, row.Looks, row.ScannedAt, row.OnChain, row.Committed = "c2", "m2", "", 0, after(9), money.USDC(3), money.USDC(0)
		write(t, b, updateCustody(row))
		staleWrite(t, b, updateCustody(row))
		row.Version = 2
		require.Equal(t, row, look(t, b, custodyOf(ferry.Test, row.ID)))
		missing(t, b, wallets.ErrAddressNotFound, fails(custodyOf(ferry.Live, row.ID)))
		missing(t, b, wallets.ErrAddressNotFound, fails(custodyOf(ferry.Test, address(2).ID)))
	})
	t.Run("custodies of an environment are walked by id", func(t *testing.T) {
		b := open(t)
		foreign, other := address(3), address(4)
		foreign.Scope, other.Scope = away, live
		for _, a := range []wallets.Address{address(2), address(1), foreign, other} {
			write(t, b, insertAddress(a))
		}
		walk := func(after wallets.AddressID, limit int) []wallets.AddressID {
			return custodyIDs(look(t, b, func(ctx context.Context, p store.Ports) ([]wallets.Custody, error) {
				return p.Wallets().Custodies(ctx, ferry.Test, after, limit)
			}))
		}
		require.Equal(t, []wallets.AddressID{address(1).ID, address(2).ID}, walk("", 2))
		require.Equal(t, []wallets.AddressID{address(3).ID}, walk(address(2).ID, 2))
		require.Empty(t, walk(address(3).ID, 2))
	})
	t.Run("only surpluses come, the greatest first, for a business or for all", func(t *testing.T) {
		b := open(t)
		with := func(a wallets.Address, onChain, committed int64) {
			c := custody(a)
			c.OnChain, c.Committed = money.USDC(onChain), money.USDC(committed)
			write(t, b, insertFunded(a, c))
		}
		foreign, other := address(3), address(4)
		foreign.Scope, other.Scope = away, live
		with(address(1), 10, 4)
		with(address(2), 100, 0)
		with(foreign, 60, 10)
		with(other, 1000, 0)
		with(address(5), 7, 7)
		with(address(6), 3, 5)
		surpluses := func(scope ferry.Scope, limit int) []wallets.AddressID {
			return custodyIDs(look(t, b, func(ctx context.Context, p store.Ports) ([]wallets.Custody, error) {
				return p.Wallets().Surpluses(ctx, scope, limit)
			}))
		}
		require.Equal(t, []wallets.AddressID{address(2).ID, address(1).ID}, surpluses(home, 9))
		require.Equal(t, []wallets.AddressID{address(2).ID, foreign.ID, address(1).ID}, surpluses(ferry.Scope{Env: ferry.Test}, 9))
		require.Equal(t, []wallets.AddressID{address(2).ID}, surpluses(home, 1))

		row := look(t, b, custodyOf(ferry.Test, address(2).ID))
		row.Committed = money.USDC(97)
		write(t, b, updateCustody(row))
		require.Equal(t, []wallets.AddressID{address(1).ID, address(2).ID}, surpluses(home, 9))
		row = look(t, b, custodyOf(ferry.Test, address(2).ID))
		row.Committed = money.USDC(100)
		write(t, b, updateCustody(row))
		require.Equal(t, []wallets.AddressID{address(1).ID}, surpluses(home, 9))
	})
	t.Run("units that each commit a part of an address lose none", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAddress(address(1)))
		for _, err := range race(8, func(int) error {
			return b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
				row, err := p.Wallets().Custody(ctx, ferry.Test, address(1).ID)
				if err != nil {
					return err
				}
				if row.Committed, err = row.Committed.Add(money.USDC(1)); err != nil {
					return err
				}
				return p.Wallets().UpdateCustody(ctx, row)
			})
		}) {
			require.NoError(t, err)
		}
		require.Equal(t, money.USDC(12), look(t, b, custodyOf(ferry.Test, address(1).ID)).Committed)
	})
}

func custodyIDs(list []wallets.Custody) []wallets.AddressID {
	var ids []wallets.AddressID
	for _, c := range list {
		ids = append(ids, c.ID)
	}
	return ids
}
