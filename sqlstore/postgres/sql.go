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

// numbered returns a statement with its parameters ? as $1, $2, and so on. No
// statement of this package has a question mark of another kind.
func numbered(sql string) string { return derived("", sql, number) }

// met selects 1 from what has rows, and else ends the transaction.
const met = "SELECT CASE WHEN count(*) > 0 THEN 1 ELSE unmet() END"

// must returns a statement that fails as unmet, and so ends its transaction,
// unless the given one touches or finds a row.
func must(s sqldb.Step) string {
	if s.Asks {
		return derived("asks ", s.SQL, func(sql string) string {
			return met + " FROM (" + number(sql) + ") AS found"
		})
	}
	return derived("must ", s.SQL, func(sql string) string {
		return "WITH touched AS (" + number(sql) + " RETURNING 1) " + met + " FROM touched"
	})
}

// derived returns make(sql), which is made once.
func derived(kind, sql string, make func(string) string) string {
	if text, ok := texts.Load(kind + sql); ok {
		return text.(string)
	}
	text := make(sql)
	texts.Store(kind+sql, text)
	return text
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
