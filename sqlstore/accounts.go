package sqlstore

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/accounts"
)

const accountRows = "collection_accounts"

// The unique indexes of collection accounts.
const (
	accountByReference = iota
	accountByNumber
)

var accountTable = define(table[accounts.Account]{
	name: accountRows,
	key:  []string{"id"},
	fields: func(a *accounts.Account) []field {
		naira := money.AssetNGN
		return []field{
			col("id", &a.ID),
			col("env", &a.Scope.Env),
			col("business", &a.Scope.Business),
			col("kind", &a.Kind),
			col("reference", &a.Reference),
			col("status", &a.Status),
			col("amount", amount(&a.Amount, &naira)),
			col("valid_for", &a.ValidFor),
			col("expires_at", instant(&a.ExpiresAt)),
			col("bank_code", &a.Bank.BankCode),
			col("bank_name", &a.Bank.BankName),
			col("number", &a.Bank.AccountNumber),
			col("name", &a.Bank.AccountName),
			col("received", amount(&a.Received, &naira)),
			col("credits", &a.Count),
			col("last_at", instant(&a.LastAt)),
			col("identity", &a.Identity),
			col("customer", optional(&a.Customer)),
			col("email", &a.Email),
			col("phone", &a.Phone),
			col("created_at", instant(&a.CreatedAt)),
			col("updated_at", instant(&a.UpdatedAt)),
			col("search", folded(a)),
		}
	},
	version: func(a *accounts.Account) *int64 { return &a.Version },
	scope:   func(a accounts.Account) ferry.Scope { return a.Scope },
	unique: []unique[accounts.Account]{
		accountByReference: {columns: []string{"env", "business", "kind", "reference"}, taken: accounts.ErrDuplicateReference},
		accountByNumber:    {columns: []string{"env", "number"}},
	},
	lists: func(a accounts.Account) []string {
		return []string{
			listName(accountRows, a.Scope, string(a.Kind)), listName(accountRows, a.Scope, string(a.Kind), string(a.Status)),
		}
	},
	missing: accounts.ErrNotFound,
	keep: func(stored accounts.Account, a *accounts.Account) {
		a.Kind, a.Reference = stored.Kind, stored.Reference
		a.Bank, a.CreatedAt = stored.Bank, stored.CreatedAt
	},
})

type accountStore struct{ *unit }

var _ accounts.Store = accountStore{}

// Accounts returns the port of collection accounts.
func (u *unit) Accounts() accounts.Store { return accountStore{u} }

func (s accountStore) Insert(_ context.Context, a accounts.Account) error {
	return accountTable.insert(s.unit, a)
}

func (s accountStore) Account(ctx context.Context, scope ferry.Scope, id accounts.ID) (accounts.Account, error) {
	return accountTable.owned(ctx, s.unit, scope, id)
}

func (s accountStore) ByReference(ctx context.Context, scope ferry.Scope, kind accounts.Kind, reference string) (accounts.Account, error) {
	return accountTable.find(ctx, s.unit, accountByReference, scope.Env, scope.Business, kind, reference)
}

func (s accountStore) ByNumber(ctx context.Context, env ferry.Env, number string) (accounts.Account, error) {
	return accountTable.find(ctx, s.unit, accountByNumber, env, number)
}

func (s accountStore) Update(ctx context.Context, a accounts.Account) error {
	return accountTable.update(ctx, s.unit, a)
}

func (s accountStore) List(ctx context.Context, scope ferry.Scope, f accounts.Filter, page ferry.Page) (ferry.List[accounts.Account], error) {
	rows := inScope(scope).and("kind = ?", f.Kind).equal("status", string(f.Status)).
		equal("reference", f.Reference).equal("customer", string(f.Customer)).
		searching(f.Search, "reference", "number", "name", "email").within(f.Range)
	switch {
	case !f.OnlyListed():
	case f.Status == "":
		rows.counted(listName(accountRows, scope, string(f.Kind)))
	default:
		rows.counted(listName(accountRows, scope, string(f.Kind), string(f.Status)))
	}
	return accountTable.page(ctx, s.unit, rows, page)
}
