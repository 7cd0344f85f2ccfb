package storetest

import (
	"context"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	onchain "github.com/ferrypay/ferry/provider/chain"
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

func insertAddress(a wallets.Address) body { return insertFunded(a, custody(a)) }

func insertFunded(a wallets.Address, c wallets.Custody) body {
	return func(ctx context.Context, p store.Ports) error {
		return p.Wallets().InsertAddress(ctx, a, sealedKey(a), c)
	}
}

func updateAddress(a wallets.Address) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().UpdateAddress(ctx, a) }
}

func countArrival(id wallets.AddressID, amount money.Amount, at time.Time) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().CountArrival(ctx, id, amount, at) }
}

func addressOf(scope ferry.Scope, id wallets.AddressID) func(context.Context, store.Ports) (wallets.Address, error) {
	return func(ctx context.Context, p store.Ports) (wallets.Address, error) {
		return p.Wallets().Address(ctx, scope, id)
	}
}

func addressAt(env ferry.Env, a onchain.Address) func(context.Context, store.Ports) (wallets.Address, error) {
	return func(ctx context.Context, p store.Ports) (wallets.Address, error) {
		return p.Wallets().AddressAt(ctx, env, a)
	}
}

func sealedKeyOf(scope ferry.Scope, id wallets.AddressID) func(context.Context, store.Ports) (wallets.SealedKey, error) {
	return func(ctx context.Context, p store.Ports) (wallets.SealedKey, error) {
		return p.Wallets().Key(ctx, scope, id)
	}
}

func testAddressRows(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("an address comes back with its key as it was inserted", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAddress(address(1)))
		want := address(1)
		want.Version = 1
		require.Equal(t, want, look(t, b, addressOf(home, want.ID)))
		require.Equal(t, want, look(t, b, addressAt(ferry.Test, want.Address)))
		key := sealedKey(want)
		key.Version = 1
		require.Equal(t, key, look(t, b, sealedKeyOf(home, want.ID)))
	})
	t.Run("an address without deposits comes back without them", func(t *testing.T) {
		b := open(t)
		want := address(1)
		want.TotalReceived, want.DepositCount, want.LastDepositAt, want.Metadata = money.USDC(0), 0, time.Time{}, ferry.Metadata{}
		write(t, b, insertAddress(want))
		want.Version = 1
		require.Equal(t, want, look(t, b, addressOf(home, want.ID)))
	})
	t.Run("an address is found by id in its scope, and on the chain for every business of its environment", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAddress(address(1)))
		for _, scope := range []ferry.Scope{away, live} {
			missing(t, b, wallets.ErrAddressNotFound, fails(addressOf(scope, address(1).ID)))
			missing(t, b, wallets.ErrAddressNotFound, fails(sealedKeyOf(scope, address(1).ID)))
			foreign := address(1)
			foreign.Scope, foreign.Version = scope, 1
			refuse(t, b, wallets.ErrAddressNotFound, updateAddress(foreign))
		}
		missing(t, b, wallets.ErrAddressNotFound, fails(addressAt(ferry.Live, address(1).Address)))
		missing(t, b, wallets.ErrAddressNotFound, fails(addressAt(ferry.Test, onchain.Address(idOf("a", 1)))))
		missing(t, b, wallets.ErrAddressNotFound, fails(addressAt(ferry.Test, "")))
	})
	t.Run("an address on the chain is managed once in an environment", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAddress(address(1)))
		again := address(2)
		again.Address = address(1).Address
		require.Error(t, b.Write(t.Context(), insertAddress(again)))
		missing(t, b, wallets.ErrAddressNotFound, fails(addressOf(home, again.ID)))
		again.Scope = live
		write(t, b, insertAddress(again))
	})
	t.Run("an update counts the version, refuses a former one and keeps what the address is on the chain", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAddress(address(1)))
		row := look(t, b, addressOf(home, address(1).ID))
		row.Status, row.Label, row.TotalReceived, row.Address = wallets.AddressInactive, "Other", money.USDC(9), "B"
		write(t, b, updateAddress(row))
		staleWrite(t, b, updateAddress(row))
		row.Version, row.TotalReceived, row.Address = 2, address(1).TotalReceived, address(1).Address
		require.Equal(t, row, look(t, b, addressOf(home, row.ID)))
		missing(t, b, wallets.ErrAddressNotFound, fails(addressAt(ferry.Test, "B")))
	})
	t.Run("an arrival is counted without a new version, and beside an update", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAddress(address(1)))
		row := look(t, b, addressOf(home, address(1).ID))
		write(t, b, countArrival(row.ID, money.USDC(7), after(9)))
		write(t, b, countArrival(row.ID, money.USDC(1), after(8)))
		row.Label = "Other"
		write(t, b, updateAddress(row))
		row.TotalReceived, row.DepositCount, row.LastDepositAt, row.Version = money.USDC(13), 5, after(9), 2
		require.Equal(t, row, look(t, b, addressOf(home, row.ID)))
	})
	t.Run("arrivals at once are all counted, and no body runs again for it", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAddress(address(1)))
		var runs atomic.Int64
		for _, err := range race(16, func(int) error {
			return b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
				runs.Add(1)
				a, err := p.Wallets().Address(ctx, home, address(1).ID)
				if err != nil {
					return err
				}
				return p.Wallets().CountArrival(ctx, a.ID, money.USDC(1), after(9))
			})
		}) {
			require.NoError(t, err)
		}
		row := look(t, b, addressOf(home, address(1).ID))
		require.Equal(t, money.USDC(21), row.TotalReceived)
		require.EqualValues(t, 19, row.DepositCount)
		require.LessOrEqual(t, runs.Load(), int64(32), "a decorator runs each body twice at most")
	})
	t.Run("an arrival of nobody, or one too great for the sum, is refused", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAddress(address(1)))
		refuse(t, b, wallets.ErrAddressNotFound, countArrival(address(2).ID, money.USDC(1), after(9)))
		refuse(t, b, money.ErrOverflow, countArrival(address(1).ID, money.USDC(math.MaxInt64-4), after(9)))
		require.Equal(t, address(1).TotalReceived, look(t, b, addressOf(home, address(1).ID)).TotalReceived)
	})
	t.Run("a wallet's addresses come oldest first", func(t *testing.T) {
		b := open(t)
		foreign := address(3)
		foreign.Wallet = custodyWallet(2).ID
		for _, a := range []wallets.Address{address(2), address(1), foreign} {
			write(t, b, insertAddress(a))
		}
		of := func(scope ferry.Scope) []wallets.AddressID {
			var ids []wallets.AddressID
			for _, a := range look(t, b, func(ctx context.Context, p store.Ports) ([]wallets.Address, error) {
				return p.Wallets().AddressesOf(ctx, scope, custodyWallet(1).ID)
			}) {
				ids = append(ids, a.ID)
			}
			return ids
		}
		require.Equal(t, []wallets.AddressID{address(1).ID, address(2).ID}, of(home))
		require.Empty(t, of(away))
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

func testAddressLists(t *testing.T, open func(*testing.T) store.Backend) {
	list := func(f wallets.AddressFilter) func(context.Context, store.Ports, ferry.Page) (ferry.List[wallets.Address], error) {
		return func(ctx context.Context, p store.Ports, page ferry.Page) (ferry.List[wallets.Address], error) {
			return p.Wallets().Addresses(ctx, home, f, page)
		}
	}
	yes, no := true, false
	for name, filter := range map[string]wallets.AddressFilter{
		"by status":            {Status: wallets.AddressInactive},
		"by wallet":            {Wallet: custodyWallet(2).ID},
		"by wallet and status": {Wallet: custodyWallet(2).ID, Status: wallets.AddressInactive},
		"by balance":           {HasBalance: &yes},
	} {
		t.Run(name, func(t *testing.T) {
			opened := func(t *testing.T) store.Backend {
				b := open(t)
				write(t, b, openSystem)
				return b
			}
			testListing(t, opened, listing[wallets.Address]{
				insert: func(ctx context.Context, p store.Ports, id string, at time.Time, match bool) error {
					a, balance := address(0), int64(0)
					a.ID, a.Address, a.CreatedAt = wallets.AddressID(id), onchain.Address(id), at
					if match {
						a.Status, a.Wallet, balance = wallets.AddressInactive, custodyWallet(2).ID, 7
					}
					if err := p.Wallets().InsertAddress(ctx, a, sealedKey(a), custody(a)); err != nil {
						return err
					}
					return openBalance(ctx, p, a, balance)
				},
				all: list(wallets.AddressFilter{}), matching: list(filter),
				prefix: "addr_", id: func(a wallets.Address) string { return string(a.ID) },
			})
		})
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
	t.Run("an address that changes its status changes lists", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAddress(address(1)))
		row := look(t, b, addressOf(home, address(1).ID))
		row.Status = wallets.AddressInactive
		write(t, b, updateAddress(row))
		for status, want := range map[wallets.AddressStatus]int{wallets.AddressActive: 0, wallets.AddressInactive: 1, "": 1} {
			found := look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[wallets.Address], error) {
				return list(wallets.AddressFilter{Status: status})(ctx, p, ferry.Page{})
			})
			require.Equal(t, want, found.Total, "status %q", status)
		}
	})
}
