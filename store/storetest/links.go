package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
)

func testLinks(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a slug is one in any letter case", func(t *testing.T) { testSlugs(t, open) })
	t.Run("lists of links that stand so at an instant", func(t *testing.T) { testLinkLists(t, open) })
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

var linkCase = caseOf(kindCase[links.ID, links.Link]{
	kind: links.LinkKind, row: paymentLink,
	needed: []string{"policy"},
	change: func(l *links.Link) {
		l.Status, l.Policy, l.Type, l.Amount = links.Disabled, business.DialectB, links.Fixed, money.NGN(5)
	},
	vary: func(l *links.Link, n int) {
		if n%2 == 0 {
			l.Policy, l.Status, l.Amount = business.DialectB, links.Inactive, money.NGN(100)
		}
		if n == 3 {
			l.ExpiresAt, l.Title = time.Time{}, "Ọbẹ̀"
		}
	},
})

var _ = caseOf(kindCase[links.ID, links.Tally]{
	kind: links.TallyKind,
	row: func(scope ferry.Scope, n int) links.Tally {
		return links.Tally{Link: paymentLink(scope, n).ID, Scope: scope, Taken: 3, Paid: 2, Total: money.NGN(200)}
	},
	before: func(ctx context.Context, p store.Ports, row links.Tally) error {
		link := paymentLink(row.Scope, 1)
		link.ID, link.Slug = row.Link, string(row.Link)
		return links.LinkKind.Insert(ctx, p, link)
	},
	change: func(t *links.Tally) { t.Taken = 9 },
})

func testSlugs(t *testing.T, open func(*testing.T) store.Backend) {
	b, o := open(t), linkCase
	write(t, b, o.inserted(paymentLink(live, 1)))
	for _, slug := range []string{"Slug-1", "slug-1", "SLUG-1"} {
		require.Equal(t, paymentLink(live, 1).ID, look(t, b, func(ctx context.Context, p store.Ports) (links.Link, error) {
			return links.LinkKind.Find(ctx, p, links.BySlug, links.Link{Slug: slug})
		}).ID)
	}
	for _, scope := range []ferry.Scope{home, away, live} {
		again := paymentLink(scope, 2)
		again.Slug = "sLUG-1"
		refuse(t, b, links.ErrSlugTaken, o.inserted(again))
	}
}

// testLinkLists compares what a filter selects with what Link.At says of each link.
func testLinkLists(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	k := linkCase.untyped()
	rows := k.town(t, b)
	statuses := []links.Status{links.Pending, links.Active, links.Inactive, links.Disabled, links.Ended, links.Completed}
	for _, at := range []time.Time{after(0), after(11), after(14), after(99)} {
		for _, one := range statuses {
			for _, other := range statuses {
				want := []string{}
				for _, row := range slices.Backward(rows) {
					l := row.(links.Link)
					if stands := l.At(at).Status; l.Scope == home && (stands == one || stands == other) {
						want = append(want, string(l.ID))
					}
				}
				q := records.Query{}.Or(links.Standing(at, one, other)...)
				list := k.page(t, b, home, q, ferry.Page{})
				require.Equal(t, want, k.ids(list.Data), "%s or %s at %s", one, other, at)
				require.Equal(t, len(want), list.Total)
			}
		}
	}
}
