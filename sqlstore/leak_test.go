package sqlstore_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
	"github.com/ferrypay/ferry/store"
)

func TestNothingIsLeftRunningWhenAFileIsClosed(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	path := filepath.Join(t.TempDir(), "ferry.db")
	for range 2 {
		s, err := sqlite.Open(t.Context(), path)
		require.NoError(t, err)
		_, err = sqlite.Open(t.Context(), path)
		require.ErrorIs(t, err, sqlite.ErrInUse)
		useInEveryWay(t, s)
		require.NoError(t, s.Close(t.Context()))
	}
}

// useInEveryWay does with a store whatever may start something.
func useInEveryWay(t *testing.T, s *sqlstore.Store) {
	_ = s.Write(t.Context(), openBooks) // it may have them
	var crowd sync.WaitGroup
	for range 32 {
		crowd.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			_ = s.Read(ctx, func(ctx context.Context, p store.Ports) error {
				_, err := p.Ledger().Account(ctx, till)
				return err
			})
			_ = s.Write(ctx, func(ctx context.Context, p store.Ports) error {
				defer cancel()
				return p.Leases().Schedule(ctx, "queue", "key", noon)
			})
		})
	}
	crowd.Wait()
	taken := errors.New("taken back")
	require.ErrorIs(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		if _, err := p.Ledger().Account(ctx, till); err != nil {
			return err
		}
		return taken
	}), taken)
}
