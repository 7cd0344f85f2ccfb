package accounts

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
)

// ByReference finds an account of a scope by Kind and Reference; ByNumber one of any
// business of an environment by the number that it has at the bank.
var (
	ByReference = &records.Unique{Columns: []string{"env", "business", "kind", "reference"}, Taken: ErrDuplicateReference}
	byNumber    = &records.Unique{Columns: []string{"env", "number"}}
)

// AccountKind is what a collection account is as a row.
var AccountKind = records.Define(records.Kind[ID, Account]{
	Name: "collection_accounts",
	Columns: func(a *Account) []records.Column {
		return []records.Column{
			records.ID(&a.ID), records.Owner(&a.Scope), records.Version(&a.Version),
			records.Word("kind", &a.Kind, Virtual, Reserved),
			records.Text("reference", &a.Reference),
			records.Word("status", &a.Status, VirtualLifecycle.States()...),
			records.Amount("amount", &a.Amount, money.AssetNGN),
			records.Int("valid_for", &a.ValidFor),
			records.Time("expires_at", &a.ExpiresAt),
			records.Text("bank_code", &a.Bank.BankCode),
			records.Text("bank_name", &a.Bank.BankName),
			records.Text("number", &a.Bank.AccountNumber),
			records.Text("name", &a.Bank.AccountName),
			records.Amount("received", &a.Received, money.AssetNGN),
			records.Int("credits", &a.Count),
			records.Time("last_at", &a.LastAt),
			records.Text("identity", &a.Identity),
			records.Optional("customer", &a.Customer),
			records.Text("email", &a.Email),
			records.Text("phone", &a.Phone),
			records.CreatedAt(&a.CreatedAt), records.Time("updated_at", &a.UpdatedAt),
		}
	},
	Scope:   func(a *Account) ferry.Scope { return a.Scope },
	Unique:  []*records.Unique{ByReference, byNumber},
	Fixed:   []string{"kind", "reference", "bank_code", "bank_name", "number", "name"},
	Lists:   [][]string{{"kind"}, {"kind", "status"}},
	Search:  []string{"reference", "number", "name", "email"},
	Missing: ErrNotFound,
})

// Query selects the accounts that the filter keeps.
func (f Filter) Query() records.Query {
	return records.Where(
		records.Is("kind", f.Kind), records.Is("status", f.Status), records.Is("reference", f.Reference), records.Is("customer", f.Customer),
	).During(f.Range).Searching(f.Search)
}

// numbered is an account as ByNumber finds it, and Referred as ByReference does.
func numbered(env ferry.Env, number string) (a Account) {
	a.Scope.Env, a.Bank.AccountNumber = env, number
	return a
}

// Referred is an account as ByReference finds it.
func Referred(scope ferry.Scope, kind Kind, reference string) Account {
	return Account{Scope: scope, Kind: kind, Reference: reference}
}
