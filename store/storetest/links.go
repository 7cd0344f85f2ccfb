package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/store"
)

func testLinks(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("links", func(t *testing.T) { linkRows.test(t, open) })
	t.Run("slugs", func(t *testing.T) { testSlugs(t, open) })
	t.Run("lists", func(t *testing.T) { testLinkLists(t, open) })
	t.Run("search", func(t *testing.T) { searchedLinks.test(t, open) })
	t.Run("tallies", func(t *testing.T) { testTallies(t, open) })
}

// paymentLink is the n-th link of a scope, with no field empty.
func paymentLink(scope ferry.Scope, n int) links.Link {
	return links.Link{
		ID: links.ID(idOf(links.Prefix, n)), Scope: scope, Policy: business.DialectA, Type: links.Open, Status: links.Active,
		Title: "Jollof", Description: "With\nchicken", Amount: money.USDC(0), Slug: fmt.Sprintf("Slug-%d", n), QuantityLimit: 3,
		Fields: []string{"Address", "Phone"}, ExpiresAt: after(n + 9),
		SuccessURL: "https://shop.example.com/ok", CancelURL: "https://shop.example.com/no",
		Metadata: ferry.Metadata{"shelf": json.Number("4")}, DisabledAt: after(n + 2), CreatedAt: after(n), UpdatedAt: after(n),
	}
}

var linkRows = owned[links.Link]{
	row:    paymentLink,
	insert: func(ctx context.Context, p store.Ports, row links.Link) error { return p.Links().Insert(ctx, row) },
	get: func(ctx context.Context, p store.Ports, scope ferry.Scope, row links.Link) (links.Link, error) {
		return p.Links().Link(ctx, scope, row.ID)
	},
	update:  func(ctx context.Context, p store.Ports, row links.Link) error { return p.Links().Update(ctx, row) },
	version: func(l *links.Link) *int64 { return &l.Version },
	change: func(l *links.Link) {
		l.Status, l.Policy, l.Type, l.Amount = links.Disabled, business.DialectB, links.Fixed, money.NGN(5)
	},
	missing: links.ErrNotFound,
	fixed:   []string{"Slug", "CreatedAt"},
}

var searchedLinks = searched[links.Link]{
	owned: linkRows, id: func(l links.Link) string { return string(l.ID) },
	places: map[string]func(*links.Link, string){
		"title":       func(l *links.Link, is string) { l.Title = is },
		"description": func(l *links.Link, is string) { l.Description = is },
		"slug":        func(l *links.Link, is string) { l.Slug = is },
	},
	put: func(l *links.Link, is string) { l.Title = is },
	list: func(ctx context.Context, p store.Ports, scope ferry.Scope, search string, page ferry.Page) (ferry.List[links.Link], error) {
		return p.Links().List(ctx, scope, links.Filter{Search: search}, page)
	},
}

func testSlugs(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a slug is found in any letter case, whosever it is", func(t *testing.T) {
		b := open(t)
		write(t, b, linkRows.inserted(paymentLink(live, 1)))
		for _, slug := range []string{"Slug-1", "slug-1", "SLUG-1"} {
			found := look(t, b, func(ctx context.Context, p store.Ports) (links.Link, error) { return p.Links().BySlug(ctx, slug) })
			require.Equal(t, linkRows.stored(paymentLink(live, 1), 1), found)
		}
		missing(t, b, links.ErrNotFound, func(ctx context.Context, p store.Ports) error {
			_, err := p.Links().BySlug(ctx, "slug-2")
			return err
		})
	})
	t.Run("a slug is taken once on the server, in whatever letter case", func(t *testing.T) {
		b := open(t)
		write(t, b, linkRows.inserted(paymentLink(home, 1)))
		for _, scope := range []ferry.Scope{home, away, live} {
			again := paymentLink(scope, 2)
			again.Slug = "sLUG-1"
			refuse(t, b, links.ErrSlugTaken, linkRows.inserted(again))
		}
	})
	t.Run("of those who take one slug at once, one has it", func(t *testing.T) {
		b := open(t)
		won := 0
		for _, err := range race(8, func(i int) error {
			row := paymentLink(home, i+1)
			row.Slug = "same"
			return b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
				if _, err := p.Links().BySlug(ctx, "same"); err == nil {
					return links.ErrSlugTaken
				}
				return p.Links().Insert(ctx, row)
			})
		}) {
			if err == nil {
				won++
			} else {
				require.ErrorIs(t, err, links.ErrSlugTaken)
			}
		}
		require.Equal(t, 1, won)
	})
}

func testLinkLists(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	for n := 1; n <= 5; n++ {
		row := paymentLink(home, n)
		if n%2 == 0 {
			row.Policy, row.Status, row.Amount = business.DialectB, links.Inactive, money.NGN(100)
		}
		write(t, b, linkRows.inserted(row))
	}
	write(t, b, linkRows.inserted(paymentLink(away, 6)))
	for name, c := range map[string]struct {
		filter links.Filter
		page   ferry.Page
		total  int
		want   []string
	}{
		"all, newest first": {total: 5, want: []string{"Slug-5", "Slug-4", "Slug-3", "Slug-2", "Slug-1"}},
		"a page":            {page: ferry.Page{Number: 2, Limit: 2}, total: 5, want: []string{"Slug-3", "Slug-2"}},
		"of statuses":       {filter: links.Filter{Statuses: []links.Status{links.Inactive, links.Disabled}}, total: 2, want: []string{"Slug-4", "Slug-2"}},
		"of those that stand, and of those that have run out by then": {
			filter: links.Filter{Statuses: []links.Status{links.Ended}, At: paymentLink(home, 4).ExpiresAt}, total: 4, want: []string{"Slug-4", "Slug-3", "Slug-2", "Slug-1"},
		},
		"of a currency": {filter: links.Filter{Asset: money.AssetUSDC}, total: 3, want: []string{"Slug-5", "Slug-3", "Slug-1"}},
		"of a slug":     {filter: links.Filter{Slug: "slug-3"}, total: 1, want: []string{"Slug-3"}},
		"of a slug and a part of a title": {
			filter: links.Filter{Slug: "slug-3", Search: "ollo"}, total: 1, want: []string{"Slug-3"},
		},
		"of a part and a status": {
			filter: links.Filter{Search: "slug-", Statuses: []links.Status{links.Inactive}}, total: 2, want: []string{"Slug-4", "Slug-2"},
		},
		"of a range": {filter: links.Filter{Range: ferry.Range{From: after(2), To: after(3)}}, total: 2, want: []string{"Slug-3", "Slug-2"}},
	} {
		t.Run(name, func(t *testing.T) {
			found := look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[links.Link], error) {
				return p.Links().List(ctx, home, c.filter, c.page)
			})
			slugs := []string{}
			for _, row := range found.Data {
				slugs = append(slugs, row.Slug)
			}
			require.Equal(t, c.want, slugs)
			require.Equal(t, c.total, found.Total)
		})
	}
}

func testTallies(t *testing.T, open func(*testing.T) store.Backend) {
	id := paymentLink(home, 1).ID
	tallyOf := func(scope ferry.Scope) func(context.Context, store.Ports) (links.Tally, error) {
		return func(ctx context.Context, p store.Ports) (links.Tally, error) { return p.Links().Tally(ctx, scope, id) }
	}
	put := func(tally links.Tally) body {
		return func(ctx context.Context, p store.Ports) error { return p.Links().PutTally(ctx, tally) }
	}
	full := links.Tally{Link: id, Scope: home, Taken: 3, Paid: 2, Total: money.NGN(200)}
	t.Run("a link without a tally has an empty one", func(t *testing.T) {
		require.Equal(t, links.Tally{Link: id, Scope: home}, look(t, open(t), tallyOf(home)))
	})
	t.Run("a tally comes back as it was put, to its owner", func(t *testing.T) {
		b := open(t)
		write(t, b, linkRows.inserted(paymentLink(home, 1)))
		write(t, b, put(full))
		want := full
		want.Version = 1
		require.Equal(t, want, look(t, b, tallyOf(home)))
		require.Equal(t, links.Tally{Link: id, Scope: away}, look(t, b, tallyOf(away)))
		refuse(t, b, ferry.ErrStale, put(full))
		want.Taken = 4
		write(t, b, put(want))
	})
	t.Run("nothing is lost when many count at once", func(t *testing.T) {
		b := open(t)
		write(t, b, linkRows.inserted(paymentLink(home, 1)))
		for _, err := range race(16, func(int) error {
			return b.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
				tally, err := p.Links().Tally(ctx, home, id)
				if err != nil {
					return err
				}
				tally.Taken++
				return p.Links().PutTally(ctx, tally)
			})
		}) {
			require.NoError(t, err)
		}
		require.Equal(t, int64(16), look(t, b, tallyOf(home)).Taken)
	})
	readOnly(t, open, map[string]body{"PutTally": put(full)})
}
