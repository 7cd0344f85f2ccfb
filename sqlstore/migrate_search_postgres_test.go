//go:build postgres

package sqlstore_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/postgres"
)

func TestOnPostgreSQLASearchFindsWhatWasThereBeforeItsMigration(t *testing.T) {
	url := pgtest.URL(t)
	testOldRowsAreFound(t, "pgx", url, func() *sqlstore.Store {
		s, err := postgres.Open(t.Context(), url)
		require.NoError(t, err)
		t.Cleanup(func() { _ = s.Close(context.Background()) })
		return s
	})
}
