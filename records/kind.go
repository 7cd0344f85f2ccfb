package records

import (
	"errors"
	"slices"

	"github.com/ferrypay/ferry"
)

// ErrWord is the error of a write of a word that its column does not take.
var ErrWord = errors.New("records: unknown word")

// Kind says what a row of one kind is, and is how such rows are reached within a unit of
// work. Define completes it.
type Kind[K ~string, R any] struct {
	// Name is that of the table.
	Name string
	// Columns ties the columns to the places of a row: those of its key, Owner or Env,
	// and Version among them, and CreatedAt of rows that are listed.
	Columns func(*R) []Column
	// Key names the columns of the primary key: env, business or both, when an id names
	// a row within these only, and last the column of the id. Default: the column id.
	Key []string
	// Scope is who owns a row, as in its column Owner or Env. Default: rows have no owner.
	Scope func(*R) ferry.Scope
	// Unique is the names that lead to one row at most, beside its key.
	Unique []*Unique
	// Fixed names the columns that no update changes, beside those of the key, env,
	// business and created_at.
	Fixed []string
	// Summed names columns that a statement of the store sums up, with no update and no
	// version of its own: they are fixed, too. In a unit that writes they may be old, unless
	// the unit updates the row.
	Summed []string
	// Lists names the counted lists: each by the columns in which its rows have one
	// value. A row with no text in such a column does not stand in that list.
	Lists [][]string
	// ShortLists are as Lists, and none has many rows: a store need not keep their totals.
	ShortLists [][]string
	// Groups are what After walks often. A store walks a group at a cost that depends on
	// its rows alone, and so it walks a list when the query names its scope.
	Groups []Group
	// Search names the columns in which a search looks.
	Search []string
	// Purged says that rows are removed by Purge when they are old. They belong to an
	// environment and have a time of creation.
	Purged bool
	// Missing is the error of a row that is not there, Exists that of an insert whose key
	// is taken. Their defaults say the table.
	Missing, Exists error

	*Shape
}

// Define completes a kind. It panics when a part names a column that there is not.
func Define[K ~string, R any](k Kind[K, R]) *Kind[K, R] {
	k.Shape = define(&Shape{
		Name: k.Name, Key: k.Key, Unique: k.Unique, Fixed: k.Fixed, Summed: k.Summed, Lists: slices.Concat(k.Lists, k.ShortLists), counted: len(k.Lists), Groups: k.Groups, Search: k.Search,
		Purged: k.Purged, Missing: k.Missing, Exists: k.Exists,
		none: new(R),
		bind: func() *Bound {
			row := new(R)
			return &Bound{Row: row, Cells: k.CellsOf(row)}
		},
		load:  func(to *Bound, row any) { *to.Row.(*R) = *row.(*R) },
		copy:  k.copied,
		keep:  func(b *Bound) any { row := k.Row(b); return &row },
		owner: func(row any) ferry.Scope { return k.Scope(row.(*R)) },
	})
	if k.Scope == nil {
		k.Scope = func(*R) ferry.Scope { return ferry.Scope{} }
	}
	k.Key, k.Missing, k.Exists = k.Shape.Key, k.Shape.Missing, k.Shape.Exists
	return &k
}

// copied is a copy of a row. The row keeps what it points to, and the copy gets its own.
func (k *Kind[K, R]) copied(b *Bound) any {
	kept := k.Row(b)
	k.part(b)
	row := k.Row(b)
	*b.Row.(*R) = kept
	return &row
}

// CellsOf returns the columns of a row. Where many rows go through, Borrow costs less.
func (k *Kind[K, R]) CellsOf(row *R) []Cell {
	var cells []Cell
	for _, c := range k.Columns(row) {
		cells = append(cells, c.cells...)
	}
	return cells
}

// Borrow returns a row with its columns bound, until Release.
func (k *Kind[K, R]) Borrow(row R) *Bound {
	b := k.pool.Get().(*Bound)
	*b.Row.(*R) = row
	return b
}

// Row returns the row of a Bound.
func (k *Kind[K, R]) Row(b *Bound) R { return *b.Row.(*R) }

// Versioned returns the place of the version of a row that is not bound.
func (k *Kind[K, R]) Versioned(row *R) *int64 {
	return k.CellsOf(row)[k.version].Value.(intValue[int64]).at
}

// IDOf returns the id of a row.
func (k *Kind[K, R]) IDOf(row R) K {
	b := k.Borrow(row)
	defer k.Release(b)
	return K(k.ID(b))
}
