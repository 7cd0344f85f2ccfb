package sqlstore

import (
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// ahead is what a unit has announced that it will read. The unit sends these queries with its
// next own query, in one round trip, with one statement for each table. The rows come from the
// unit's snapshot. No guard is made for a row until the body reads it.
type ahead struct {
	rows     map[rowKey]*cell                     // by primary key
	named    map[rowKey]*cell                     // by unique columns
	groups   map[rowKey]*groupAhead               // by the column that they were announced by
	accounts map[ledger.AccountID]*ledger.Account // nil: there is none
	legs     map[ledger.PostingID][]ledger.Entry
	summary  *summaryAhead
	pages    []*pageAhead

	// What was announced and is not sent yet.
	keys       []*keysAhead
	names      []*namesAhead
	accountIDs []ledger.AccountID
	postingIDs []ledger.PostingID
	later      []sqldb.Query
}

// keysAhead are keys of one table that differ by the id alone.
type keysAhead struct {
	*table
	parents []any // the columns of the key before the id
	ids     []string
}

// queries returns the queries that are not sent yet, and forgets them.
func (a *ahead) queries() (queries []sqldb.Query) {
	for _, k := range a.keys {
		queries = append(queries, a.rowsOf(k))
	}
	for _, k := range a.names {
		queries = append(queries, a.rowsNamed(k))
	}
	if len(a.accountIDs) > 0 {
		where, args := anyOf("a.id", a.accountIDs)
		queries = append(queries, accountsWhere(func(found ledger.Account) { a.accounts[found.ID] = &found }, where, args...))
	}
	if len(a.postingIDs) > 0 {
		where, args := anyOf("p.id", a.postingIDs)
		queries = append(queries, a.legsWhere(where, args...))
	}
	queries = append(queries, a.later...)
	a.keys, a.names, a.accountIDs, a.postingIDs, a.later = nil, nil, nil, nil, nil
	return queries
}

// waits reports whether there are queries that are not sent yet.
func (a *ahead) waits() bool {
	return len(a.keys)+len(a.names)+len(a.accountIDs)+len(a.postingIDs)+len(a.later) > 0
}

// rowsOf reads the rows of some keys.
func (a *ahead) rowsOf(k *keysAhead) sqldb.Query {
	where, args := anyOf(k.kind.IDColumn(), k.ids)
	if len(k.parents) > 0 {
		where, args = conditions(k.kind.Key[:len(k.parents)])+" AND "+where, slices.Concat(k.parents, args)
	}
	return k.query(where, args, func(b *records.Bound) error {
		c, err := k.cellOf(b)
		if err == nil {
			*a.rows[k.named(k.keyOf(c.same))] = c
		}
		return err
	})
}

// anyOf returns "column IN (?, …)" for some values, and its parameters.
func anyOf[T ~string](column string, values []T) (condition string, args []any) {
	values = padded(values)
	for _, value := range values {
		args = append(args, string(value))
	}
	return column + " IN (?" + strings.Repeat(", ?", len(values)-1) + ")", args
}

// padded repeats the last value until the number of values is a power of two: see sqldb.PowerOfTwo.
func padded[T any](values []T) []T {
	last := values[len(values)-1]
	return slices.Concat(values, slices.Repeat([]T{last}, sqldb.PowerOfTwo(len(values))-len(values)))
}

func (s rowStore) Prefetch(kind *records.Shape, scope ferry.Scope, id string) {
	t, a := tableOf(kind), &s.ahead
	key := kind.KeyValues(scope, id)
	name := t.named(key)
	if _, known := t.known(s.unit, name); known || s.cells[name] != nil || a.rows[name] != nil {
		return
	}
	if a.rows == nil {
		a.rows = map[rowKey]*cell{}
	}
	a.rows[name] = &cell{}
	parents := key[:len(key)-1]
	at := slices.IndexFunc(a.keys, func(k *keysAhead) bool { return k.table == t && slices.Equal(k.parents, parents) })
	if at < 0 {
		at = len(a.keys)
		a.keys = append(a.keys, &keysAhead{table: t, parents: parents})
	}
	a.keys[at].ids = append(a.keys[at].ids, id)
}

// Expect takes a row as if it came from the cache: the commit checks its guard, and a unit
// that runs again takes none.
func (s rowStore) Expect(kind *records.Shape, row *records.Bound) {
	if !s.caching || s.batch == nil {
		return
	}
	t := tableOf(kind)
	c, err := t.cellOf(row)
	if err != nil {
		return // Get reads the row
	}
	if s.expected == nil {
		s.expected = map[rowKey]*cell{}
	}
	s.expected[t.named(t.keyOf(c.same))] = &c
}

func (s ledgerStore) PrefetchAccount(id ledger.AccountID) {
	a := &s.ahead
	if _, known := a.accounts[id]; known {
		return
	}
	if a.accounts == nil {
		a.accounts = map[ledger.AccountID]*ledger.Account{}
	}
	a.accounts[id] = nil
	a.accountIDs = append(a.accountIDs, id)
}

func (s ledgerStore) PrefetchLegs(id ledger.PostingID) {
	a := &s.ahead
	if _, known := a.legs[id]; known {
		return
	}
	if a.legs == nil {
		a.legs = map[ledger.PostingID][]ledger.Entry{}
	}
	a.legs[id] = nil
	a.postingIDs = append(a.postingIDs, id)
}
