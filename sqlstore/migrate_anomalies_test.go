package sqlstore_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets/deposits"
)

func TestAnomaliesThatHadNoIDComeInTheOrderOfTheirTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	s := open(t, path)
	require.NoError(t, s.Close(t.Context()))

	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.Exec("DROP TABLE wallet_anomalies")
	require.NoError(t, err)
	execute(t, db, "0006_wallets", "CREATE TABLE wallet_anomalies")
	for at, signature := range []string{"z", "a"} {
		_, err = db.Exec("INSERT INTO wallet_anomalies VALUES (?, ?, 'wal_1', 'addr_1', ?, 'mint', 'unexplained', -3, ?, 1)",
			string(scope.Env), string(scope.Business), signature, noon.UnixMicro()+int64(at)*1000)
		require.NoError(t, err)
	}
	execute(t, db, "0080_wallet_records", "CREATE TABLE", "INSERT", "DROP TABLE", "ALTER", "CREATE UNIQUE", "CREATE INDEX wallet")
	require.NoError(t, db.Close())

	s = open(t, path)
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		found, err := deposits.AnomalyKind.After(ctx, p, records.Where(records.Is("address", "addr_1")), "", 9)
		require.NoError(t, err)
		require.Len(t, found, 2)
		for i, signature := range []string{"z", "a"} {
			require.Regexp(t, "^anm_[0-9a-f]{32}$", found[i].ID)
			require.EqualValues(t, signature, found[i].Signature)
			require.Equal(t, money.USDC(-3), found[i].Delta)
		}
		again := found[0]
		again.ID = "anm_other"
		_, err = deposits.AnomalyKind.Find(ctx, p, deposits.AnomalyKind.Unique[0], again)
		return err
	}))
}
