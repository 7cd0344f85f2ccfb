package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// Clear removes rows in one statement, at whose end PostgreSQL looks at the
// references between them. Who reads meanwhile is not disturbed.
func (s *server) Clear(ctx context.Context, kept []string) error {
	return s.under(ctx, unitLock, func(w sqldb.Writer) error {
		guarded, err := sqldb.Named(ctx, w, `SELECT DISTINCT c.relname, '' FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
			WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace`)
		if err != nil {
			return err
		}
		tables, err := sqldb.Named(ctx, w, "SELECT tablename, '' FROM pg_tables WHERE schemaname = current_schema()")
		if err != nil {
			return err
		}
		var off, on, emptied []string
		for name := range guarded {
			off = append(off, "ALTER TABLE "+name+" DISABLE TRIGGER USER")
			on = append(on, "ALTER TABLE "+name+" ENABLE TRIGGER USER")
		}
		for name := range tables {
			if !slices.Contains(kept, name) {
				emptied = append(emptied, fmt.Sprintf("%s_emptied AS (DELETE FROM %[1]s)", name))
			}
		}
		slices.Sort(off) // locks are taken in one order
		return sqldb.ExecAll(w, slices.Concat(off, []string{"WITH " + strings.Join(emptied, ", ") + " SELECT 1"}, on))
	})
}
