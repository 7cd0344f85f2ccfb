package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// keptTables are those that are not about money and tenants: the version of the
// schema, who has the database open, and the simulated world, which
// sandbox.World resets itself.
var keptTables = []string{"goose_db_version", "openings", "committers", "world"}

// Reset removes all rows in one transaction, while no unit commits. The simulated world
// stays: sandbox.World has a Reset of its own. It is for sandboxes: it removes also rows
// that are otherwise never removed.
func (s *Store) Reset(ctx context.Context) error {
	if err := s.db.clear(ctx, keptTables); err != nil {
		return fmt.Errorf("sqlstore: reset: %w", err)
	}
	s.accounts.clear()
	return nil
}

// clear sets aside the triggers that keep rows from being removed. SQLite does so
// within the transaction.
func (f *file) clear(ctx context.Context, kept []string) error {
	return f.update(ctx, func(w writer) error {
		triggers, err := named(ctx, w, "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
		if err != nil {
			return err
		}
		tables, err := named(ctx, w, "SELECT name, '' FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
		if err != nil {
			return err
		}
		statements := []string{"PRAGMA defer_foreign_keys = ON"}
		for name := range triggers {
			statements = append(statements, "DROP TRIGGER "+name)
		}
		for name := range tables {
			if !slices.Contains(kept, name) {
				statements = append(statements, "DELETE FROM "+name)
			}
		}
		for _, sql := range triggers {
			statements = append(statements, sql)
		}
		return execAll(w, statements)
	})
}

// clear removes rows in one statement, at whose end PostgreSQL looks at the
// references between them. Who reads meanwhile is not disturbed.
func (s *server) clear(ctx context.Context, kept []string) error {
	return s.under(ctx, unitLock, func(w writer) error {
		guarded, err := named(ctx, w, `SELECT DISTINCT c.relname, '' FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
			WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace`)
		if err != nil {
			return err
		}
		tables, err := named(ctx, w, "SELECT tablename, '' FROM pg_tables WHERE schemaname = current_schema()")
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
		return execAll(w, slices.Concat(off, []string{"WITH " + strings.Join(emptied, ", ") + " SELECT 1"}, on))
	})
}

// named returns pairs of a name and a text.
func named(ctx context.Context, from asker, sql string) (map[string]string, error) {
	found := map[string]string{}
	err := from.query(ctx, sql, nil, func(scan func(...any) error) error {
		var name, text string
		if err := scan(&name, &text); err != nil {
			return err
		}
		found[name] = text
		return nil
	})
	return found, err
}

func execAll(w writer, statements []string) error {
	for _, sql := range statements {
		if _, err := w.exec(sql, nil); err != nil {
			return err
		}
	}
	return nil
}
