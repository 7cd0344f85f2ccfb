package sqlstore

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

const addressRows = "addresses"

// addressOnChain is the unique index of addresses by what they are on the chain.
const addressOnChain = 0

var addressTable = define(table[wallets.Address]{
	name: addressRows,
	key:  []string{"id"},
	fields: func(a *wallets.Address) []field {
		return []field{
			col("id", &a.ID),
			col("env", &a.Scope.Env),
			col("business", &a.Scope.Business),
			col("wallet", &a.Wallet),
			col("wallet_reference", &a.WalletReference),
			col("address", &a.Address),
			col("label", &a.Label),
			col("status", &a.Status),
			col("is_primary", &a.Primary),
			col("metadata", document(&a.Metadata)),
			sum("total_received", usdc(&a.TotalReceived)),
			sum("deposit_count", &a.DepositCount),
			sum("last_deposit_at", instant(&a.LastDepositAt)),
			col("created_at", instant(&a.CreatedAt)),
			col("updated_at", instant(&a.UpdatedAt)),
		}
	},
	version: func(a *wallets.Address) *int64 { return &a.Version },
	scope:   func(a wallets.Address) ferry.Scope { return a.Scope },
	unique:  []unique[wallets.Address]{addressOnChain: {columns: []string{"env", "address"}}},
	lists: func(a wallets.Address) []string {
		return walletLists(addressRows, a.Scope, a.Wallet, string(a.Status))
	},
	missing: wallets.ErrAddressNotFound,
	keep: func(stored wallets.Address, a *wallets.Address) {
		a.Address, a.Wallet, a.CreatedAt = stored.Address, stored.Wallet, stored.CreatedAt
		a.TotalReceived, a.DepositCount, a.LastDepositAt = stored.TotalReceived, stored.DepositCount, stored.LastDepositAt
	},
})

var addressKeyTable = define(table[wallets.SealedKey]{
	name: "address_keys",
	key:  []string{"id"},
	fields: func(k *wallets.SealedKey) []field {
		return []field{
			col("id", &k.ID),
			col("env", &k.Scope.Env),
			col("business", &k.Scope.Business),
			col("wallet", &k.Wallet),
			col("public_key", &k.PublicKey),
			col("key_version", &k.KeyVersion),
			col("sealed", &k.Sealed),
			col("created_at", instant(&k.CreatedAt)),
		}
	},
	version: func(k *wallets.SealedKey) *int64 { return &k.Version },
	scope:   func(k wallets.SealedKey) ferry.Scope { return k.Scope },
	missing: wallets.ErrAddressNotFound,
	keep: func(stored wallets.SealedKey, k *wallets.SealedKey) {
		k.Wallet, k.PublicKey, k.CreatedAt = stored.Wallet, stored.PublicKey, stored.CreatedAt
	},
})

func (s walletStore) InsertAddress(_ context.Context, a wallets.Address, k wallets.SealedKey, c wallets.Custody) error {
	if err := addressTable.insert(s.unit, a); err != nil {
		return err
	}
	if err := addressKeyTable.insert(s.unit, k); err != nil {
		return err
	}
	return custodyTable.insert(s.unit, c)
}

func (s walletStore) Address(ctx context.Context, scope ferry.Scope, id wallets.AddressID) (wallets.Address, error) {
	return addressTable.owned(ctx, s.unit, scope, id)
}

func (s walletStore) AddressAt(ctx context.Context, env ferry.Env, address chain.Address) (wallets.Address, error) {
	return addressTable.find(ctx, s.unit, addressOnChain, env, address)
}

func (s walletStore) UpdateAddress(ctx context.Context, a wallets.Address) error {
	return addressTable.update(ctx, s.unit, a)
}

func (s walletStore) CountArrival(_ context.Context, id wallets.AddressID, received money.Amount, at time.Time) error {
	if err := s.writable(); err != nil {
		return err
	}
	instant := at.UnixMicro()
	s.do(notCounted(id), `UPDATE addresses SET total_received = total_received + ?, deposit_count = deposit_count + 1,
		last_deposit_at = CASE WHEN last_deposit_at > ? THEN last_deposit_at ELSE ? END WHERE id = ? AND total_received <= ?`,
		received.Minor(), instant, instant, string(id), math.MaxInt64-received.Minor())
	return nil
}

// notCounted explains why an arrival could not be counted.
func notCounted(id wallets.AddressID) func(context.Context, asker) error {
	return func(ctx context.Context, a asker) error {
		var n int64
		found, err := one(ctx, a, "SELECT 1 FROM addresses WHERE id = ?", []any{string(id)}, &n)
		switch {
		case err != nil:
			return err
		case found:
			return fmt.Errorf("%w: total received on %s", money.ErrOverflow, id)
		}
		return wallets.ErrAddressNotFound
	}
}

func (s walletStore) Addresses(ctx context.Context, scope ferry.Scope, f wallets.AddressFilter, page ferry.Page) (ferry.List[wallets.Address], error) {
	return addressTable.page(ctx, s.unit, addressesOf(scope, f), page)
}

// accountOfAddress is what turns the id of an address into that of its account.
var accountOfAddress = string(ledger.AddressAccount(""))

// holdsMoney is the condition that something can be sent from an address. Its
// parameter is accountOfAddress.
const holdsMoney = `EXISTS (SELECT 1 FROM accounts WHERE accounts.id = ? || addresses.id AND accounts.posted > accounts.reserved)`

// addressesOf returns the filter of a list of addresses.
func addressesOf(scope ferry.Scope, f wallets.AddressFilter) *filter {
	rows := inScope(scope).counted(walletList(addressRows, scope, f.Wallet, string(f.Status)))
	if f.Wallet != "" {
		rows.and("wallet = ?", f.Wallet)
	}
	if f.Status != "" {
		rows.and("status = ?", f.Status)
	}
	switch {
	case f.HasBalance == nil:
		return rows
	case *f.HasBalance:
		return rows.and(holdsMoney, accountOfAddress).counted("")
	}
	return rows.and("NOT "+holdsMoney, accountOfAddress).counted("")
}

func (s walletStore) SummarizeAddresses(ctx context.Context, scope ferry.Scope, f wallets.AddressFilter) (wallets.AddressSummary, error) {
	rows := addressesOf(scope, f)
	args, err := plainAll(append([]any{accountOfAddress}, rows.args...))
	if err != nil {
		return wallets.AddressSummary{}, err
	}
	var sum wallets.AddressSummary
	_, err = s.row(ctx, `SELECT count(*), coalesce(sum(CASE WHEN status = 'active' THEN 1 ELSE 0 END), 0),
		CAST(coalesce(sum((SELECT posted - reserved FROM accounts WHERE accounts.id = ? || addresses.id)), 0) AS BIGINT),
		CAST(coalesce(sum(total_received), 0) AS BIGINT) FROM addresses WHERE `+rows.where(), args,
		&sum.Total, &sum.Active, usdc(&sum.Balance), usdc(&sum.Received))
	return sum, err
}

func (s walletStore) AddressesOf(ctx context.Context, scope ferry.Scope, id wallets.ID) ([]wallets.Address, error) {
	f := inScope(scope).and("wallet = ?", id)
	return addressTable.read(ctx, s.unit, f.where()+" ORDER BY created_at, id", f.args)
}

func (s walletStore) Key(ctx context.Context, scope ferry.Scope, id wallets.AddressID) (wallets.SealedKey, error) {
	return addressKeyTable.owned(ctx, s.unit, scope, id)
}

func (s walletStore) UpdateKey(ctx context.Context, k wallets.SealedKey) error {
	return addressKeyTable.update(ctx, s.unit, k)
}

func (s walletStore) SealedKeys(ctx context.Context, env ferry.Env, after wallets.AddressID, limit int) ([]wallets.SealedKey, error) {
	return addressKeyTable.read(ctx, s.unit, "env = ? AND id > ? ORDER BY id LIMIT ?", []any{env, after, limit})
}
