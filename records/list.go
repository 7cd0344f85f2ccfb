package records

import (
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
)

func (k *Shape) defineLists() {
	for _, list := range k.Lists {
		p := k.place(list, Match{})
		for _, at := range p.rest {
			if !slices.Contains(k.listed, at) {
				k.listed = append(k.listed, at)
			}
		}
		k.lists = append(k.lists, p)
	}
}

// asked is the text that a query asks for in a column, and false when it asks for none.
func (k *Shape) asked(q Query) func(at int) (string, bool) {
	return func(at int) (string, bool) {
		text := q.value(k.names[at])
		return text, text != ""
	}
}

// InList returns the n-th list of a row, and false when it does not stand there.
func (k *Shape) InList(b *Bound, n int) (list Name, in bool) {
	return k.list(k.Owner(b.Row), n, b.text)
}

// ListFor returns the narrowest list that has all rows of a scope which a query
// selects, whether it has no others, and whether there is such a list.
func (k *Shape) ListFor(scope ferry.Scope, q Query) (list Name, exact, some bool) {
	n, exact := k.narrowest(q)
	if n < 0 {
		return Name{}, false, false
	}
	list, some = k.list(scope, n, k.asked(q))
	return list, exact, some
}

// ListOfQuery is ListFor with the scope that the query names, if it names one.
func (k *Shape) ListOfQuery(q Query) (list Name, some bool) {
	scope := ferry.Scope{Env: ferry.Env(q.value("env")), Business: ferry.BusinessID(q.value("business"))}
	if scope.Env == "" || scope.Business == "" {
		return Name{}, false
	}
	list, _, some = k.ListFor(scope, q)
	return list, some
}

// list is the n-th list of a scope.
func (k *Shape) list(scope ferry.Scope, n int, value func(at int) (string, bool)) (list Name, in bool) {
	list, in = k.lists[n].name(n, value)
	list.env, list.business = string(scope.Env), string(scope.Business)
	return list, in
}

// narrowest returns which list of a scope has all rows that a query selects and the most
// columns, or -1, and whether it has no others.
func (k *Shape) narrowest(q Query) (n int, exact bool) {
	n, widest := -1, -1
	for i, list := range k.lists {
		if len(list.rest) <= widest {
			continue
		}
		if _, in := list.name(i, k.asked(q)); in {
			n, widest = i, len(list.rest)
		}
	}
	return n, q.only() && widest == len(q.Matches)
}

// ListNames returns the names of the counted lists in which a row stands.
func (k *Shape) ListNames(b *Bound) []string {
	scope := k.Owner(b.Row)
	names := make([]string, 0, k.counted)
	for n := range k.counted {
		if name, in := k.listName(scope, n, b.text); in {
			names = append(names, name)
		}
	}
	return names
}

// ListNameFor is the name of the list of ListFor, or no text when that is not a counted one.
func (k *Shape) ListNameFor(scope ferry.Scope, q Query) (name string, exact bool) {
	n, exact := k.narrowest(q)
	if n < 0 || n >= k.counted {
		return "", false
	}
	name, _ = k.listName(scope, n, k.asked(q))
	return name, exact
}

// listName names the n-th list by the values of its columns, and reports whether all have
// one.
func (k *Shape) listName(scope ferry.Scope, n int, value func(at int) (string, bool)) (string, bool) {
	var out strings.Builder
	out.Grow(128)
	out.WriteString(k.Name)
	out.WriteByte('/')
	out.WriteString(string(scope.Env))
	out.WriteByte('/')
	out.WriteString(string(scope.Business))
	list := k.lists[n].rest
	left := len(list)
	for _, at := range k.listed {
		if left == 0 {
			break
		}
		out.WriteByte('/')
		if !slices.Contains(list, at) {
			continue
		}
		text, some := value(at)
		if !some {
			return "", false
		}
		out.WriteString(text)
		left--
	}
	return out.String(), true
}
