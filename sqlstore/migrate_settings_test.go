package sqlstore_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/settings"
	"github.com/ferrypay/ferry/store"
)

// What the binary has to know about a store stood in the simulated world before.
func TestWhatTheBinaryKeptInTheWorldBecomesSettings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	require.NoError(t, open(t, path).Close(t.Context()))
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.Exec(`DROP TABLE settings;
		INSERT INTO world (key, value) VALUES ('serve/keyset', x'01ff'), ('dev/store', CAST('made by' AS BLOB)), ('dev/credentials', x'02'), ('clock', CAST('now' AS BLOB))`)
	require.NoError(t, err)
	execute(t, db, "0090_settings", "CREATE", "INSERT", "DELETE")
	require.NoError(t, db.Close())

	s := open(t, path)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		for name, want := range map[settings.Name]string{"serve/keyset": "\x01\xff", "dev/store": "made by", "dev/credentials": "\x02"} {
			value, found, err := settings.Get(ctx, p, name)
			require.NoError(t, err)
			require.True(t, found, name)
			require.Equal(t, want, string(value))
			require.NoError(t, settings.Set(ctx, p, name, value), "a row as any other")
			require.Empty(t, readDoc(t, s, string(name)))
		}
		return nil
	}))
	require.Equal(t, "now", readDoc(t, s, "clock"), "the world is left as it was")
}
