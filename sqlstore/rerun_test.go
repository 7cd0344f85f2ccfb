package sqlstore_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/internal/sqltest"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

func TestABodyThatLosesThreeTimesRunsAlone(t *testing.T) {
	s := fresh(t)
	require.NoError(t, s.Write(t.Context(), sqltest.Count("hot")))
	runs, other := 0, make(chan error, 1)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		if err := sqltest.Count("hot")(ctx, p); err != nil {
			return err
		}
		if runs++; runs <= sqlstore.MaxOptimisticRuns {
			return s.Write(t.Context(), sqltest.Count("hot")) // a context of its own: another caller
		}
		go func() { other <- s.Write(t.Context(), sqltest.Count("hot")) }()
		return nil
	}))
	require.NoError(t, <-other)
	require.Equal(t, sqlstore.MaxOptimisticRuns+1, runs)
}

func TestAUnitThatReadsWhatOthersChangeRunsAgainAndDoesNotKeepItsRefusal(t *testing.T) {
	s := fresh(t)
	runs := 0
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		runs++
		row, err := sqltest.Counter(ctx, p, "new")
		if err != nil || row.Version > 0 {
			return err // another unit has made it
		}
		if err := s.Write(t.Context(), sqltest.Count("new")); err != nil {
			return err
		}
		return webhook.EndpointKind.Put(ctx, p, row)
	}))
	require.Equal(t, 2, runs)
}
