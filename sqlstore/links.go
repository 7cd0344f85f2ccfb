package sqlstore

import (
	"context"
	"errors"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/payments/links"
)

const linkRows = "payment_links"

// linkBySlug is the unique index of links by slug.
const linkBySlug = 0

// linkRow is a link with its slug in the form in which it is unique.
type linkRow struct {
	links.Link
	folded string
}

var linkTable = define(table[linkRow]{
	name: linkRows,
	key:  []string{"id"},
	fields: func(l *linkRow) []field {
		return append([]field{
			col("id", &l.ID),
			col("env", &l.Scope.Env),
			col("business", &l.Scope.Business),
			col("policy", &l.Policy),
			col("type", &l.Type),
			col("status", &l.Status),
			col("title", &l.Title),
			col("description", &l.Description),
			col("slug", &l.Slug),
			col("slug_folded", &l.folded),
			col("quantity_limit", &l.QuantityLimit),
			col("fields", document(&l.Fields)),
			col("expires_at", instant(&l.ExpiresAt)),
			col("success_url", &l.SuccessURL),
			col("cancel_url", &l.CancelURL),
			col("metadata", document(&l.Metadata)),
			col("disabled_at", instant(&l.DisabledAt)),
			col("created_at", instant(&l.CreatedAt)),
			col("updated_at", instant(&l.UpdatedAt)),
			col("search", folded(l)),
		}, anySum("amount", &l.Amount)...)
	},
	version: func(l *linkRow) *int64 { return &l.Version },
	scope:   func(l linkRow) ferry.Scope { return l.Scope },
	unique:  []unique[linkRow]{linkBySlug: {columns: []string{"slug_folded"}, taken: links.ErrSlugTaken}},
	lists:   func(l linkRow) []string { return []string{listName(linkRows, l.Scope)} },
	missing: links.ErrNotFound,
	keep: func(stored linkRow, l *linkRow) {
		l.Slug, l.folded, l.CreatedAt = stored.Slug, stored.folded, stored.CreatedAt
	},
})

// errNoTally is the absence of a tally, which the port shows as an empty one.
var errNoTally = errors.New("sqlstore: the link has no tally")

var tallyTable = define(table[links.Tally]{
	name: "link_tallies",
	key:  []string{"link"},
	fields: func(t *links.Tally) []field {
		return append([]field{
			col("link", &t.Link),
			col("env", &t.Scope.Env),
			col("business", &t.Scope.Business),
			col("taken", &t.Taken),
			col("paid", &t.Paid),
		}, anySum("total", &t.Total)...)
	},
	version: func(t *links.Tally) *int64 { return &t.Version },
	scope:   func(t links.Tally) ferry.Scope { return t.Scope },
	missing: errNoTally,
})

type linkStore struct{ *unit }

var _ links.Store = linkStore{}

// Links returns the port of payment links.
func (u *unit) Links() links.Store { return linkStore{u} }

func rowOfLink(l links.Link) linkRow { return linkRow{l, links.FoldSlug(l.Slug)} }

func (s linkStore) Insert(_ context.Context, l links.Link) error {
	return linkTable.insert(s.unit, rowOfLink(l))
}

func (s linkStore) Link(ctx context.Context, scope ferry.Scope, id links.ID) (links.Link, error) {
	row, err := linkTable.owned(ctx, s.unit, scope, id)
	return row.Link, err
}

func (s linkStore) BySlug(ctx context.Context, slug string) (links.Link, error) {
	row, err := linkTable.find(ctx, s.unit, linkBySlug, links.FoldSlug(slug))
	return row.Link, err
}

func (s linkStore) Update(ctx context.Context, l links.Link) error {
	return linkTable.update(ctx, s.unit, rowOfLink(l))
}

// linkStands is links.Link.At.
const linkStands = "(CASE WHEN status IN ('pending', 'active', 'inactive') AND expires_at <= ? THEN 'expired' ELSE status END)"

func (s linkStore) List(ctx context.Context, scope ferry.Scope, f links.Filter, page ferry.Page) (ferry.List[links.Link], error) {
	rows := inScope(scope).equal("slug_folded", f.Slug).searching(f.Search, "title", "description", "slug")
	if f.Asset != 0 {
		rows.equal("amount_asset", f.Asset.String())
	}
	if len(f.Statuses) > 0 {
		args := []any{f.At}
		for _, status := range f.Statuses {
			args = append(args, status)
		}
		rows.and(linkStands+" IN (?"+strings.Repeat(", ?", len(f.Statuses)-1)+")", args...)
	}
	if f.All() {
		rows.counted(listName(linkRows, scope))
	}
	list, err := linkTable.page(ctx, s.unit, rows.within(f.Range), page)
	return viewList(list, func(l linkRow) links.Link { return l.Link }), err
}

func (s linkStore) Tally(ctx context.Context, scope ferry.Scope, id links.ID) (links.Tally, error) {
	tally, err := tallyTable.get(ctx, s.unit, id)
	if errors.Is(err, errNoTally) || err == nil && tally.Scope != scope {
		return links.Tally{Link: id, Scope: scope}, nil
	}
	return tally, err
}

func (s linkStore) PutTally(ctx context.Context, tally links.Tally) error {
	return tallyTable.put(ctx, s.unit, tally)
}
