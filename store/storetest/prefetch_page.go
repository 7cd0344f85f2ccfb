package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// testPrefetchPage checks that pages which are read ahead are as others, whatever else is read
// ahead with them.
func testPrefetchPage(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	for n := range 5 {
		write(t, b, insertAddress(address(n)))
	}
	type asked struct {
		scope ferry.Scope
		query records.Query
		page  ferry.Page
	}
	some := records.Where(records.Is("wallet", address(1).Wallet))
	pages := []asked{
		{home, records.Query{}, ferry.Page{Limit: 2}}, {home, records.Query{}, ferry.Page{Number: 2, Limit: 2}}, {home, some, ferry.Page{}},
		{home, records.Query{}, ferry.Page{Number: 9, Limit: 2}}, {home, records.Query{}, ferry.Page{Number: 1000}},
		{home, records.Query{}, ferry.Page{Before: string(address(3).ID), Limit: 2}}, {home, records.Where(records.Is("status", "archived")), ferry.Page{}},
		{home, some.During(ferry.Range{To: after(2)}), ferry.Page{Limit: 3}},
		{away, records.Query{}, ferry.Page{}},
	}
	read := func(ctx context.Context, p store.Ports) (all []ferry.List[wallets.Address], err error) {
		for _, a := range pages {
			list, err := wallets.AddressKind.Page(ctx, p, a.scope, a.query, a.page)
			if err != nil {
				return nil, err
			}
			all = append(all, list)
		}
		return all, nil
	}
	ahead := func(ctx context.Context, p store.Ports) ([]ferry.List[wallets.Address], error) {
		for _, a := range pages {
			p.Records().PrefetchPage(wallets.AddressKind.RowsOn(a.scope, a.query, a.page))
		}
		wallets.AddressKind.Prefetch(p, home, address(2).ID)
		return read(ctx, p)
	}
	want := look(t, b, read)
	require.Len(t, want[0].Data, 2)
	require.Equal(t, 5, want[3].Total)
	require.Equal(t, want, look(t, b, ahead))
	require.Equal(t, want, look(t, b, func(ctx context.Context, p store.Ports) (again []ferry.List[wallets.Address], err error) {
		if _, err := ahead(ctx, p); err != nil {
			return nil, err
		}
		return read(ctx, p)
	}), "a second time")
	write(t, b, func(ctx context.Context, p store.Ports) error {
		found, err := ahead(ctx, p)
		require.Equal(t, want, found, "in a unit that may write")
		return err
	})
}
