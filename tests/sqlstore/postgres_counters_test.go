//go:build postgres && unix

package sqlstore_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore/pgtest"
)

func TestCountersOnPostgreSQLAreRightAfterAnyStory(t *testing.T) {
	url := pgtest.URL(t)
	config, err := pgx.ParseConfig(url)
	require.NoError(t, err)
	db := stdlib.OpenDB(*config)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	testCountersAfterAnyStory(t, openServer(t, url), db)
}
