package sqlstore_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/store"
)

// The operation and the client's key stood in two columns before.
func TestKeysThatWereUsedBeforeTheirMigrationAreStillKnown(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	require.NoError(t, open(t, path).Close(t.Context()))
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.Exec("DROP TABLE idempotency_keys")
	require.NoError(t, err)
	_, err = db.Exec(`CREATE TABLE idempotency_keys (
		env TEXT NOT NULL, business TEXT NOT NULL, operation TEXT NOT NULL, client TEXT NOT NULL, fingerprint TEXT NOT NULL,
		resource TEXT NOT NULL, finished INTEGER NOT NULL, status INTEGER NOT NULL, body BLOB, busy_until INTEGER,
		created_at INTEGER NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (env, business, operation, client)) STRICT, WITHOUT ROWID`)
	require.NoError(t, err)
	_, err = db.Exec("INSERT INTO idempotency_keys VALUES (?, ?, 'POST /v1/wallets', 'k-1', 'f', 'wal_1', 1, 200, x'7b7d', NULL, ?, ?)",
		scope.Env, scope.Business, noon.UnixMicro(), noon.UnixMicro())
	require.NoError(t, err)
	execute(t, db, "0091_key_ids", "CREATE", "INSERT", "DROP", "ALTER")
	require.NoError(t, db.Close())

	key := idempotency.Key{Scope: scope, Operation: "POST /v1/wallets", Client: "k-1"}
	s := open(t, path)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		known, err := idempotency.Begin(ctx, p, noon, noon, key.Record("f"))
		require.NoError(t, err)
		require.Equal(t, &idempotency.Record{
			Scope: scope, ID: key.ID(), Fingerprint: "f", Resource: "wal_1", Finished: true, Status: 200, Body: "{}",
			CreatedAt: noon, Version: noon.UnixMicro(),
		}, known)
		return idempotency.RecordKind.Update(ctx, p, *known)
	}))
}
