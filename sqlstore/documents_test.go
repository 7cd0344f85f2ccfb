package sqlstore_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/store"
)

// Files live longer than the names of Go: what stands in JSON columns must be
// read by every later release.

const written = `
INSERT INTO customers VALUES ('cus_1', 'test', 'biz_00000000000000000000000000000001', 'individual', 'verified',
	'Ada', 'Obi', '', 'ada@example.com', '+2348012345678', x'00ff', 'd1', NULL, '', '', '', '', '', '', '', '', '',
	'', '', '', '', '{"score":12.50,"tier":"gold","vip":true}', 'bvn', 1772366400000000, 'ADA OBI', 'ada obi' || char(10) || 'ada@example.com',
	1772366400000000, 1772366400000000, 4);
INSERT INTO identities VALUES ('idn_1', 'test', 'biz_00000000000000000000000000000001', 'bvn', x'00ff', 'd1', 'cus_1', 'otp_sent', 'otp_1',
	1772366400000000, '[{"Number":2,"At":"2026-03-01T12:00:00Z","OTP":"d3","Judged":true,"Reason":"invalid_otp"}]', '', NULL,
	1772366400000000, 1772366400000000, 2, NULL);
INSERT INTO identity_trails VALUES ('test', 'biz_00000000000000000000000000000001', 'number/bvn/d1',
	'[{"Identity":"idn_1","Customer":"cus_1","At":"2026-03-01T12:00:00Z"}]', 3);`

// openWritten opens a store whose file has rows that were written before.
func openWritten(t *testing.T) store.Backend {
	path := filepath.Join(t.TempDir(), "ferry.db")
	require.NoError(t, open(t, path).Close(t.Context()))
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.Exec(written)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	return open(t, path)
}

func TestRowsThatAFileHasKeepTheirMeaning(t *testing.T) {
	require.NoError(t, openWritten(t).Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		c, err := customers.CustomerKind.Get(ctx, p, scope, "cus_1")
		require.NoError(t, err)
		require.Equal(t, ferry.Metadata{"score": json.Number("12.50"), "tier": "gold", "vip": true}, c.Metadata)
		require.Equal(t, customers.Verification{Method: "bvn", VerifiedAt: noon, VerifiedName: "ADA OBI"}, c.Verification)
		require.Equal(t, customers.SealedNumber{Sealed: []byte{0, 255}, Digest: "d1"}, c.BVN)
		i, err := customers.IdentityKind.Get(ctx, p, scope, "idn_1")
		require.NoError(t, err)
		require.Equal(t, []customers.Attempt{{Number: 2, At: noon, OTP: "d3", Judged: true, Reason: customers.ReasonInvalidOTP}}, i.Attempts)
		initiations, err := customers.InitiationLogKind.Get(ctx, p, scope, "number/bvn/d1")
		require.NoError(t, err)
		require.Equal(t, []customers.Initiation{{Identity: "idn_1", Customer: "cus_1", At: noon}}, initiations.Initiations)
		require.EqualValues(t, 3, initiations.Version)
		return nil
	}))
}

func TestTimesAreKeptToTheMicrosecond(t *testing.T) {
	s, at := fresh(t), noon.Add(123456*time.Microsecond)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		return customers.CustomerKind.Insert(ctx, p, customers.Customer{ID: "cus_1", Scope: scope, Type: customers.Individual, Status: customers.Verified, CreatedAt: at, UpdatedAt: at})
	}))
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		c, err := customers.CustomerKind.Get(ctx, p, scope, "cus_1")
		require.Equal(t, at, c.CreatedAt)
		return err
	}))
}
