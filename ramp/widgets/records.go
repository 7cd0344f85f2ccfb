package widgets

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/records"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	records.Tx
}

// byKey finds a widget by Scope and Key.
var byKey = &records.Unique{Columns: []string{"env", "business", "api_key"}}

// WidgetKind is what a widget is as a row.
var WidgetKind = records.Define(records.Kind[ID, Widget]{
	Name: "ramp_widgets",
	Columns: func(w *Widget) []records.Column {
		return []records.Column{
			records.ID(&w.ID), records.Owner(&w.Scope), records.Version(&w.Version),
			records.Text("name", &w.Name),
			records.Text("api_key", &w.Key),
			records.Document("domains", &w.Domains),
			records.Document("sides", &w.Sides),
			records.Document("theme", &w.Theme),
			records.Text("destination", &w.Destination),
			records.Word("status", &w.Status, Statuses()...),
			records.CreatedAt(&w.CreatedAt), records.Time("updated_at", &w.UpdatedAt),
		}
	},
	Scope:   func(w *Widget) ferry.Scope { return w.Scope },
	Unique:  []*records.Unique{byKey},
	Fixed:   []string{"api_key"},
	Lists:   [][]string{{}, {"status"}},
	Missing: ErrNotFound,
})

// byDigest finds a session of any business by Digest.
var byDigest = &records.Unique{Columns: []string{"digest"}}

// SessionKind is what a session is as a row.
var SessionKind = records.Define(records.Kind[SessionID, Session]{
	Name: "ramp_sessions",
	Columns: func(s *Session) []records.Column {
		return []records.Column{
			records.ID(&s.ID), records.Owner(&s.Scope), records.Version(&s.Version),
			records.Text("widget", &s.Widget),
			records.Text("origin", &s.Origin),
			records.Text("digest", &s.Digest),
			records.Text("api_key", &s.Key),
			records.Text("visit", &s.Visit),
			records.Time("began", &s.Began),
			records.Time("expires_at", &s.ExpiresAt),
			records.CreatedAt(&s.CreatedAt),
		}
	},
	Scope:   func(s *Session) ferry.Scope { return s.Scope },
	Unique:  []*records.Unique{byDigest},
	Fixed:   []string{"widget", "origin", "digest", "api_key", "visit", "began", "expires_at"},
	Purged:  true,
	Missing: ErrSession,
})

// byKeyOf finds the widget of a key.
func byKeyOf(key business.Key) Widget { return Widget{Scope: key.Scope, Key: key.First()} }
