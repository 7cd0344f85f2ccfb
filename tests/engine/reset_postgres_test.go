//go:build postgres

package engine_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/settings"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/postgres"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets/custody"
)

// on returns a server on a database, with the simulated world of that database.
func on(t *testing.T, url string) *engine.Engine {
	s, err := postgres.Open(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
	e, err := engine.New(engine.Config{Store: s, World: sandbox.New(sandbox.Config{Store: s.World()})})
	require.NoError(t, err)
	return e
}

// A cursor of before has the same key and the same version as that of after, so its guard holds.
func TestAServerForgetsItsRowsWhenAnotherServerHasResetTheSandbox(t *testing.T) {
	url := pgtest.URL(t)
	one, two := on(t, url), on(t, url)
	_, err := two.Bootstrap(t.Context())
	require.NoError(t, err)
	_, err = one.Advance(t.Context(), 0)
	require.NoError(t, err)

	reach := func(e *engine.Engine, cursor chain.Cursor) {
		require.NoError(t, e.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
			return custody.SentCursorKind.Put(ctx, tx, custody.SentCursor{Env: ferry.Test, Cursor: cursor})
		}))
	}
	reach(one, "before the reset")
	require.NoError(t, two.Reset(t.Context()))
	reach(two, "after the reset")
	for one.World.Resets() != two.World.Resets() { // within 100 ms
		require.NoError(t, t.Context().Err())
	}
	_, err = one.Advance(t.Context(), 0)
	require.NoError(t, err)

	var found custody.SentCursor
	require.NoError(t, one.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) (err error) {
		found, err = custody.SentCursorKind.Get(ctx, tx, ferry.Scope{Env: ferry.Test}, ferry.Test)
		return errors.Join(err, settings.Set(ctx, tx, "a write", nil))
	}))
	require.Equal(t, chain.Cursor("after the reset"), found.Cursor)
}
