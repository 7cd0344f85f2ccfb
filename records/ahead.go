package records

import "github.com/ferrypay/ferry"

// Rows is rows of one kind that a unit is going to read, said before anybody knows which
// they are. The zero Rows is none.
type Rows struct {
	Kind  *Shape
	Scope ferry.Scope
	Query Query
	// By and Of keep the rows whose column By has one of some values. A nil Of keeps all.
	By string
	Of *Values
	// Page is which of these rows are meant, newest first. The zero Page is all of them.
	Page ferry.Page
}

// Values is what rows have in a column, behind a prefix.
type Values struct {
	Rows
	Prefix, Column string
}

// Rows is the rows of a scope that match all of these. With an empty text to match there
// are none.
func (k *Kind[K, R]) Rows(scope ferry.Scope, matches ...Match) Rows {
	q := Where(matches...)
	if len(q.Matches) < len(matches) {
		return Rows{}
	}
	return Rows{Kind: k.Shape, Scope: scope, Query: q}
}

// RowsOf is the rows of a scope whose column has one of some values.
func (k *Kind[K, R]) RowsOf(column string, of Values) Rows {
	if of.Kind == nil {
		return Rows{}
	}
	return Rows{Kind: k.Shape, Scope: of.Scope, By: column, Of: &of}
}

// RowsOn is the rows of a page as Page returns it.
func (k *Kind[K, R]) RowsOn(scope ferry.Scope, q Query, page ferry.Page) Rows {
	return Rows{Kind: k.Shape, Scope: scope, Query: q, Page: page.WithDefaults()}
}

// Values is what the rows have in a column.
func (r Rows) Values(column string) Values { return Values{Rows: r, Column: column} }

// Behind is the values behind a prefix.
func (v Values) Behind(prefix string) Values {
	v.Prefix = prefix
	return v
}
