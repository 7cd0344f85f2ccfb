//go:build postgres

package postgres

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// planOf returns the plan by which a connection executes a prepared statement: its name and its
// arguments, as in EXECUTE.
func planOf(t *testing.T, conn *pgx.Conn, execute string) string {
	t.Helper()
	rows, err := conn.Query(t.Context(), "EXPLAIN EXECUTE "+execute, pgx.QueryExecModeSimpleProtocol)
	require.NoError(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return strings.Join(lines, "\n")
}
