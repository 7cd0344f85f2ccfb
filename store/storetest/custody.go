package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// custody is what is known of an address on the chain, with no field empty.
func newCustody(a wallets.Address) wallets.Custody {
	return wallets.Custody{
		ID: a.ID, Scope: a.Scope, Wallet: a.Wallet, Address: a.Address,
		Cursor: "c", ChangeToken: "m", PendingToken: "d", PendingReads: 1, ScannedAt: after(1), OnChain: money.USDC(10), Committed: money.USDC(4),
	}
}

var custodyCase = caseOf(kindCase[wallets.AddressID, wallets.Custody]{
	kind: wallets.CustodyKind,
	row: inScope(func(n int) wallets.Custody { return newCustody(address(n)) },
		func(c *wallets.Custody, scope ferry.Scope) { c.Scope = scope }),
	change: func(c *wallets.Custody) {
		c.Cursor, c.ChangeToken, c.PendingToken, c.PendingReads, c.ScannedAt = "c2", "m2", "", 0, time.Time{}
		c.OnChain, c.Committed = money.USDC(3), money.USDC(0)
	},
	before: func(ctx context.Context, p store.Ports, c wallets.Custody) error {
		return insertAddressOf(ctx, p, c.ID, c.Scope)
	},
})

func custodyOf(a wallets.Address) func(context.Context, store.Ports) (wallets.Custody, error) {
	return custodyCase.in(a.Scope, newCustody(a))
}

func updateCustody(c wallets.Custody) body { return custodyCase.updated(c) }

func testSurpluses(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("only surpluses come, the greatest first, for a business or for all", func(t *testing.T) {
		b := open(t)
		with := func(a wallets.Address, onChain, committed int64) {
			c := newCustody(a)
			c.OnChain, c.Committed = money.USDC(onChain), money.USDC(committed)
			write(t, b, custodyCase.inserted(c))
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

		row := look(t, b, custodyOf(address(2)))
		row.Committed = money.USDC(97)
		write(t, b, updateCustody(row))
		require.Equal(t, []wallets.AddressID{address(1).ID, address(2).ID}, surpluses(home, 9))
		row = look(t, b, custodyOf(address(2)))
		row.Committed = money.USDC(100)
		write(t, b, updateCustody(row))
		require.Equal(t, []wallets.AddressID{address(1).ID}, surpluses(home, 9))
	})
}

func custodyIDs(list []wallets.Custody) []wallets.AddressID {
	var ids []wallets.AddressID
	for _, c := range list {
		ids = append(ids, c.ID)
	}
	return ids
}
