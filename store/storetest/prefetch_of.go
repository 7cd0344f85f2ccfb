package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// answers is all that a unit reads of a wallet and what belongs to it.
type answers struct {
	lines     []string
	missing   []error
	addresses []wallets.Address
	balances  []money.Amount
	legs      []ledger.Entry
	summary   wallets.AddressSummary
}

// testPrefetchOf checks that rows which are read ahead by what leads to them answer as others.
func testPrefetchOf(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	first, second, other := address(1), address(2), address(3)
	other.Wallet, other.WalletReference = custodyWallet(9).ID, "other"
	write(t, b, openSystem)
	line := func(name statement.Name, n int) statement.Transaction {
		return statement.Transaction{
			ID: statement.ID(idOf("trx_", n)), Scope: home, TrxID: name.TrxID, Public: name.Public, Reference: idOf("pay_", n),
			Direction: statement.In, Status: statement.Success, Amount: money.NGN(100), Fee: money.NGN(0), CreatedAt: start, UpdatedAt: start,
		}
	}
	for n, name := range []statement.Name{{TrxID: "own"}, {TrxID: "both"}, {TrxID: "both", Public: true}, {TrxID: "public", Public: true}} {
		write(t, b, func(ctx context.Context, p store.Ports) error { return statement.Kind.Insert(ctx, p, line(name, n+1)) })
	}
	for n, a := range []wallets.Address{first, second, other} {
		write(t, b, insertAddress(a))
		write(t, b, func(ctx context.Context, p store.Ports) error { return openBalance(ctx, p, a, int64(10*(n+1))) })
	}
	read := func(ctx context.Context, p store.Ports) (found answers, err error) {
		for _, name := range []string{"own", "both", "public", "nobody"} {
			line, err := statement.Named(name, func(n statement.Name) (statement.Transaction, error) {
				return statement.Kind.Find(ctx, p, statement.ByTrxID, statement.TransactionNamed(home, n))
			})
			found.lines, found.missing = append(found.lines, line.Reference), append(found.missing, err)
		}
		for _, a := range []wallets.Address{first, second, other, address(4)} {
			row, err := wallets.AddressKind.Get(ctx, p, home, a.ID)
			found.addresses, found.missing = append(found.addresses, row), append(found.missing, err)
			account, err := p.Ledger().Account(ctx, a.Account())
			found.balances, found.missing = append(found.balances, account.Posted), append(found.missing, err)
			legs, err := p.Ledger().Legs(ctx, ledger.PostingID(a.ID))
			found.legs, found.missing = append(found.legs, legs...), append(found.missing, err)
		}
		q := records.Where(records.Is("env", home.Env), records.Is("business", home.Business), records.Is("wallet", first.Wallet))
		for after := wallets.AddressID(""); ; {
			rows, err := wallets.AddressKind.After(ctx, p, q, after, 1)
			if err != nil || len(rows) == 0 {
				break
			}
			found.addresses, after = append(found.addresses, rows...), rows[0].ID
		}
		found.summary, err = p.Wallets().SummarizeAddresses(ctx, home, wallets.AddressFilter{Wallet: first.Wallet})
		return found, err
	}
	want := look(t, b, read)
	require.Equal(t, money.USDC(30), want.summary.Balance)
	for name, ids := range map[string]records.Values{
		"rows that match":             wallets.AddressKind.Rows(home, records.Is("wallet", first.Wallet)).Values("id"),
		"rows of other rows":          wallets.AddressKind.RowsOf("wallet", wallets.AddressKind.Rows(home, records.Is("id", second.ID)).Values("wallet")).Values("id"),
		"rows of a page":              wallets.AddressKind.RowsOn(home, records.Query{}, ferry.Page{Limit: 2}).Values("id"),
		"rows of another scope":       wallets.AddressKind.Rows(away, records.Is("wallet", first.Wallet)).Values("id"),
		"no rows":                     wallets.AddressKind.Rows(home, records.Is("wallet", "")).Values("id"),
		"rows deep in a list":         wallets.AddressKind.RowsOn(home, records.Query{}, ferry.Page{Number: 1000}).Values("id"),
		"rows that follow other rows": wallets.AddressKind.RowsOn(home, records.Query{}, ferry.Page{Before: string(second.ID)}).Values("id"),
	} {
		ahead := func(ctx context.Context, p store.Ports) (answers, error) {
			for _, name := range []string{"own", "both", "public", "nobody"} {
				statement.PrefetchNamed(p, statement.Kind, statement.ByTrxID, name, func(n statement.Name) statement.Transaction {
					return statement.TransactionNamed(home, n)
				})
			}
			wallets.AddressKind.PrefetchOf(p, ids)
			p.Records().PrefetchAfter(wallets.AddressKind.RowsOf("wallet", wallets.AddressKind.Rows(home, records.Is("id", first.ID)).Values("wallet")))
			p.Ledger().PrefetchAccountsOf(ids.Behind(string(ledger.AddressAccount(""))))
			p.Ledger().PrefetchLegsOf(ids)
			p.Ledger().PrefetchLegs(ledger.PostingID(first.ID))
			p.Wallets().PrefetchSummary(home, wallets.AddressFilter{Wallet: first.Wallet})
			return read(ctx, p)
		}
		t.Run(name, func(t *testing.T) {
			require.Equal(t, want, look(t, b, ahead))
			write(t, b, func(ctx context.Context, p store.Ports) error {
				found, err := ahead(ctx, p)
				require.Equal(t, want, found)
				return err
			})
		})
	}
}
