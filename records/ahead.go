package records

import "github.com/ferrypay/ferry"

// Rows describes rows of one kind that a unit is going to read, before their ids are known.
// PrefetchAfter, PrefetchPage and, by way of Values, PrefetchOf take it. The zero Rows describes no rows.
type Rows struct {
	Kind  *Shape
	Scope ferry.Scope
	Query Query
	// By and Of select the rows whose column By has one of the values Of. A nil Of selects
	// all rows of Query.
	By string
	Of *Values
	// Page selects one page of these rows, newest first. The zero Page selects all of them.
	Page ferry.Page
}

// Values describes what the Rows have in a column: each value is the Prefix and then the
// text of the Column. Most often the values are ids of other rows.
type Values struct {
	Rows
	Prefix, Column string
}

// Rows returns the rows of a scope that match all matches. When a match is with an empty
// text, there are no such rows.
func (k *Kind[K, R]) Rows(scope ferry.Scope, matches ...Match) Rows {
	q := Where(matches...)
	if len(q.Matches) < len(matches) {
		return Rows{}
	}
	return Rows{Kind: k.Shape, Scope: scope, Query: q}
}

// RowsOf returns the rows whose column has one of the values, in the scope of the values.
func (k *Kind[K, R]) RowsOf(column string, of Values) Rows {
	if of.Kind == nil {
		return Rows{}
	}
	return Rows{Kind: k.Shape, Scope: of.Scope, By: column, Of: &of}
}

// RowsOn returns the rows that Page returns for the same arguments.
func (k *Kind[K, R]) RowsOn(scope ferry.Scope, q Query, page ferry.Page) Rows {
	return Rows{Kind: k.Shape, Scope: scope, Query: q, Page: page.WithDefaults()}
}

// Values returns what the rows have in a column.
func (r Rows) Values(column string) Values { return Values{Rows: r, Column: column} }

// Behind returns the same values, each with a prefix before it.
func (v Values) Behind(prefix string) Values {
	v.Prefix = prefix
	return v
}
