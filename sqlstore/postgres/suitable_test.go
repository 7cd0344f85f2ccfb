//go:build postgres

package postgres

import (
	"context"
	"net/url"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore/pgtest"
)

func TestADatabaseThatCannotHoldEveryTextIsRefused(t *testing.T) {
	given, err := url.Parse(pgtest.URL(t))
	require.NoError(t, err)
	conn, err := pgx.Connect(t.Context(), given.String())
	require.NoError(t, err)
	const name = "ferry_latin"
	_, err = conn.Exec(t.Context(), "CREATE DATABASE "+name+" ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := conn.Exec(context.Background(), "DROP DATABASE "+name)
		require.NoError(t, err)
		require.NoError(t, conn.Close(context.Background()))
	})
	latin := *given
	latin.Path = "/" + name
	_, err = Open(t.Context(), latin.String())
	require.ErrorIs(t, err, ErrUnsuitable)
	require.ErrorContains(t, err, "LATIN1")
}

func TestADatabaseThatOnlyReadsIsRefused(t *testing.T) {
	given, err := url.Parse(pgtest.URL(t))
	require.NoError(t, err)
	query := given.Query()
	query.Set("default_transaction_read_only", "on")
	given.RawQuery = query.Encode()
	_, err = Open(t.Context(), given.String())
	require.ErrorIs(t, err, ErrUnsuitable)
}

func TestAServerThatIsTooOldIsRefused(t *testing.T) {
	n := nature{version: 120022, name: "12.22", encoding: "UTF8"}
	require.ErrorIs(t, n.suitable(), ErrUnsuitable)
	require.ErrorContains(t, n.suitable(), "12.22")
	n.version = oldest
	require.NoError(t, n.suitable())
}
