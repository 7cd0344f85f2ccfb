//go:build postgres

package stories_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/postgres"
)

func init() { kinds = append(kinds, kind{"PostgreSQL", inPostgres}) }

func inPostgres(t testing.TB) (engine.Config, sandbox.Store) {
	s, err := postgres.Open(t.Context(), pgtest.Copy(t, "ferry", migrated))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
	return engine.Config{Store: s}, s.World()
}

// migrated leaves the tables of an empty store in a database.
func migrated(url string) error {
	s, err := postgres.Open(context.Background(), url)
	if err != nil {
		return err
	}
	return s.Close(context.Background())
}
