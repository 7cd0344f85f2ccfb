//go:build postgres && unix

package bench_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore/pgtest"
)

// BenchmarkDeliverPostgres is BenchmarkDeliver and BenchmarkPostBare, with events in
// PostgreSQL.
func BenchmarkDeliverPostgres(b *testing.B) {
	r := onPostgres(b)
	b.Run("event", r.benchmarkDeliver)
	b.Run("bare", BenchmarkPostBare)
}

// BenchmarkDrainPostgres is BenchmarkDrain, with events in PostgreSQL.
func BenchmarkDrainPostgres(b *testing.B) { onPostgres(b).benchmarkDrain(b) }

// onPostgres returns a rig on a database that flushes what it commits.
func onPostgres(b *testing.B) *rig {
	r, err := open(b.Context(), serverOn(b, pgtest.NewCluster(b, pgtest.Options{Durable: true}).URL(b)), 0)
	require.NoError(b, err)
	return r
}
