package wallets

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/records"
)

// onChain finds an address by what it is on the chain: an environment manages it once.
var onChain = &records.Unique{Columns: []string{"env", "address"}}

// AddressKind is what an address is as a row. No update changes the sums of what came in:
// see Store.CountArrival.
var AddressKind = records.Define(records.Kind[AddressID, Address]{
	Name: "addresses",
	Columns: func(a *Address) []records.Column {
		return []records.Column{
			records.ID(&a.ID), records.Owner(&a.Scope), records.Version(&a.Version),
			records.Text("wallet", &a.Wallet),
			records.Text("wallet_reference", &a.WalletReference),
			records.Text("address", &a.Address),
			records.Text("label", &a.Label),
			records.Word("status", &a.Status, AddressLifecycle.States()...),
			records.Bool("is_primary", &a.Primary),
			records.Document("metadata", &a.Metadata),
			records.Amount("total_received", &a.TotalReceived, Asset),
			records.Int("deposit_count", &a.DepositCount),
			records.Time("last_deposit_at", &a.LastDepositAt),
			records.CreatedAt(&a.CreatedAt), records.Time("updated_at", &a.UpdatedAt),
		}
	},
	Scope:   func(a *Address) ferry.Scope { return a.Scope },
	Unique:  []*records.Unique{onChain},
	Fixed:   []string{"wallet", "wallet_reference", "address", "is_primary"},
	Summed:  []string{"total_received", "deposit_count", "last_deposit_at"},
	Lists:   [][]string{{}, {"wallet"}, {"status"}},
	Missing: ErrAddressNotFound,
})

// AddressAt returns the address of any business that is this one on the chain, or
// ErrAddressNotFound.
func AddressAt(ctx context.Context, tx records.Tx, env ferry.Env, address chain.Address) (Address, error) {
	return AddressKind.Find(ctx, tx, onChain, Address{Scope: ferry.Scope{Env: env}, Address: address})
}

// Query selects the addresses that the filter keeps, whatever they hold.
func (f AddressFilter) Query() records.Query {
	return records.Where(records.Is("wallet", f.Wallet), records.Is("status", f.Status))
}

// list returns one page of the addresses that the filter keeps, newest first.
func (f AddressFilter) list(ctx context.Context, tx Tx, scope ferry.Scope, page ferry.Page) (ferry.List[Address], error) {
	if f.HasBalance != nil {
		return tx.Wallets().AddressesByBalance(ctx, scope, f.Query(), *f.HasBalance, page)
	}
	return AddressKind.Page(ctx, tx, scope, f.Query(), page)
}

// addressesOf selects the addresses of a wallet.
func addressesOf(w Wallet) records.Query {
	return records.Where(records.Is("env", w.Scope.Env), records.Is("business", w.Scope.Business), records.Is("wallet", w.ID))
}

// SealedKeyKind is what the sealed key of an address is as a row.
var SealedKeyKind = records.Define(records.Kind[AddressID, SealedKey]{
	Name: "address_keys",
	Columns: func(k *SealedKey) []records.Column {
		return []records.Column{
			records.ID(&k.ID), records.Owner(&k.Scope), records.Version(&k.Version),
			records.Text("wallet", &k.Wallet),
			records.Text("public_key", &k.PublicKey),
			records.Int("key_version", &k.KeyVersion),
			records.Bytes("sealed", &k.Sealed),
			records.CreatedAt(&k.CreatedAt),
		}
	},
	Scope:   func(k *SealedKey) ferry.Scope { return k.Scope },
	Fixed:   []string{"wallet", "public_key"},
	Groups:  []records.Group{{By: []string{"env"}}},
	Missing: ErrAddressNotFound,
})

// CustodyKind is what the custody of an address is as a row.
var CustodyKind = records.Define(records.Kind[AddressID, Custody]{
	Name: "custodies",
	Columns: func(c *Custody) []records.Column {
		return []records.Column{
			records.ID(&c.ID), records.Owner(&c.Scope), records.Version(&c.Version),
			records.Text("wallet", &c.Wallet),
			records.Text("address", &c.Address),
			records.Text("cursor", &c.Cursor),
			records.Text("mark", &c.ChangeToken),
			records.Text("doubt", &c.PendingToken),
			records.Int("looks", &c.PendingReads),
			records.Time("scanned_at", &c.ScannedAt),
			records.Time("awaited_until", &c.AwaitedUntil),
			records.Amount("on_chain", &c.OnChain, Asset),
			records.Amount("committed", &c.Committed, Asset),
		}
	},
	Scope:   func(c *Custody) ferry.Scope { return c.Scope },
	Fixed:   []string{"wallet", "address"},
	Groups:  []records.Group{{By: []string{"env"}}},
	Missing: ErrAddressNotFound,
})

// CustodiesIn selects the custodies of an environment.
func CustodiesIn(env ferry.Env) records.Query { return records.Where(records.Is("env", env)) }

// CustodyOf returns the custody of an address of any business of an environment, or
// ErrAddressNotFound.
func CustodyOf(ctx context.Context, tx records.Tx, env ferry.Env, id AddressID) (Custody, error) {
	c, err := CustodyKind.Anyones(ctx, tx, Custody{ID: id})
	if err == nil && c.Scope.Env != env {
		return Custody{}, ErrAddressNotFound
	}
	return c, err
}
