package sqlstore_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

const signedBefore = `
INSERT INTO transfer_attempts VALUES ('test', 'biz_00000000000000000000000000000001', 'trx_1', 1, 'sig', x'00ff', 'hash', 42, 'memo',
	'[{"id":"addr_1","address":"A1","minor":2500000},{"id":"addr_2","address":"A2","minor":1}]', '', 'live', 0,
	1772366400000000, 1772366400000000, 1);
INSERT INTO addresses VALUES ('addr_1', 'test', 'biz_00000000000000000000000000000001', 'wal_1', 'ref', 'A1', '', 'active', 1, '{}',
	0, 0, NULL, 1772366400000000, 1772366400000000, 1);
INSERT INTO address_keys VALUES ('addr_1', 'test', 'biz_00000000000000000000000000000001', 'wal_1', 'A1', 1, x'01', 1772366400000000, 1);`

// signed returns the path of a file with rows that were written before.
func signed(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "ferry.db")
	require.NoError(t, open(t, path).Close(t.Context()))
	require.NoError(t, directly(t, path, signedBefore))
	return path
}

// directly runs SQL on a file behind the store's back.
func directly(t *testing.T, path, statement string) error {
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	_, err = db.Exec(statement)
	return err
}

func TestAnAttemptOfAFileKeepsItsMeaning(t *testing.T) {
	require.NoError(t, open(t, signed(t)).Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		a, err := outgoing.LiveAttempt(ctx, p, scope, "trx_1")
		require.Equal(t, outgoing.Attempt{
			Transfer: "trx_1", Scope: scope, Number: 1,
			Signed: chain.Signed{Signature: "sig", Bytes: []byte{0, 255}, Blockhash: "hash", LastValidHeight: 42},
			Memo:   "memo", Sources: []outgoing.Source{
				{ID: "addr_1", Address: "A1", Amount: money.USDC(2500000)},
				{ID: "addr_2", Address: "A2", Amount: money.USDC(1)},
			},
			State: outgoing.AttemptLive, CreatedAt: noon, UpdatedAt: noon, Version: 1,
		}, a)
		return err
	}))
}

func TestWhatGuardsMoneyHoldsInTheFileItself(t *testing.T) {
	path := signed(t)
	for what, statement := range map[string]string{
		"signed bytes that change":       "UPDATE transfer_attempts SET bytes = x'01'",
		"signed bytes that are removed":  "DELETE FROM transfer_attempts",
		"a key that is removed":          "DELETE FROM address_keys",
		"a second live attempt":          "INSERT INTO transfer_attempts SELECT env, business, transfer, 2, 'other', bytes, blockhash, last_valid_height, memo, sources, to_id, state, seen, created_at, updated_at, 1 FROM transfer_attempts",
		"one address managed twice":      "INSERT INTO addresses SELECT 'addr_2', env, business, wallet, wallet_reference, address, label, status, is_primary, metadata, 0, 0, NULL, created_at, updated_at, 1 FROM addresses",
		"less than nothing that arrived": "UPDATE addresses SET total_received = -1",
	} {
		require.ErrorContains(t, directly(t, path, statement), "constraint failed", what)
	}
	require.NoError(t, directly(t, path, "UPDATE transfer_attempts SET state = 'expired'"))
	require.Error(t, directly(t, path, "UPDATE transfer_attempts SET state = 'live'"), "an attempt that was given up does not live again")
}

func TestAnAttemptTakesTheTurnOfTheLastOneInOneUnit(t *testing.T) {
	s := open(t, signed(t))
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		first, err := outgoing.LiveAttempt(ctx, p, scope, "trx_1")
		require.NoError(t, err)
		next := first
		next.Number, next.Signature = 2, "next"
		require.ErrorIs(t, outgoing.AttemptKind.Insert(ctx, p, first), outgoing.ErrAttemptExists)
		first.State = outgoing.AttemptExpired
		require.NoError(t, outgoing.AttemptKind.Update(ctx, p, first))
		_, err = outgoing.LiveAttempt(ctx, p, scope, "trx_1")
		require.ErrorIs(t, err, outgoing.ErrAttemptNotFound)
		require.NoError(t, outgoing.AttemptKind.Insert(ctx, p, next))
		live, err := outgoing.LiveAttempt(ctx, p, scope, "trx_1")
		require.Equal(t, next.Signature, live.Signature)
		return err
	}))
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		all, err := outgoing.AttemptsOf(ctx, p, scope, "trx_1")
		require.Len(t, all, 2)
		require.Equal(t, outgoing.AttemptExpired, all[0].State)
		_, elsewhere := outgoing.LiveAttempt(ctx, p, ferry.Scope{Env: ferry.Live}, "trx_1")
		require.ErrorIs(t, elsewhere, outgoing.ErrAttemptNotFound)
		return err
	}))
}
