package engine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

func TestACursorOfBeforeAResetGoesOnWithTheFirstEventAfterIt(t *testing.T) {
	a := newAsker(t)
	feed := func(after string) webhook.Feed {
		feed, err := a.Webhooks.Events(t.Context(), a.scope, after, 100)
		require.NoError(t, err)
		return feed
	}
	for n := range 3 {
		a.credit(a.order(fmt.Sprint("order-", n)), 15_000_00)
	}
	before := feed("")
	require.NotEmpty(t, before.Bodies)
	require.NoError(t, a.Reset(t.Context()))
	empty := feed(before.Next)
	require.Empty(t, empty.Bodies)
	a.credit(a.order("order-9"), 15_000_00)
	for _, after := range []string{"", before.Next, empty.Next} {
		after := feed(after)
		require.NotEmpty(t, after.Bodies)
		require.Contains(t, string(after.Bodies[0]), "order-9")
		require.Empty(t, feed(after.Next).Bodies)
	}
}

// durable is a world's store that cannot go back.
type durable struct{ sandbox.Store }

func TestASnapshotThatTheWorldCannotTakeIsTakenByNobody(t *testing.T) {
	rows := memstore.New()
	e, err := engine.New(engine.Config{Store: rows, World: sandbox.New(sandbox.Config{Store: durable{sandbox.NewMemory()}})})
	require.NoError(t, err)
	require.ErrorIs(t, e.Snapshot(t.Context()), engine.ErrNoSnapshot)
	_, err = e.Bootstrap(t.Context())
	require.NoError(t, err)
	require.Error(t, e.Restore(t.Context()))
	require.ErrorIs(t, rows.Restore(t.Context()), store.ErrNoSnapshot, "no row goes back when the world does not")
}
