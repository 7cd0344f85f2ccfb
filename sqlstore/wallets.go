package sqlstore

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/wallets"
)

const walletRows = "wallets"

// walletReference is the unique index of wallets by reference.
const walletReference = 0

var walletTable = define(table[wallets.Wallet]{
	name: walletRows,
	key:  []string{"id"},
	fields: func(w *wallets.Wallet) []field {
		return []field{
			col("id", &w.ID),
			col("env", &w.Scope.Env),
			col("business", &w.Scope.Business),
			col("reference", &w.Reference),
			col("label", &w.Label),
			col("status", &w.Status),
			col("suspended_by", &w.SuspendedBy),
			col("primary_id", &w.Primary),
			col("primary_address", &w.PrimaryAddress),
			col("customer", optional(&w.CustomerID)),
			col("metadata", document(&w.Metadata)),
			col("created_at", instant(&w.CreatedAt)),
			col("updated_at", instant(&w.UpdatedAt)),
			col("search", folded(w)),
		}
	},
	version: func(w *wallets.Wallet) *int64 { return &w.Version },
	scope:   func(w wallets.Wallet) ferry.Scope { return w.Scope },
	unique: []unique[wallets.Wallet]{
		walletReference: {columns: []string{"env", "business", "reference"}, taken: wallets.ErrDuplicateReference},
	},
	lists: func(w wallets.Wallet) []string {
		lists := []string{listName(walletRows, w.Scope), listName(walletRows, w.Scope, string(w.Status))}
		if w.CustomerID != "" {
			lists = append(lists, walletsOfCustomer(w.Scope, w.CustomerID, ""), walletsOfCustomer(w.Scope, w.CustomerID, w.Status))
		}
		return lists
	},
	missing: wallets.ErrWalletNotFound,
	keep: func(stored wallets.Wallet, w *wallets.Wallet) {
		w.Reference, w.CustomerID, w.CreatedAt = stored.Reference, stored.CustomerID, stored.CreatedAt // what it is listed by never changes
	},
})

type walletStore struct{ *unit }

var _ wallets.Store = walletStore{}

// Wallets returns the port of wallets, their addresses and transfers.
func (u *unit) Wallets() wallets.Store { return walletStore{u} }

func (s walletStore) InsertWallet(_ context.Context, w wallets.Wallet) error {
	return walletTable.insert(s.unit, w)
}

func (s walletStore) Wallet(ctx context.Context, scope ferry.Scope, id wallets.ID) (wallets.Wallet, error) {
	return walletTable.owned(ctx, s.unit, scope, id)
}

func (s walletStore) WalletByReference(ctx context.Context, scope ferry.Scope, reference string) (wallets.Wallet, error) {
	return walletTable.find(ctx, s.unit, walletReference, scope.Env, scope.Business, reference)
}

func (s walletStore) UpdateWallet(ctx context.Context, w wallets.Wallet) error {
	return walletTable.update(ctx, s.unit, w)
}

func (s walletStore) Wallets(ctx context.Context, scope ferry.Scope, f wallets.WalletFilter, page ferry.Page) (ferry.List[wallets.Wallet], error) {
	return walletTable.page(ctx, s.unit, walletsOf(scope, f), page)
}

// walletsOf returns the filter of a list of wallets.
func walletsOf(scope ferry.Scope, f wallets.WalletFilter) *filter {
	rows := inScope(scope).equal("status", string(f.Status)).equal("customer", f.CustomerID).
		searching(f.Search, "reference", "label")
	switch {
	case !f.OnlyListed():
		return rows.within(f.Range)
	case f.CustomerID != "":
		return rows.counted(walletsOfCustomer(scope, f.CustomerID, f.Status))
	case f.Status != "":
		return rows.counted(listName(walletRows, scope, string(f.Status)))
	}
	return rows.counted(listName(walletRows, scope))
}

// walletsOfCustomer names the list of a customer's wallets, in every status or one.
func walletsOfCustomer(scope ferry.Scope, customer string, status wallets.Status) string {
	return listName(walletRows, scope, "", customer, string(status))
}

// walletLists names the lists of what belongs to wallets: that of a scope and that
// of a wallet, each in every status and in one.
func walletLists(table string, scope ferry.Scope, id wallets.ID, status string) []string {
	return []string{
		walletList(table, scope, "", ""), walletList(table, scope, "", status),
		walletList(table, scope, id, ""), walletList(table, scope, id, status),
	}
}

// walletList names one of them; an empty wallet or status stands for every one.
func walletList(table string, scope ferry.Scope, id wallets.ID, status string) string {
	return listName(table, scope, string(id), status)
}
