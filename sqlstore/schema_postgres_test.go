//go:build postgres

package sqlstore_test

import (
	"database/sql"
	"path/filepath"
	"slices"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore/pgtest"
)

// own are the tables that only one kind of database has.
var own = []string{"openings", "committers", "goose_db_version", "sqlite_sequence"}

// shape is what a kind of database says of its columns, keys and indexes: the
// names that statements rely on.
type shape struct {
	columns, unique []string
}

func TestBothKindsOfDatabaseHaveTheSameTablesColumnsAndUniqueKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	open(t, path)
	file, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer func() { _ = file.Close() }()

	url := pgtest.URL(t)
	openServer(t, url)
	server, err := sql.Open("pgx", url)
	require.NoError(t, err)
	defer func() { _ = server.Close() }()

	inFile := shape{
		columns: list(t, file, `SELECT m.name, c.name || CASE WHEN c."notnull" OR c.pk THEN ' NOT NULL' ELSE '' END
			FROM sqlite_master m JOIN pragma_table_xinfo(m.name) c WHERE m.type = 'table' AND m.name <> 'sqlite_stat1'`),
		unique: list(t, file, `SELECT m.name, (SELECT group_concat(name, ',') FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY name))
			FROM sqlite_master m JOIN pragma_index_list(m.name) i WHERE m.type = 'table' AND i."unique"
			UNION SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
			WHERE m.type = 'table' AND c.pk = 1 AND (SELECT max(pk) FROM pragma_table_info(m.name)) = 1`),
	}
	inServer := shape{
		columns: list(t, server, `SELECT table_name, column_name || CASE WHEN is_nullable = 'NO' THEN ' NOT NULL' ELSE '' END
			FROM information_schema.columns WHERE table_schema = 'public'`),
		unique: list(t, server, `SELECT t.relname, (SELECT string_agg(a.attname, ',' ORDER BY a.attname COLLATE "C") FROM pg_attribute a
				WHERE a.attrelid = t.oid AND a.attnum = ANY (i.indkey))
			FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace
			WHERE i.indisunique AND n.nspname = 'public'`),
	}
	require.Greater(t, len(inFile.columns), 100)
	require.Greater(t, len(inFile.unique), 20)
	require.Equal(t, inFile.columns, inServer.columns)
	require.Equal(t, inFile.unique, inServer.unique)
}

// list returns "table text" of every row, in order.
func list(t *testing.T, db *sql.DB, query string) (all []string) {
	rows, err := db.Query(query)
	require.NoError(t, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var table, text string
		require.NoError(t, rows.Scan(&table, &text))
		if !slices.Contains(own, table) {
			all = append(all, table+" "+text)
		}
	}
	require.NoError(t, rows.Err())
	slices.Sort(all)
	return slices.Compact(all)
}
