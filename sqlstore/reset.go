package sqlstore

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/settings"
)

// keptTables are those that are not about money and tenants: the version of the
// schema, who has the database open, the settings, and the simulated world, which
// sandbox.World resets itself.
var keptTables = []string{"goose_db_version", "openings", "committers", settings.Kind.Name, "world", "world_version"}

// Reset removes all rows in one transaction, while no unit commits. The settings stay, and
// the simulated world, as sandbox.World has a Reset of its own. It is for sandboxes: it removes also rows
// that are otherwise never removed.
func (s *Store) Reset(ctx context.Context) error {
	if err := s.db.Clear(ctx, keptTables); err != nil {
		return fmt.Errorf("sqlstore: reset: %w", err)
	}
	s.Forget()
	return nil
}

// Forget empties the cache of rows, and that of what never changes about accounts.
func (s *Store) Forget() {
	s.accounts.clear()
	s.rows.clear()
}
