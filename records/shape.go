package records

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
)

// Shape is a kind as a store knows it: all that the kind declares, without the type of its
// rows. There is one for each kind, and its address tells kinds apart.
type Shape struct {
	Name            string
	Key             []string
	Unique          []*Unique
	Fixed, Summed   []string
	Lists           [][]string
	Groups          []Group
	Search          []string
	Purged          bool
	Missing, Exists error

	bind  func() *Bound
	load  func(to *Bound, row any)
	copy  func(*Bound) any
	keep  func(*Bound) any // the row of a Bound, which is a copy that shares what it points to
	owner func(row any) ferry.Scope
	none  any // an empty row

	pool                 sync.Pool // of *Bound
	names                []string  // of the cells
	words                []int     // the cells that take certain words only
	sharing              []int     // the cells that copies of a row would share
	documented           []int     // the cells that are a document, or may be made of one
	fixed                []int
	unique               []placed
	search               []int
	listed               []int // the columns of all lists, each once
	lists                []placed
	counted              int // of the lists; the others are short
	groups               []placed
	id, created, version int
}

// Bound is a row and its columns: each cell reads and writes its place in the row.
type Bound struct {
	// Row is a pointer to the row.
	Row   any
	Cells []Cell
	// Refused makes the error of a row that is not inserted, of the one of the taken name or
	// key. Nil: that one.
	Refused func(error) error
}

// Refusal is the error of a row that is not inserted, for that of its name or key.
func (b *Bound) Refusal(taken error) error {
	if b.Refused == nil {
		return taken
	}
	return b.Refused(taken)
}

func define(k *Shape) *Shape {
	k.pool.New = func() any { return k.bind() }
	for at, c := range k.bind().Cells {
		k.names = append(k.names, c.Name)
		if _, some := c.Value.(worded); some {
			k.words = append(k.words, at)
		}
		if _, some := c.Value.(sharing); some {
			k.sharing = append(k.sharing, at)
			k.documented = append(k.documented, at)
		}
		if _, some := c.Value.(madeValue); some {
			k.documented = append(k.documented, at)
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
	return k
}

func (k *Shape) defineFixed() {
	k.fixed = k.all(slices.Concat(k.Key, k.Fixed, k.Summed))
	for _, c := range []string{"env", "business", "created_at"} {
		if at := slices.Index(k.names, c); at >= 0 {
			k.fixed = append(k.fixed, at)
		}
	}
}

func (k *Shape) at(column string) int {
	at := slices.Index(k.names, column)
	if at < 0 {
		panic(fmt.Sprintf("records: %s has no column %s", k.Name, column))
	}
	return at
}

func (k *Shape) all(columns []string) []int {
	places := make([]int, len(columns))
	for i, c := range columns {
		places[i] = k.at(c)
	}
	return places
}

// Empty returns an empty row with its columns bound. The caller keeps it.
func (k *Shape) Empty() *Bound { return k.bind() }

// Bind returns a stored row with its columns bound, until Release. Nothing changes the
// stored row itself.
func (k *Shape) Bind(stored any) *Bound {
	b := k.pool.Get().(*Bound)
	k.load(b, stored)
	return b
}

// Load replaces the row of a Bound with a stored one, or with an empty one for nil.
func (k *Shape) Load(b *Bound, stored any) {
	if stored == nil {
		stored = k.none
	}
	k.load(b, stored)
}

// Copy returns a row of its own, to be stored: a pointer through which nobody writes. It
// shares nothing with the row that a program wrote.
func (k *Shape) Copy(b *Bound) any { return k.copy(b) }

// Owner returns the scope of a row, by a pointer to it.
func (k *Shape) Owner(row any) ferry.Scope { return k.owner(row) }

// Release takes back what Bind or Borrow gave.
func (k *Shape) Release(bound ...*Bound) {
	for _, b := range bound {
		k.load(b, k.none) // for the garbage collector
		b.Refused = nil
		k.pool.Put(b)
	}
}

// ColumnNames returns the columns in the order of the cells of a Bound.
func (k *Shape) ColumnNames() []string { return k.names }

// WordColumns returns the columns that take certain words only.
func (k *Shape) WordColumns() (columns []string) {
	for _, at := range k.words {
		columns = append(columns, k.names[at])
	}
	return columns
}

// IsFixed reports whether no update changes a column.
func (k *Shape) IsFixed(column string) bool { return slices.Contains(k.fixed, k.at(column)) }

// Check refuses a row that has a word which its column does not take.
func (k *Shape) Check(b *Bound) error {
	for _, at := range k.words {
		if v := b.Cells[at].Value.(worded); !v.fits() {
			word, _ := v.Key()
			return fmt.Errorf("%w: %q in %s.%s", ErrWord, word, k.Name, k.names[at])
		}
	}
	return nil
}

// VersionOf returns the place of the version of a row.
func (k *Shape) VersionOf(b *Bound) *int64 {
	return b.Cells[k.version].Value.(intValue[int64]).at
}

// CreatedAt returns when a row was created.
func (k *Shape) CreatedAt(b *Bound) time.Time {
	return *b.Cells[k.created].Value.(timeValue).at
}

// Keep gives a row the fixed columns of the stored one, and those of its kept names.
func (k *Shape) Keep(stored, row *Bound) {
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
func (b *Bound) key(at int) (string, bool) { return b.Cells[at].Value.Key() }

// text is the value of a column as text, and false when that is empty.
func (b *Bound) text(at int) (string, bool) {
	key, some := b.key(at)
	return key, some && key != ""
}

// Selector returns a function that reports whether a query selects a row.
func (k *Shape) Selector(q Query) func(*Bound) bool {
	matches := k.matcher(q.Matches)
	groups := make([]func(*Bound) bool, len(q.Either))
	for i, group := range q.Either {
		groups[i] = k.matcher(group)
	}
	return func(b *Bound) bool {
		return matches(b) &&
			(len(groups) == 0 || slices.ContainsFunc(groups, func(holds func(*Bound) bool) bool { return holds(b) })) &&
			(q.Created == ferry.Range{} || q.Created.Holds(k.CreatedAt(b))) &&
			(q.Search == "" || strings.Contains(text.Searchable(k.searched(b.Cells)...), q.Search))
	}
}

// matcher returns a function that reports whether all of some matches hold of a row.
func (k *Shape) matcher(matches []Match) func(*Bound) bool {
	at := make([]int, len(matches))
	for i, m := range matches {
		at[i] = k.at(m.Column)
	}
	return func(b *Bound) bool {
		for i, m := range matches {
			if !m.holds(b.Cells[at[i]].Value) {
				return false
			}
		}
		return true
	}
}

func (k *Shape) searched(cells []Cell) []string {
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
func (k *Shape) Folded(cells []Cell) (folded string, some bool) {
	return text.Folded(k.searched(cells)...)
}
