package records

import (
	"fmt"
	"slices"
	"strings"
)

// Unique is a unique name: no two rows have the same values in its columns. A row with a
// NULL in one of them has no such name.
type Unique struct {
	Columns []string
	// When is what a row must match to have such a name. The zero Match: every row has one.
	When Match
	// Kept says that an update never changes these columns of a row that has such a name.
	Kept bool
	// Taken is the error of a row whose name another one has. Default: one that says
	// the columns.
	Taken error
}

// Group is rows that have the same values in some columns.
type Group struct {
	By []string
	// When is what a row must match to stand in the group; a query asks for it too. The
	// zero Match: every row stands in one.
	When Match
}

// Name is the values of a Unique, a Group or a list of a kind, to be compared. It is
// made without an allocation when they are the scope and at most two texts.
type Name struct {
	Part
	Rest string // the first text
	More string // the others
}

// Text is all texts of a name as one.
func (n Name) Text() string {
	if n.More == "" {
		return n.Rest
	}
	return n.Rest + "\x00" + n.More
}

// Part is what many names have in common: which Unique, Group or list of the kind they belong
// to, and in which scope.
type Part struct {
	Of            int // which Unique, Group or list
	env, business string
}

// placed is a Unique, a Group or a list with its columns found.
type placed struct {
	env, business int // -1 when it is none of the columns
	rest          []int
	holds         func([]Cell) bool
}

func (k *Shape) place(columns []string, when Match) placed {
	p := placed{env: -1, business: -1, holds: k.condition(when)}
	for _, c := range columns {
		switch at := k.at(c); c {
		case "env":
			p.env = at
		case "business":
			p.business = at
		default:
			p.rest = append(p.rest, at)
		}
	}
	return p
}

// name is the values of the n-th of its kind, and whether all are there.
func (p placed) name(n int, value func(at int) (string, bool)) (name Name, some bool) {
	name.Of = n
	if p.env >= 0 {
		if name.env, some = value(p.env); !some {
			return Name{}, false
		}
	}
	if p.business >= 0 {
		if name.business, some = value(p.business); !some {
			return Name{}, false
		}
	}
	first := min(1, len(p.rest))
	if name.Rest, some = joined(p.rest[:first], value); !some {
		return Name{}, false
	}
	name.More, some = joined(p.rest[first:], value)
	return name, some
}

// joined is values as one text, and whether all are there. One is its own text.
func joined(columns []int, value func(at int) (string, bool)) (string, bool) {
	if len(columns) == 1 {
		return value(columns[0])
	}
	var room [128]byte
	out := room[:0]
	for _, at := range columns {
		text, some := value(at)
		if !some {
			return "", false
		}
		out = append(append(out, text...), 0)
	}
	return string(out), true
}

func (k *Shape) defineUnique(u *Unique) placed {
	if u.Taken == nil {
		u.Taken = fmt.Errorf("records: %s of %s is taken", strings.Join(u.Columns, ", "), k.Name)
	}
	return k.place(u.Columns, u.When)
}

// condition returns a function that reports whether a match holds of a row.
func (k *Shape) condition(m Match) func([]Cell) bool {
	if m.Column == "" {
		return func([]Cell) bool { return true }
	}
	at := k.at(m.Column)
	return func(cells []Cell) bool { return m.holds(cells[at].Value) }
}

// Conditions returns what names and groups require of a row.
func (k *Shape) Conditions() (conditions []Match) {
	for _, u := range k.Unique {
		conditions = append(conditions, u.When)
	}
	for _, g := range k.Groups {
		conditions = append(conditions, g.When)
	}
	return slices.DeleteFunc(conditions, func(m Match) bool { return m.Column == "" })
}

// Named returns the n-th unique name of a row, and false when it has none.
func (k *Shape) Named(b *Bound, n int) (name Name, named bool) {
	if !k.unique[n].holds(b.Cells) {
		return Name{}, false
	}
	return k.NameLike(b, n)
}

// NameLike is Named whether or not the row matches what the name requires.
func (k *Shape) NameLike(b *Bound, n int) (name Name, named bool) {
	return k.unique[n].name(n, b.key)
}

// Holds reports whether a row matches what its n-th unique name requires.
func (k *Shape) Holds(b *Bound, n int) bool { return k.unique[n].holds(b.Cells) }

// UniqueAt returns which of the names of the kind one is.
func (k *Shape) UniqueAt(u *Unique) int {
	n := slices.Index(k.Unique, u)
	if n < 0 {
		panic(fmt.Sprintf("records: %s has no such name: %v", k.Name, u.Columns))
	}
	return n
}

// InGroup returns the n-th group of a row, and false when it stands in none.
func (k *Shape) InGroup(b *Bound, n int) (group Name, in bool) {
	if !k.groups[n].holds(b.Cells) {
		return Name{}, false
	}
	return k.groups[n].name(n, b.text)
}

// GroupFor returns a group that has all rows which a query selects, if there is one.
func (k *Shape) GroupFor(q Query) (group Name, some bool) {
	for n, g := range k.groups {
		if !q.asks(k.Groups[n].When) {
			continue
		}
		if group, some = g.name(n, k.asked(q)); some {
			return group, true
		}
	}
	return Name{}, false
}
