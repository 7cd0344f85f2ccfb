package sqlite

import (
	"context"
	"slices"

	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// Clear sets aside the triggers that keep rows from being removed. SQLite does so
// within the transaction.
func (f *file) Clear(ctx context.Context, kept []string) error {
	return f.Update(ctx, func(w sqldb.Writer) error {
		triggers, err := sqldb.Named(ctx, w, "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
		if err != nil {
			return err
		}
		tables, err := sqldb.Named(ctx, w, "SELECT name, '' FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
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
		return sqldb.ExecAll(w, statements)
	})
}
