package memstore

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/payments/links"
)

type linkTables struct {
	links   shelf[links.ID, links.Link]
	tallies table[links.ID, links.Tally]
}

var linkRows = shelving[links.ID, links.Link]{
	id:      func(l links.Link) links.ID { return l.ID },
	scope:   func(l links.Link) ferry.Scope { return l.Scope },
	created: func(l links.Link) time.Time { return l.CreatedAt },
	version: func(l *links.Link) *int64 { return &l.Version },
	names:   func(l links.Link) []name { return []name{{links.FoldSlug(l.Slug), links.ErrSlugTaken}} },
	lists:   func(l links.Link) []string { return []string{l.Scope.String()} },
	missing: links.ErrNotFound,
	keep:    func(stored links.Link, l *links.Link) { l.Slug, l.CreatedAt = stored.Slug, stored.CreatedAt },
}

type linkStore struct{ *unit }

var _ links.Store = linkStore{}

// Links returns the port of payment links.
func (u *unit) Links() links.Store { return linkStore{u} }

func (s linkStore) Insert(_ context.Context, l links.Link) error {
	return linkRows.insert(s.unit, &s.tables.links.links, l)
}

func (s linkStore) Link(_ context.Context, scope ferry.Scope, id links.ID) (links.Link, error) {
	return linkRows.get(&s.tables.links.links, scope, id)
}

func (s linkStore) BySlug(_ context.Context, slug string) (links.Link, error) {
	return linkRows.find(&s.tables.links.links, links.FoldSlug(slug))
}

func (s linkStore) Update(_ context.Context, l links.Link) error {
	return linkRows.update(s.unit, &s.tables.links.links, l)
}

func (s linkStore) List(_ context.Context, scope ferry.Scope, f links.Filter, page ferry.Page) (ferry.List[links.Link], error) {
	keep := f.Matches
	if f.All() {
		keep = nil
	}
	return linkRows.page(&s.tables.links.links, scope.String(), page, keep), nil
}

func (s linkStore) Tally(_ context.Context, scope ferry.Scope, id links.ID) (links.Tally, error) {
	tally, found := s.tables.links.tallies.get(id)
	if !found || tally.Scope != scope {
		return links.Tally{Link: id, Scope: scope}, nil
	}
	return tally, nil
}

func (s linkStore) PutTally(_ context.Context, tally links.Tally) error {
	if err := s.writable(); err != nil {
		return err
	}
	stored, found := s.tables.links.tallies.get(tally.Link)
	if stored.Version != tally.Version || found && stored.Scope != tally.Scope {
		return ferry.ErrStale
	}
	tally.Version++
	s.tables.links.tallies.put(s.undo, tally.Link, tally)
	return nil
}
