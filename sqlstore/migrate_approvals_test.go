package sqlstore_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/store"
)

// Before 0103 an approval had no end.
func TestApprovalsOfTheTimeBeforeTheyHadAnEndGetOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	s := open(t, path)
	soon := noon.Add(time.Hour)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		for id, a := range map[outflow.ApprovalID]outflow.Approval{
			"apr_old": {Status: outflow.Pending}, "apr_decided": {Status: outflow.Approved}, "apr_new": {Status: outflow.Pending, ExpiresAt: soon},
		} {
			a.ID, a.Scope, a.Kind, a.Subject, a.Amount, a.CreatedAt = id, scope, outflow.Payout, "of_"+string(id), money.NGN(1), noon
			if err := outflow.ApprovalKind.Insert(ctx, p, a); err != nil {
				return err
			}
		}
		return nil
	}))
	require.NoError(t, s.Close(t.Context()))

	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	execute(t, db, "0105_controls", "INSERT", "UPDATE")
	require.NoError(t, db.Close())

	s = open(t, path)
	end := noon.Add(outflow.DefaultApprovalHours * time.Hour)
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		for id, want := range map[outflow.ApprovalID]time.Time{"apr_old": end, "apr_decided": {}, "apr_new": soon} {
			a, err := outflow.ApprovalKind.Get(ctx, p, scope, id)
			require.NoError(t, err)
			require.True(t, want.Equal(a.ExpiresAt), "%s ends at %s", id, a.ExpiresAt)
		}
		return nil
	}))
	claims, err := ferry.InUnit(t.Context(), s, func(ctx context.Context, p store.Ports) ([]lease.Claim, error) {
		return p.Leases().Claim(ctx, outflow.QueueApprovals.In(scope.Env), end, time.Minute, 10)
	})
	require.NoError(t, err)
	require.Len(t, claims, 1)
	require.Equal(t, lease.RecordKey(scope, "apr_old"), claims[0].Key)
}
