package sqlstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/store"
)

func TestAUnitThatReadAKeyBeforeItWasPurgedDoesNotChangeTheOneThatCameAfter(t *testing.T) {
	s := fresh(t)
	key := idempotency.Key{Scope: scope, Operation: "POST /v1/x", Client: "k"}
	insert := func(fingerprint string, at time.Time) {
		require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
			return idempotency.RecordKind.Insert(ctx, p, idempotency.Record{Scope: scope, ID: key.ID(), Fingerprint: fingerprint, CreatedAt: at})
		}))
	}
	insert("old", noon)
	runs := 0
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		runs++
		r, err := idempotency.RecordKind.Get(ctx, p, scope, key.ID())
		if err != nil {
			return err
		}
		if runs == 1 { // others, meanwhile
			require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
				_, err := idempotency.RecordKind.Purge(ctx, p, ferry.Test, noon.Add(time.Hour), 1)
				return err
			}))
			insert("new", noon.Add(48*time.Hour))
		}
		if r.Fingerprint == "new" {
			return nil
		}
		r.Finished, r.Resource = true, "made by the old request"
		return idempotency.RecordKind.Update(ctx, p, r)
	}))
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		r, err := idempotency.RecordKind.Get(ctx, p, scope, key.ID())
		require.NoError(t, err)
		require.Equal(t, "new", r.Fingerprint)
		require.False(t, r.Finished)
		return nil
	}))
	require.Equal(t, 2, runs)
}
