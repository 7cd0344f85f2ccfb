package postgres

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A server refuses a connection that begins with a setting that it does not know.
func TestTheOldestServerKnowsTheSettingsOfConnections(t *testing.T) {
	known := []string{ // by PostgreSQL 13
		"default_transaction_isolation", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin", "enable_seqscan", "enable_sort",
		"idle_in_transaction_session_timeout", "jit", "lock_timeout", "plan_cache_mode", "synchronous_commit", "timezone",
	}
	for _, some := range []map[string]string{settings, byKeys, byIndexes} {
		for name := range some {
			require.Contains(t, known, name)
		}
	}
}

func TestHowManyUnitsReadAtOnceIsWhatTheURLSays(t *testing.T) {
	for url, want := range map[string]int32{
		"postgres://db/ferry":                                16,
		"postgres://db/ferry?sslmode=disable":                16,
		"host=db dbname=ferry":                               16,
		"postgres://db/ferry?pool_max_conns=1":               1,
		"postgres://db/ferry?pool_max_conns=4":               4,
		"postgres://db/ferry?pool_max_conns=40":              40,
		"host=db dbname=ferry pool_max_conns=3 password='x'": 3,
	} {
		config, err := parse(url)
		require.NoError(t, err, url)
		require.Equal(t, want, config.MaxConns, url)
	}
}

func TestANumberOfConnectionsThatCannotBeIsRefused(t *testing.T) {
	for _, size := range []string{"0", "-1", "many", "1.5", "99999999999"} {
		_, err := parse("postgres://ferry:hunter2@db/ferry?pool_max_conns=" + size)
		require.ErrorContains(t, err, "pool_max_conns", size)
		require.NotContains(t, err.Error(), "hunter2")
	}
}
