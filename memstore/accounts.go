package memstore

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/payments/accounts"
)

type accountTables struct {
	accounts shelf[accounts.ID, accounts.Account]
}

// errNumberTaken refuses to give one number of a bank to two accounts.
var errNumberTaken = errors.New("memstore: the account number is taken")

var accountRows = shelving[accounts.ID, accounts.Account]{
	id:      func(a accounts.Account) accounts.ID { return a.ID },
	scope:   func(a accounts.Account) ferry.Scope { return a.Scope },
	created: func(a accounts.Account) time.Time { return a.CreatedAt },
	version: func(a *accounts.Account) *int64 { return &a.Version },
	names: func(a accounts.Account) []name {
		return []name{
			{nameOf(a.Scope, string(a.Kind), a.Reference), accounts.ErrDuplicateReference},
			{numberName(a.Scope.Env, a.Bank.AccountNumber), errNumberTaken},
		}
	},
	lists: func(a accounts.Account) []string {
		return []string{nameOf(a.Scope, string(a.Kind), ""), nameOf(a.Scope, string(a.Kind), string(a.Status))}
	},
	missing: accounts.ErrNotFound,
	keep: func(stored accounts.Account, a *accounts.Account) {
		a.Kind, a.Reference, a.Bank, a.CreatedAt = stored.Kind, stored.Reference, stored.Bank, stored.CreatedAt
	},
}

// numberName is the number of a bank account as a name.
func numberName(env ferry.Env, number string) string { return string(env) + "/number/" + number }

type accountStore struct{ *unit }

var _ accounts.Store = accountStore{}

// Accounts returns the port of collection accounts.
func (u *unit) Accounts() accounts.Store { return accountStore{u} }

func (s accountStore) Insert(_ context.Context, a accounts.Account) error {
	return accountRows.insert(s.unit, &s.tables.accounts.accounts, a)
}

func (s accountStore) Account(_ context.Context, scope ferry.Scope, id accounts.ID) (accounts.Account, error) {
	return accountRows.get(&s.tables.accounts.accounts, scope, id)
}

func (s accountStore) ByReference(_ context.Context, scope ferry.Scope, kind accounts.Kind, reference string) (accounts.Account, error) {
	return accountRows.find(&s.tables.accounts.accounts, nameOf(scope, string(kind), reference))
}

func (s accountStore) ByNumber(_ context.Context, env ferry.Env, number string) (accounts.Account, error) {
	return accountRows.find(&s.tables.accounts.accounts, numberName(env, number))
}

func (s accountStore) Update(_ context.Context, a accounts.Account) error {
	return accountRows.update(s.unit, &s.tables.accounts.accounts, a)
}

func (s accountStore) List(_ context.Context, scope ferry.Scope, f accounts.Filter, page ferry.Page) (ferry.List[accounts.Account], error) {
	if f.OnlyListed() {
		return accountRows.page(&s.tables.accounts.accounts, nameOf(scope, string(f.Kind), string(f.Status)), page, nil), nil
	}
	return accountRows.page(&s.tables.accounts.accounts, nameOf(scope, string(f.Kind), ""), page, f.Matches), nil
}
