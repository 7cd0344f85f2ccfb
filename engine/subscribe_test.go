package engine_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
	"github.com/ferrypay/ferry/webhook"
)

// emitting appends n events of a business, a unit each.
func emitting(t *testing.T, e *engine.Engine, scope ferry.Scope, n int) {
	for i := range n {
		require.NoError(t, e.Units(scope.Env).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
			return webhook.Emit(ctx, tx, webhook.Change{Scope: scope, Type: "shop.thing", Resource: fmt.Sprint("thing_", i), Data: i})
		}))
	}
}

func TestASubscriptionGoesOnAfterWhatItsProgramHasDone(t *testing.T) {
	e, tenant := enginetest.New(t)
	other, err := e.CreateTenant(t.Context(), ferry.Test, "Other")
	require.NoError(t, err)
	scope := tenant.Business.Scope
	const before, later = 250, 30 // more than a page, and some while it listens
	emitting(t, e, scope, before)
	emitting(t, e, other.Business.Scope, 3)
	done := int64(0)
	for event, err := range e.Subscribe(t.Context(), scope, 0) {
		require.NoError(t, err)
		require.Equal(t, done+1, event.Cursor)
		require.Equal(t, scope, event.Scope)
		if done = event.Cursor; done == 120 {
			break
		}
	}
	go emitting(t, e, scope, later)
	for event, err := range e.Subscribe(t.Context(), scope, done) {
		require.NoError(t, err)
		require.Equal(t, done+1, event.Cursor)
		if done = event.Cursor; done == before+later {
			break
		}
	}
}

func TestASubscriptionEndsWithItsContextAndWithTheStore(t *testing.T) {
	fault := errors.New("the store is gone")
	failing := storefault.FailNth(memstore.New(), 0, fault)
	e, err := engine.New(engine.Config{Store: failing})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for range e.Subscribe(ctx, tenant.Business.Scope, 0) {
		require.Fail(t, "nothing happened")
	}
	require.Error(t, ctx.Err())

	failing.Arm(1)
	var last error
	for _, last = range e.Subscribe(t.Context(), tenant.Business.Scope, 0) {
	}
	require.ErrorIs(t, last, fault)
	for _, last = range e.Subscribe(t.Context(), ferry.Scope{}, 0) {
	}
	require.ErrorIs(t, last, ferry.ErrZeroScope)
}
