package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/accounts"
	provider "github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/store"
)

// collectionAccount is the n-th account of a scope, with no field empty.
func collectionAccount(scope ferry.Scope, n int) accounts.Account {
	return accounts.Account{
		ID: accounts.ID(idOf("vacc_", n)), Scope: scope, Kind: accounts.Virtual, Reference: fmt.Sprintf("order-%d", n),
		Status: accounts.Active, Amount: money.NGN(100), ValidFor: time.Hour, ExpiresAt: after(n + 3600),
		Bank:     provider.Account{BankCode: "999", BankName: "Bank", AccountNumber: fmt.Sprintf("%s%09d", scope.Env[:1], n), AccountName: "Shop"},
		Received: money.NGN(7), Count: 2, LastAt: after(n + 1),
		Identity: "idn_1", Customer: "cus_1", Email: "ada@example.com", Phone: "08012345678", CreatedAt: after(n), UpdatedAt: after(n),
	}
}

var collectionRows = owned[accounts.Account]{
	row: collectionAccount,
	insert: func(ctx context.Context, p store.Ports, row accounts.Account) error {
		return p.Accounts().Insert(ctx, row)
	},
	get: func(ctx context.Context, p store.Ports, scope ferry.Scope, row accounts.Account) (accounts.Account, error) {
		return p.Accounts().Account(ctx, scope, row.ID)
	},
	update: func(ctx context.Context, p store.Ports, row accounts.Account) error {
		return p.Accounts().Update(ctx, row)
	},
	version: func(a *accounts.Account) *int64 { return &a.Version },
	change:  func(a *accounts.Account) { a.Status, a.Received = accounts.Completed, money.NGN(100) },
	missing: accounts.ErrNotFound,
	fixed:   []string{"Kind", "Reference", "Bank", "CreatedAt"},
}

var searchedAccounts = searched[accounts.Account]{
	owned: collectionRows, id: func(a accounts.Account) string { return string(a.ID) },
	places: map[string]func(*accounts.Account, string){
		"reference":      func(a *accounts.Account, is string) { a.Reference = is },
		"account number": func(a *accounts.Account, is string) { a.Bank.AccountNumber = is },
		"account name":   func(a *accounts.Account, is string) { a.Bank.AccountName = is },
		"email":          func(a *accounts.Account, is string) { a.Email = is },
	},
	put: func(a *accounts.Account, is string) { a.Email = is },
	list: func(ctx context.Context, p store.Ports, scope ferry.Scope, search string, page ferry.Page) (ferry.List[accounts.Account], error) {
		return p.Accounts().List(ctx, scope, accounts.Filter{Kind: accounts.Virtual, Search: search}, page)
	},
}

func testCollectionAccounts(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("accounts", func(t *testing.T) { collectionRows.test(t, open) })
	t.Run("an account is found by kind and reference, and by number whosever it is", func(t *testing.T) {
		b := open(t)
		row := collectionAccount(away, 1)
		write(t, b, collectionRows.inserted(row))
		want := collectionRows.stored(row, 1)
		require.Equal(t, want, look(t, b, func(ctx context.Context, p store.Ports) (accounts.Account, error) {
			return p.Accounts().ByReference(ctx, away, accounts.Virtual, "order-1")
		}))
		require.Equal(t, want, look(t, b, func(ctx context.Context, p store.Ports) (accounts.Account, error) {
			return p.Accounts().ByNumber(ctx, ferry.Test, row.Bank.AccountNumber)
		}))
		for _, find := range []body{
			func(ctx context.Context, p store.Ports) error {
				_, err := p.Accounts().ByReference(ctx, away, accounts.Reserved, "order-1")
				return err
			},
			func(ctx context.Context, p store.Ports) error {
				_, err := p.Accounts().ByNumber(ctx, ferry.Live, row.Bank.AccountNumber)
				return err
			},
		} {
			missing(t, b, accounts.ErrNotFound, find)
		}
	})
	t.Run("a reference is taken once in a scope and kind, a number once in an environment", func(t *testing.T) {
		b := open(t)
		write(t, b, collectionRows.inserted(collectionAccount(home, 1)))
		again := collectionAccount(home, 2)
		again.Reference = "order-1"
		refuse(t, b, accounts.ErrDuplicateReference, collectionRows.inserted(again))
		again.Kind = accounts.Reserved
		write(t, b, collectionRows.inserted(again))
		third := collectionAccount(away, 3)
		third.Bank = collectionAccount(home, 1).Bank
		require.Error(t, b.Write(t.Context(), collectionRows.inserted(third)))
	})
	t.Run("lists", func(t *testing.T) { testAccountLists(t, open) })
	t.Run("search", func(t *testing.T) { searchedAccounts.test(t, open) })
}

func testAccountLists(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	for n := 1; n <= 5; n++ {
		row := collectionAccount(home, n)
		if n%2 == 0 {
			row.Status, row.Customer = accounts.Closed, "cus_2"
		}
		switch n {
		case 3:
			row.Status = accounts.Expired
		case 5:
			row.Kind = accounts.Reserved
		}
		write(t, b, collectionRows.inserted(row))
	}
	write(t, b, collectionRows.inserted(collectionAccount(away, 6)))
	for name, c := range map[string]struct {
		filter accounts.Filter
		want   []string
	}{
		"of a kind":                {accounts.Filter{Kind: accounts.Virtual}, []string{"order-4", "order-3", "order-2", "order-1"}},
		"of the other kind":        {accounts.Filter{Kind: accounts.Reserved}, []string{"order-5"}},
		"of a kind and a status":   {accounts.Filter{Kind: accounts.Virtual, Status: accounts.Closed}, []string{"order-4", "order-2"}},
		"that are still active":    {accounts.Filter{Kind: accounts.Virtual, Status: accounts.Active}, []string{"order-1"}},
		"that have run out":        {accounts.Filter{Kind: accounts.Virtual, Status: accounts.Expired}, []string{"order-3"}},
		"of a kind and a customer": {accounts.Filter{Kind: accounts.Virtual, Customer: "cus_1"}, []string{"order-3", "order-1"}},
		"of a range":               {accounts.Filter{Kind: accounts.Virtual, Range: ferry.Range{From: after(2), To: after(3)}}, []string{"order-3", "order-2"}},
		"of a kind and a part":     {accounts.Filter{Kind: accounts.Reserved, Search: "order"}, []string{"order-5"}},
		"of a part and a status":   {accounts.Filter{Kind: accounts.Virtual, Search: "order", Status: accounts.Closed}, []string{"order-4", "order-2"}},
		"of a reference":           {accounts.Filter{Kind: accounts.Virtual, Reference: "order-2"}, []string{"order-2"}},
	} {
		t.Run(name, func(t *testing.T) {
			found := look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[accounts.Account], error) {
				return p.Accounts().List(ctx, home, c.filter, ferry.Page{})
			})
			refs := []string{}
			for _, row := range found.Data {
				refs = append(refs, row.Reference)
			}
			require.Equal(t, c.want, refs)
			require.Equal(t, len(c.want), found.Total)
		})
	}
}
