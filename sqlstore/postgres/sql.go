package postgres

import (
	"strconv"
	"strings"
	"sync"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// texts are the statements of this package, as PostgreSQL takes them, by what
// they are made of. They are few.
var texts sync.Map

// text is what a statement is made of.
type text struct {
	form  string // how it is made
	parts [mostParts]string
	rows  [mostParts]int // of the parts that are inserts
}

// of returns make(), which is made once.
func (t text) of(make func() string) string {
	if made, ok := texts.Load(t); ok {
		return made.(string)
	}
	made := make()
	texts.Store(t, made)
	return made
}

// numbered returns a statement with its parameters ? as $1, $2, and so on. No
// statement of this package has a question mark of another kind.
func numbered(sql string) string {
	return text{parts: [mostParts]string{sql}}.of(func() string { return number(sql) })
}

// met selects 1 from what has rows, and else ends the transaction.
const met = "SELECT CASE WHEN count(*) > 0 THEN 1 ELSE unmet() END"

// must returns a statement that fails as unmet, and so ends its transaction,
// unless the given one touches or finds a row.
func must(s sqldb.Step) string {
	if s.Asks {
		return text{form: "asks", parts: [mostParts]string{s.SQL}}.of(func() string {
			return met + " FROM (" + number(s.SQL) + ") AS found"
		})
	}
	return text{form: "must", parts: [mostParts]string{s.SQL, s.Or}}.of(func() string {
		return eitherOf(number(s.SQL), number(s.Or), "1", met)
	})
}

// eitherOf returns a statement that does one thing and, when that touches fewer than n rows, another one, if
// there is one. It ends as met says of the rows that were touched.
func eitherOf(one, other, n, met string) string {
	touched := "WITH touched AS (" + one + " RETURNING 1)"
	if other == "" {
		return touched + " " + met + " FROM touched"
	}
	return touched + ", instead AS (" + other + " AND (SELECT count(*) FROM touched) < " + n + " RETURNING 1) " +
		met + " FROM (SELECT 1 FROM touched UNION ALL SELECT 1 FROM instead) AS done"
}

func number(sql string) string {
	var b strings.Builder
	n := 0
	for _, r := range sql {
		if r != '?' {
			b.WriteRune(r)
			continue
		}
		n++
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}
