//go:build postgres

package scenario_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/postgres"
)

func init() { kinds = append(kinds, kind{"PostgreSQL", openPostgres}) }

func openPostgres(t testing.TB, tariffs ...fees.Tariffs) shop {
	t.Helper()
	s, err := postgres.Open(t.Context(), pgtest.Copy(t, "ferry", migrated))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
	return openOn(t, s, tariffs...)
}

// migrated leaves the tables of an empty store in a database.
func migrated(url string) error {
	s, err := postgres.Open(context.Background(), url)
	if err != nil {
		return err
	}
	return s.Close(context.Background())
}

func TestRoundsOfOverdraftThroughTheEngineOnPostgreSQL(t *testing.T) {
	t.Parallel()
	overdraw(t, openPostgres(t), 20)
}

func TestRoundsOfRefundsByACrowdOnPostgreSQL(t *testing.T) {
	t.Parallel()
	refundInRounds(t, openPostgres(t), 5)
}
