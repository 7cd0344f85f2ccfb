package sqlstore_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/webhook"
)

func TestEachNameListAndGroupOfARecordHasItsIndex(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	open(t, path)
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer func() { _ = db.Close() }()
	for _, domain := range engine.Domains() {
		for _, kind := range domain.Records {
			unique := texts(t, db, `SELECT '[' || (SELECT group_concat(name, ' ') FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY name))
				|| '] ' || iif(partial, 'true', 'false') FROM pragma_index_list(?) i WHERE "unique"`, kind.Name)
			names := []string{}
			for _, u := range kind.Unique {
				names = append(names, fmt.Sprint(slices.Sorted(slices.Values(u.Columns)), u.When.Column != ""))
			}
			require.Subset(t, unique, names, "each name of %s has a unique index", kind.Name)
			if kind != webhook.EventKind.Shape { // which the store itself numbers
				key := fmt.Sprint(slices.Sorted(slices.Values(kind.Key)), false)
				require.Subset(t, append(names, key), unique, "the unique indexes of %s are declared", kind.Name)
			}
			for _, list := range kind.Lists {
				plan := requireIndex(t, db, kind, append([]string{"env", "business"}, list...), "", "created_at DESC, id DESC")
				require.NotContains(t, plan, "TEMP B-TREE", "%s by %v", kind.Name, list)
			}
			for _, g := range kind.Groups {
				if slices.Equal(g.By, []string{"env"}) {
					continue // which is half of all rows
				}
				when := ""
				switch {
				case g.When.Is == records.Absent:
					when = fmt.Sprintf(" AND %s IS NULL", g.When.Column)
				case g.When.Column != "":
					when = fmt.Sprintf(" AND %s = '%s'", g.When.Column, g.When.Text)
				}
				requireIndex(t, db, kind, g.By, when, kind.IDColumn())
			}
		}
	}
}

// requireIndex requires that an index finds rows with certain values in columns, and returns
// how they are read.
func requireIndex(t *testing.T, db *sql.DB, kind *records.Shape, columns []string, when, order string) (plan string) {
	t.Helper()
	query := fmt.Sprintf("SELECT * FROM %s WHERE %s = 'x'%s ORDER BY %s LIMIT 9", kind.Name, strings.Join(columns, " = 'x' AND "), when, order)
	plan = strings.Join(texts(t, db, "EXPLAIN QUERY PLAN "+query), "; ")
	for _, column := range columns {
		require.Contains(t, plan, column+"=?", query)
	}
	return plan
}

// texts is the last column of all rows.
func texts(t *testing.T, db *sql.DB, query string, args ...any) (all []string) {
	t.Helper()
	rows, err := db.Query(query, args...)
	require.NoError(t, err, query)
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	require.NoError(t, err)
	for rows.Next() {
		var text string
		values := slices.Repeat([]any{new(any)}, len(columns)-1)
		require.NoError(t, rows.Scan(append(values, &text)...))
		all = append(all, text)
	}
	require.NoError(t, rows.Err())
	return all
}
