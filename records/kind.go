package records

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
)

// ErrWord is the error of a write of a word that its column does not take.
var ErrWord = errors.New("records: unknown word")

// Kind says what a row of one kind is. Define completes it.
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
	Scope func(R) ferry.Scope
	// Unique is the names that lead to one row at most, beside its key.
	Unique []*Unique
	// Fixed names the columns that no update changes, beside those of the key, env,
	// business and created_at.
	Fixed []string
	// Lists names the counted lists: each by the columns in which its rows have one
	// value. A row with no text in such a column does not stand in that list.
	Lists [][]string
	// Groups are what After walks often. A store walks a group at a cost that depends on
	// its rows alone.
	Groups []Group
	// Search names the columns in which a search looks.
	Search []string
	// Missing is the error of a row that is not there, Exists that of an insert whose key
	// is taken. Their defaults say the table.
	Missing, Exists error

	pool                 *sync.Pool // of *Bound[R]
	names                []string   // of the cells
	words                []int      // the cells that take certain words only
	fixed                []int
	unique               []placed
	search               []int
	listed               []int // the columns of all lists, each once
	lists                []placed
	groups               []placed
	id, created, version int
}

// Bound is a row with its columns at hand.
type Bound[R any] struct {
	Row   R
	Cells []Cell
}

// Define completes a kind. It panics when a part names a column that there is not.
func Define[K ~string, R any](k Kind[K, R]) *Kind[K, R] {
	k.pool = &sync.Pool{New: func() any { return k.bind() }}
	for at, c := range k.bind().Cells {
		k.names = append(k.names, c.Name)
		if _, some := c.Value.(worded); some {
			k.words = append(k.words, at)
		}
	}
	k.version = k.at("version")
	k.created = slices.Index(k.names, "created_at")
	k.defineKey()
	k.defineFixed()
	if k.Missing == nil {
		k.Missing = fmt.Errorf("records: %s has no such row", k.Name)
	}
	if k.Exists == nil {
		k.Exists = fmt.Errorf("records: %s has a row of that key", k.Name)
	}
	k.search = k.all(k.Search)
	for _, u := range k.Unique {
		k.unique = append(k.unique, k.defineUnique(u))
	}
	k.defineLists()
	for _, g := range k.Groups {
		k.groups = append(k.groups, k.place(g.By, g.When))
	}
	return &k
}

func (k *Kind[K, R]) defineFixed() {
	k.fixed = k.all(append(slices.Clone(k.Key), k.Fixed...))
	for _, c := range []string{"env", "business", "created_at"} {
		if at := slices.Index(k.names, c); at >= 0 {
			k.fixed = append(k.fixed, at)
		}
	}
}

func (k *Kind[K, R]) bind() *Bound[R] {
	b := new(Bound[R])
	b.Cells = k.CellsOf(&b.Row)
	return b
}

// CellsOf returns the columns of a row. Where many rows go through, Borrow costs less.
func (k *Kind[K, R]) CellsOf(row *R) []Cell {
	var cells []Cell
	for _, c := range k.Columns(row) {
		cells = append(cells, c.cells...)
	}
	return cells
}

func (k *Kind[K, R]) at(column string) int {
	at := slices.Index(k.names, column)
	if at < 0 {
		panic(fmt.Sprintf("records: %s has no column %s", k.Name, column))
	}
	return at
}

func (k *Kind[K, R]) all(columns []string) []int {
	places := make([]int, len(columns))
	for i, c := range columns {
		places[i] = k.at(c)
	}
	return places
}

// Borrow returns a row with its columns at hand, until Release.
func (k *Kind[K, R]) Borrow(row R) *Bound[R] {
	b := k.pool.Get().(*Bound[R])
	b.Row = row
	return b
}

// Release takes back what Borrow gave.
func (k *Kind[K, R]) Release(bound ...*Bound[R]) {
	var none R
	for _, b := range bound {
		b.Row = none
		k.pool.Put(b)
	}
}

// ColumnNames returns the columns in the order of the cells of a Bound.
func (k *Kind[K, R]) ColumnNames() []string { return k.names }

// WordColumns returns the columns that take certain words only.
func (k *Kind[K, R]) WordColumns() (columns []string) {
	for _, at := range k.words {
		columns = append(columns, k.names[at])
	}
	return columns
}

// IsFixed reports whether no update changes a column.
func (k *Kind[K, R]) IsFixed(column string) bool { return slices.Contains(k.fixed, k.at(column)) }

// Check refuses a row that has a word which its column does not take.
func (k *Kind[K, R]) Check(b *Bound[R]) error {
	for _, at := range k.words {
		if v := b.Cells[at].Value.(worded); !v.fits() {
			word, _ := v.Key()
			return fmt.Errorf("%w: %q in %s.%s", ErrWord, word, k.Name, k.names[at])
		}
	}
	return nil
}

// Versioned returns the place of the version of a row that is not bound.
func (k *Kind[K, R]) Versioned(row *R) *int64 {
	return k.CellsOf(row)[k.version].Value.(intValue[int64]).at
}

// VersionOf returns the place of the version of a row.
func (k *Kind[K, R]) VersionOf(b *Bound[R]) *int64 {
	return b.Cells[k.version].Value.(intValue[int64]).at
}

// CreatedAt returns when a row was created.
func (k *Kind[K, R]) CreatedAt(b *Bound[R]) time.Time {
	return *b.Cells[k.created].Value.(timeValue).at
}

// Keep gives a row the fixed columns of the stored one, and those of its kept names.
func (k *Kind[K, R]) Keep(stored, row *Bound[R]) {
	for _, at := range k.fixed {
		row.Cells[at].Value.Copy(stored.Cells[at].Value)
	}
	for n, u := range k.Unique {
		if !u.Kept || !k.unique[n].holds(stored.Cells) {
			continue
		}
		for _, at := range k.unique[n].rest {
			row.Cells[at].Value.Copy(stored.Cells[at].Value)
		}
	}
}

// key is the value of a column as text, and false without a value.
func (b *Bound[R]) key(at int) (string, bool) { return b.Cells[at].Value.Key() }

// text is the value of a column as text, and false when that is empty.
func (b *Bound[R]) text(at int) (string, bool) {
	key, some := b.key(at)
	return key, some && key != ""
}

// Selector returns a function that reports whether a query selects a row.
func (k *Kind[K, R]) Selector(q Query) func(*Bound[R]) bool {
	matches := k.matcher(q.Matches)
	groups := make([]func(*Bound[R]) bool, len(q.Either))
	for i, group := range q.Either {
		groups[i] = k.matcher(group)
	}
	return func(b *Bound[R]) bool {
		return matches(b) &&
			(len(groups) == 0 || slices.ContainsFunc(groups, func(holds func(*Bound[R]) bool) bool { return holds(b) })) &&
			(q.Created == ferry.Range{} || q.Created.Holds(k.CreatedAt(b))) &&
			(q.Search == "" || strings.Contains(text.Searchable(k.searched(b.Cells)...), q.Search))
	}
}

// matcher returns a function that reports whether all of some matches hold of a row.
func (k *Kind[K, R]) matcher(matches []Match) func(*Bound[R]) bool {
	at := make([]int, len(matches))
	for i, m := range matches {
		at[i] = k.at(m.Column)
	}
	return func(b *Bound[R]) bool {
		for i, m := range matches {
			if !m.holds(b.Cells[at[i]].Value) {
				return false
			}
		}
		return true
	}
}

func (k *Kind[K, R]) searched(cells []Cell) []string {
	texts := make([]string, len(k.search))
	for i, at := range k.search {
		switch v := cells[at].Value.(type) {
		case MarkedValue:
			texts[i] = *v.at
		default:
			texts[i], _ = v.Key()
		}
	}
	return texts
}

// Folded returns the text in which a search of a row looks when its columns have
// other letters than those of ASCII, and else nothing.
func (k *Kind[K, R]) Folded(cells []Cell) (folded string, some bool) {
	return text.Folded(k.searched(cells)...)
}
