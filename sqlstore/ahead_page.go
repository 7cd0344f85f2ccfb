package sqlstore

import (
	"reflect"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// pageAhead is a page that a unit reads ahead.
type pageAhead struct {
	records.Rows
	list ferry.List[any]
}

// PrefetchPage is for units that only read. A page of a unit that writes may show a newer state
// than that of its snapshot.
func (s rowStore) PrefetchPage(rows records.Rows) {
	if s.batch != nil || rows.Of != nil || rowsAhead(rows) == nil {
		return
	}
	rows.Page = rows.Page.WithDefaults()
	p := &pageAhead{rows, ferry.List[any]{Data: []any{}}}
	s.ahead.pages = append(s.ahead.pages, p)
	s.ahead.later = append(s.ahead.later, tableOf(rows.Kind).pageInto(&p.list, listFilter(rows.Kind, rows.Scope, rows.Query), rows.Page))
}

// page returns what was read ahead for a page, or nil.
func (a *ahead) page(kind *records.Shape, scope ferry.Scope, q records.Query, page ferry.Page) *pageAhead {
	page = page.WithDefaults()
	for _, p := range a.pages {
		if p.Kind == kind && p.Scope == scope && p.Page == page && reflect.DeepEqual(p.Query, q) {
			return p
		}
	}
	return nil
}

// complete reports whether the list has its total, which stands beside each row.
func (p *pageAhead) complete() bool { return len(p.list.Data) > 0 || p.Page.Offset() == 0 }
