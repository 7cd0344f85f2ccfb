package links

import (
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// BySlug finds the link of any business by its slug, in any letter case.
var BySlug = &records.Unique{Columns: []string{"slug_folded"}, Taken: ErrSlugTaken}

// LinkKind is what a link is as a row.
var LinkKind = records.Define(records.Kind[ID, Link]{
	Name: "payment_links",
	Columns: func(l *Link) []records.Column {
		return []records.Column{
			records.ID(&l.ID), records.Owner(&l.Scope), records.Version(&l.Version),
			records.Text("policy", &l.Policy),
			records.Word("type", &l.Type, Fixed, Open),
			records.Word("status", &l.Status, Pending, Active, Inactive, Disabled, Ended, Completed),
			records.Text("title", &l.Title),
			records.Text("description", &l.Description),
			records.Text("slug", &l.Slug),
			records.Folded("slug_folded", &l.Slug, FoldSlug),
			records.Int("quantity_limit", &l.QuantityLimit),
			records.Document("fields", &l.Fields),
			records.Time("expires_at", &l.ExpiresAt),
			records.Text("success_url", &l.SuccessURL),
			records.Text("cancel_url", &l.CancelURL),
			records.Document("metadata", &l.Metadata),
			records.Time("disabled_at", &l.DisabledAt),
			records.CreatedAt(&l.CreatedAt), records.Time("updated_at", &l.UpdatedAt),
			records.Money("amount", &l.Amount),
		}
	},
	Scope:   func(l *Link) ferry.Scope { return l.Scope },
	Unique:  []*records.Unique{BySlug},
	Fixed:   []string{"slug", "slug_folded"},
	Lists:   [][]string{{}},
	Search:  []string{"title", "description", "slug"},
	Missing: ErrNotFound,
})

// Query selects the links that the filter keeps at an instant.
func (f Filter) Query(at time.Time) records.Query {
	return records.Where(records.Is("slug_folded", FoldSlug(f.Slug)), records.IsAsset("amount_asset", f.Asset)).
		Or(Standing(at, f.statuses()...)...).During(f.Range).Searching(f.Search)
}

// Standing is how links are that have one of some statuses at an instant, as Link.At says.
func Standing(at time.Time, statuses ...Status) (either [][]records.Match) {
	for _, status := range statuses {
		is := []records.Match{records.Is("status", status)}
		if slices.Contains(mayEnd, status) {
			is = append(is, records.NotBy("expires_at", at))
		}
		either = append(either, is)
		if status != Ended {
			continue
		}
		for _, open := range mayEnd {
			either = append(either, []records.Match{records.Is("status", open), records.By("expires_at", at)})
		}
	}
	return either
}

// mayEnd are the statuses of links that end when their time is over.
var mayEnd = []Status{Pending, Active, Inactive}

// errNoTally is the absence of a tally, which counts nothing.
var errNoTally = ferry.NewError(ferry.NotFound, "link_not_found", "The link has no tally")

// TallyKind is what a tally is as a row: one a link.
var TallyKind = records.Define(records.Kind[ID, Tally]{
	Name: "link_tallies",
	Columns: func(t *Tally) []records.Column {
		return []records.Column{
			records.Text("link", &t.Link), records.Owner(&t.Scope), records.Version(&t.Version),
			records.Int("taken", &t.Taken),
			records.Int("paid", &t.Paid),
			records.Money("total", &t.Total),
		}
	},
	Key:     []string{"link"},
	Scope:   func(t *Tally) ferry.Scope { return t.Scope },
	Missing: errNoTally,
})
