package storetest

import (
	"context"
	"errors"
	"math"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	onchain "github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// address is the n-th address of the first wallet, with no field empty.
func address(n int) wallets.Address {
	return wallets.Address{
		ID: wallets.AddressID(idOf("addr_", n)), Scope: home, Wallet: custodyWallet(1).ID, WalletReference: custodyWallet(1).Reference,
		Address: onchain.Address(idOf("A", n)), Label: "Order", Status: wallets.AddressActive, Primary: n == 1,
		Metadata: ferry.Metadata{"order": "17"}, TotalReceived: money.USDC(5), DepositCount: 3, LastDepositAt: after(n),
		CreatedAt: after(n), UpdatedAt: after(n),
	}
}

func sealedKey(a wallets.Address) wallets.SealedKey {
	return wallets.SealedKey{
		ID: a.ID, Scope: a.Scope, Wallet: a.Wallet, PublicKey: a.Address, KeyVersion: 1, Sealed: []byte{0, 1, 255}, CreatedAt: after(1),
	}
}

var addressCase = caseOf(kindCase[wallets.AddressID, wallets.Address]{
	kind: wallets.AddressKind,
	row:  inScope(address, func(a *wallets.Address, scope ferry.Scope) { a.Scope = scope }),
	change: func(a *wallets.Address) {
		a.Status, a.Label, a.Metadata = wallets.AddressInactive, "Other", ferry.Metadata{}
	},
	vary: func(a *wallets.Address, n int) {
		if n%2 == 0 {
			a.Wallet, a.Status, a.LastDepositAt = custodyWallet(2).ID, wallets.AddressInactive, time.Time{}
		}
	},
})

var _ = caseOf(kindCase[wallets.AddressID, wallets.SealedKey]{
	kind: wallets.SealedKeyKind,
	row: inScope(func(n int) wallets.SealedKey { return sealedKey(address(n)) },
		func(k *wallets.SealedKey, scope ferry.Scope) { k.Scope = scope }),
	needed: []string{"sealed"},
	change: func(k *wallets.SealedKey) { k.KeyVersion, k.Sealed = 3, []byte{9, 0, 9} },
	before: func(ctx context.Context, p store.Ports, k wallets.SealedKey) error {
		return insertAddressOf(ctx, p, k.ID, k.Scope)
	},
})

// insertAddressOf adds the address of a key or a custody, unless it is there.
func insertAddressOf(ctx context.Context, p store.Ports, id wallets.AddressID, scope ferry.Scope) error {
	if _, err := wallets.AddressKind.Anyones(ctx, p, wallets.Address{ID: id}); !errors.Is(err, wallets.ErrAddressNotFound) {
		return err
	}
	a := address(1)
	a.ID, a.Scope, a.Address = id, scope, onchain.Address(id)
	return wallets.AddressKind.Insert(ctx, p, a)
}

func insertAddress(a wallets.Address) body { return addressCase.inserted(a) }

func addressOf(a wallets.Address) func(context.Context, store.Ports) (wallets.Address, error) {
	return addressCase.in(a.Scope, a)
}

func countArrival(id wallets.AddressID, amount money.Amount, at time.Time) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().CountArrival(ctx, id, amount, at) }
}

func testAddressRows(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("an arrival is counted without a new version, and beside an update", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAddress(address(1)))
		row := look(t, b, addressOf(address(1)))
		write(t, b, countArrival(row.ID, money.USDC(7), after(9)))
		write(t, b, countArrival(row.ID, money.USDC(1), after(8)))
		row.Label = "Other"
		write(t, b, addressCase.updated(row))
		row.TotalReceived, row.DepositCount, row.LastDepositAt, row.Version = money.USDC(13), 5, after(9), 2
		require.Equal(t, row, look(t, b, addressOf(row)))
	})
	t.Run("arrivals at once are all counted, and no body runs again for it", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAddress(address(1)))
		var runs atomic.Int64
		together(t, 16, func(int) error {
			return b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
				runs.Add(1)
				a, err := wallets.AddressKind.Get(ctx, p, home, address(1).ID)
				if err != nil {
					return err
				}
				return p.Wallets().CountArrival(ctx, a.ID, money.USDC(1), after(9))
			})
		})
		row := look(t, b, addressOf(address(1)))
		require.Equal(t, money.USDC(21), row.TotalReceived)
		require.EqualValues(t, 19, row.DepositCount)
		require.LessOrEqual(t, runs.Load(), int64(32), "a decorator runs each body twice at most")
	})
	t.Run("an arrival of nobody, or one too great for the sum, is refused", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAddress(address(1)))
		refuse(t, b, wallets.ErrAddressNotFound, countArrival(address(2).ID, money.USDC(1), after(9)))
		refuse(t, b, money.ErrOverflow, countArrival(address(1).ID, money.USDC(math.MaxInt64-4), after(9)))
		require.Equal(t, address(1).TotalReceived, look(t, b, addressOf(address(1))).TotalReceived)
	})
}

// openBalance opens the account of an address and puts so much on it.
func openBalance(ctx context.Context, p store.Ports, a wallets.Address, minor int64) error {
	account := ledger.AddressAccount(string(a.ID))
	if err := p.Ledger().OpenAccount(ctx, ledger.Account{ID: account, Scope: a.Scope, Asset: money.AssetUSDC}); err != nil || minor == 0 {
		return err
	}
	outside := ledger.SystemAccount(a.Scope.Env, ledger.Chain, money.AssetUSDC)
	return ledger.Post(ctx, p.Ledger(), ledger.Move(
		ledger.PostingID(a.ID), a.Scope.Env, "deposit", string(a.ID), outside, account, money.USDC(minor), start))
}

func openSystem(ctx context.Context, p store.Ports) error {
	for _, account := range ledger.SystemAccounts(ferry.Test) {
		if err := p.Ledger().OpenAccount(ctx, account); err != nil {
			return err
		}
	}
	return nil
}

func testAddressSums(t *testing.T, open func(*testing.T) store.Backend) {
	yes, no := true, false
	for name, funded := range map[string]bool{"which hold something": true, "which hold nothing": false} {
		t.Run("addresses are listed "+name, func(t *testing.T) { testAddressesByBalance(t, open, funded) })
	}
	t.Run("a summary sums all that match, balances without what is reserved", func(t *testing.T) {
		b := open(t)
		inactive, foreign := address(2), address(3)
		inactive.Status = wallets.AddressInactive
		foreign.Scope = away
		write(t, b, openSystem)
		for a, balance := range map[*wallets.Address]int64{new(address(1)): 100, &inactive: 0, &foreign: 50} {
			write(t, b, insertAddress(*a))
			write(t, b, func(ctx context.Context, p store.Ports) error { return openBalance(ctx, p, *a, balance) })
		}
		write(t, b, func(ctx context.Context, p store.Ports) error {
			return ledger.Reserve(ctx, p.Ledger(), ledger.Reservation{
				ID: "r", Account: ledger.AddressAccount(string(address(1).ID)), Amount: money.USDC(30), At: start,
			})
		})
		for _, c := range []struct {
			filter wallets.AddressFilter
			want   wallets.AddressSummary
		}{
			{wallets.AddressFilter{}, wallets.AddressSummary{Total: 2, Active: 1, Balance: money.USDC(70), Received: money.USDC(10)}},
			{wallets.AddressFilter{HasBalance: &yes}, wallets.AddressSummary{Total: 1, Active: 1, Balance: money.USDC(70), Received: money.USDC(5)}},
			{wallets.AddressFilter{HasBalance: &no}, wallets.AddressSummary{Total: 1, Balance: money.USDC(0), Received: money.USDC(5)}},
			{wallets.AddressFilter{Status: wallets.AddressInactive}, wallets.AddressSummary{Total: 1, Balance: money.USDC(0), Received: money.USDC(5)}},
			{wallets.AddressFilter{Wallet: custodyWallet(9).ID}, wallets.AddressSummary{Balance: money.USDC(0), Received: money.USDC(0)}},
		} {
			require.Equal(t, c.want, look(t, b, func(ctx context.Context, p store.Ports) (wallets.AddressSummary, error) {
				return p.Wallets().SummarizeAddresses(ctx, home, c.filter)
			}))
		}
	})
}

// testAddressesByBalance lists the addresses that hold something, or nothing, of a wallet.
func testAddressesByBalance(t *testing.T, open func(*testing.T) store.Backend, funded bool) {
	opened := func(t *testing.T) store.Backend {
		b := open(t)
		write(t, b, openSystem)
		return b
	}
	testListing(t, opened, listing[wallets.Address]{
		insert: func(ctx context.Context, p store.Ports, id string, at time.Time, match bool) error {
			a, balance := address(0), int64(0)
			a.ID, a.Address, a.CreatedAt = wallets.AddressID(id), onchain.Address(id), at
			if match == funded {
				balance = 7
			}
			if err := wallets.AddressKind.Insert(ctx, p, a); err != nil {
				return err
			}
			return openBalance(ctx, p, a, balance)
		},
		all: func(ctx context.Context, p store.Ports, page ferry.Page) (ferry.List[wallets.Address], error) {
			return wallets.AddressKind.Page(ctx, p, home, records.Query{}, page)
		},
		matching: func(ctx context.Context, p store.Ports, page ferry.Page) (ferry.List[wallets.Address], error) {
			return p.Wallets().AddressesByBalance(ctx, home, wallets.AddressFilter{Wallet: custodyWallet(1).ID}.Query(), funded, page)
		},
		prefix: "addr_", id: func(a wallets.Address) string { return string(a.ID) },
	})
	t.Run("rows of the list are the caller's own", func(t *testing.T) {
		b := opened(t)
		want := address(1)
		write(t, b, insertAddress(want))
		write(t, b, func(ctx context.Context, p store.Ports) error {
			return openBalance(ctx, p, want, map[bool]int64{true: 7}[funded])
		})
		want.Version = 1
		write(t, b, func(ctx context.Context, p store.Ports) error {
			a, err := wallets.AddressKind.Get(ctx, p, home, want.ID)
			if err != nil {
				return err
			}
			scramble(reflect.ValueOf(&a))
			list, err := p.Wallets().AddressesByBalance(ctx, home, wallets.AddressFilter{}.Query(), funded, ferry.Page{Limit: 9})
			require.Equal(t, []wallets.Address{want}, list.Data)
			scramble(reflect.ValueOf(&list))
			return err
		})
		require.Equal(t, want, look(t, b, addressOf(want)))
	})
}
