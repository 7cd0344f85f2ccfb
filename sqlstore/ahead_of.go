package sqlstore

import (
	"cmp"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// A unit may announce rows whose ids it does not know yet, by a unique name or by the column of
// other rows that has the ids. The statement finds the ids itself, so a row and the rows that
// it names are read in one round trip.

// groupAhead is the rows with one value in a column, read ahead for After, in the order of
// their ids.
type groupAhead struct {
	ids  []string
	rows []any
}

func (s rowStore) PrefetchNamed(kind *records.Shape, by *records.Unique, like *records.Bound) {
	t, a := tableOf(kind), &s.ahead
	x := t.unique[kind.UniqueAt(by)]
	values, err := plain(like, x.at)
	if err != nil {
		return // Find returns the error
	}
	columns := rowKey{x.name, keyText(values)}
	if _, written := s.unique[columns]; written || a.named[columns] != nil {
		return
	}
	if _, known := t.known(s.unit, columns); known {
		return
	}
	if a.named == nil {
		a.named = map[rowKey]*cell{}
	}
	last := len(values) - 1
	text, is := values[last].(string)
	if !is {
		return // only names that end with a text are read ahead
	}
	a.named[columns] = &cell{}
	at := slices.IndexFunc(a.names, func(k *namesAhead) bool {
		return k.unique.name == x.name && slices.Equal(k.parents, values[:last])
	})
	if at < 0 {
		at = len(a.names)
		a.names = append(a.names, &namesAhead{t, x, values[:last], nil})
	}
	a.names[at].last = append(a.names[at].last, text)
}

// namesAhead are unique names of one table that differ by the last column alone, which is a
// text.
type namesAhead struct {
	*table
	unique  unique
	parents []any
	last    []string
}

// rowsNamed reads the rows that have some unique names.
func (a *ahead) rowsNamed(k *namesAhead) sqldb.Query {
	columns := make([]string, len(k.unique.at))
	for i, at := range k.unique.at {
		columns[i] = k.columns[at].name
	}
	where, args := anyOf(columns[len(columns)-1], k.last)
	if len(k.parents) > 0 {
		where, args = conditions(columns[:len(k.parents)])+" AND "+where, slices.Concat(k.parents, args)
	}
	named := a.named
	return k.query(where+k.unique.when, args, func(b *records.Bound) error {
		values, err := plain(b, k.unique.at)
		if err != nil {
			return err
		}
		*named[rowKey{k.unique.name, keyText(values)}], err = k.cellOf(b)
		return err
	})
}

func (s rowStore) PrefetchOf(kind *records.Shape, ids records.Values) {
	t, a := tableOf(kind), &s.ahead
	if a.rows == nil {
		a.rows = map[rowKey]*cell{}
	}
	rows := a.rows
	f := (&filter{}).among(kind.IDColumn(), ids)
	if f == nil {
		return
	}
	if parents := kind.KeyValues(ids.Scope, ""); len(parents) > 1 {
		f.and(conditions(kind.Key[:len(parents)-1]), parents[:len(parents)-1]...)
	}
	if ids.Page != (ferry.Page{}) { // some ids of a page may have no row
		a.later = append(a.later, idsOf(ids, func(id string) {
			if name := t.named(kind.KeyValues(ids.Scope, id)); rows[name] == nil {
				rows[name] = &cell{}
			}
		}))
	}
	a.later = append(a.later, t.query(f.where(), f.args, func(b *records.Bound) error {
		c, err := t.cellOf(b)
		if err != nil {
			return err
		}
		name := t.named(t.keyOf(c.same))
		if known := rows[name]; known != nil {
			*known = c
		} else {
			rows[name] = &c
		}
		return nil
	}))
}

func (s rowStore) PrefetchAfter(rows records.Rows) {
	f, a := rowsAhead(rows), &s.ahead
	if f == nil || rows.Of == nil {
		return
	}
	if a.groups == nil {
		a.groups = map[rowKey]*groupAhead{}
	}
	t, groups := tableOf(rows.Kind), a.groups
	by := t.at([]string{rows.By})
	a.later = append(a.later, t.query(f.where()+" ORDER BY "+rows.Kind.IDColumn(), f.args, func(b *records.Bound) error {
		of, err := plain(b, by)
		if err != nil {
			return err
		}
		name := t.groupOf(rows.Scope, rows.By, of[0])
		if groups[name] == nil {
			groups[name] = &groupAhead{}
		}
		groups[name].ids = append(groups[name].ids, rows.Kind.ID(b))
		groups[name].rows = append(groups[name].rows, t.kind.Copy(b))
		return nil
	}))
}

// groupOf returns the key of ahead.groups for the rows of a scope that have a value in a column.
func (t *table) groupOf(scope ferry.Scope, column string, value any) rowKey {
	return rowKey{t.kind.Name + "/" + column, keyText([]any{string(scope.Env), string(scope.Business), value})}
}

// walkedAhead returns what After would, when these rows were read ahead.
func (s rowStore) walkedAhead(kind *records.Shape, q records.Query, after string, limit int) (rows []any, known bool) {
	if len(s.ahead.groups) == 0 || len(q.Matches) != 3 || len(q.Either) > 0 || q.Search != "" || q.Created != (ferry.Range{}) {
		return nil, false
	}
	var scope ferry.Scope
	var by records.Match
	for _, m := range q.Matches {
		switch {
		case m.Is != records.Equal:
			return nil, false
		case m.Column == "env":
			scope.Env = ferry.Env(m.Text)
		case m.Column == "business":
			scope.Business = ferry.BusinessID(m.Text)
		default:
			by = m
		}
	}
	group := s.ahead.groups[tableOf(kind).groupOf(scope, by.Column, by.Plain)]
	if group == nil {
		return nil, false
	}
	first, found := slices.BinarySearch(group.ids, after)
	if found {
		first++
	}
	return group.rows[first:min(first+limit, len(group.rows)):len(group.rows)], true
}

func (s ledgerStore) PrefetchAccountsOf(ids records.Values) {
	a := &s.ahead
	f := (&filter{}).among("a.id", ids)
	if f == nil {
		return
	}
	if a.accounts == nil {
		a.accounts = map[ledger.AccountID]*ledger.Account{}
	}
	accounts := a.accounts
	a.later = append(a.later, accountsWhere(func(found ledger.Account) { accounts[found.ID] = &found }, f.where(), f.args...))
}

func (s ledgerStore) PrefetchLegsOf(postings records.Values) {
	a := &s.ahead
	f := (&filter{}).among("p.id", postings)
	if f == nil {
		return
	}
	a.later = append(a.later, a.legsWhere(f.where(), f.args...))
}

// legsWhere reads the entries of postings, in the order of their legs.
func (a *ahead) legsWhere(where string, args ...any) sqldb.Query {
	if a.legs == nil {
		a.legs = map[ledger.PostingID][]ledger.Entry{}
	}
	legs := a.legs
	return entriesWhere(func(e ledger.Entry) {
		of := legs[e.ID.Posting]
		at, known := slices.BinarySearchFunc(of, e, func(a, b ledger.Entry) int { return cmp.Compare(a.ID.Leg, b.ID.Leg) })
		if !known {
			legs[e.ID.Posting] = slices.Insert(of, at, e)
		}
	}, where+" ORDER BY e.leg", args...)
}

// among narrows a filter to rows whose column has one of some values. It returns nil when the
// values describe no rows.
func (f *filter) among(column string, values records.Values) *filter {
	sql, args := selectValues(values)
	if sql == "" {
		return nil
	}
	return f.and(column+" IN ("+sql+")", args...)
}

// idsOf reads values that are ids, and calls a function with each.
func idsOf(values records.Values, each func(id string)) sqldb.Query {
	sql, args := selectValues(values)
	return sqldb.Query{SQL: sql, Args: args, Each: func(scan func(...any) error) error {
		var id string
		err := scan(&id)
		each(id)
		return err
	}}
}

// selectValues returns the query of some values. It is empty when the values describe no rows.
func selectValues(values records.Values) (sql string, args []any) {
	rows := rowsAhead(values.Rows)
	if rows == nil {
		return "", nil
	}
	sql = "SELECT " + values.Column
	if values.Prefix != "" {
		sql, args = "SELECT ? || "+values.Column, []any{values.Prefix}
	}
	sql, args = sql+" FROM "+values.Kind.Name+" WHERE "+rows.where(), append(args, rows.args...)
	if p := values.Page; p != (ferry.Page{}) {
		sql, args = sql+" ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?", append(args, p.Limit, p.Offset())
	}
	return sql, args
}

// nearTop is how many rows a page may skip and be read ahead.
const nearTop = 1000

// rowsAhead returns the filter of some rows. It is nil when they are not read ahead: a page deep
// in a list costs too much to find it twice.
func rowsAhead(rows records.Rows) *filter {
	if rows.Kind == nil || rows.Page.Before != "" || rows.Page.Offset() > nearTop {
		return nil
	}
	f := tableOf(rows.Kind).selecting(inScope(rows.Scope), rows.Query)
	if rows.Of != nil {
		return f.among(rows.By, *rows.Of)
	}
	return f
}
