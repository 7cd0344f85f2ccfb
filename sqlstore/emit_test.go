package sqlstore_test

import (
	"context"
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// changesEndpoint returns a body that changes the endpoint of the scope.
func changesEndpoint(change func(*webhook.Endpoint)) func(context.Context, store.Tx) error {
	return func(ctx context.Context, tx store.Tx) error {
		e, err := webhook.EndpointKind.GetOr(ctx, tx, webhook.Endpoint{Scope: scope, CreatedAt: noon})
		change(&e)
		return errors.Join(err, webhook.EndpointKind.Put(ctx, tx, e))
	}
}

// emitBeside emits an event in a unit. After its first run another unit changes the endpoint. It
// returns how often the body ran, and the state of the event.
func emitBeside(t *testing.T, units ferry.Units[store.Tx], change func(*webhook.Endpoint)) (runs int, state webhook.State) {
	t.Helper()
	require.NoError(t, units.Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		if err := webhook.Emit(ctx, tx, webhook.Change{Scope: scope, Type: "thing.changed", Resource: "res"}); err != nil {
			return err
		}
		if runs++; runs > 1 {
			return nil
		}
		return units.Write(t.Context(), changesEndpoint(change)) // a context of its own: another caller
	}))
	require.NoError(t, units.Read(t.Context(), func(ctx context.Context, tx store.Tx) error {
		e, err := tx.Webhooks().Newest(ctx, scope, "res")
		state = e.State
		return err
	}))
	return runs, state
}

func TestAnEventBesideTheEndpointOfItsBusiness(t *testing.T) {
	none := func(*webhook.Endpoint) {}
	set := func(e *webhook.Endpoint) { e.URL = "https://hooks.example.com/" }
	disable := func(e *webhook.Endpoint) { set(e); e.DisabledAt = noon }
	enable := func(e *webhook.Endpoint) { e.DisabledAt = time.Time{} }
	fail := func(e *webhook.Endpoint) { e.Failures++ }
	change := func(e *webhook.Endpoint) { e.Underscore = !e.Underscore }
	for name, c := range map[string]struct {
		before, meanwhile func(*webhook.Endpoint)
		runs              int
		state             webhook.State
	}{
		"is pending when the first URL is set before it is committed":    {nil, set, 2, webhook.Pending},
		"is pending when a URL is set before it is committed":            {none, set, 2, webhook.Pending},
		"is pending when the endpoint is enabled before it is committed": {disable, enable, 2, webhook.Pending},
		"does not run again when the endpoint fails":                     {set, fail, 1, webhook.Pending},
		"does not run again when the endpoint is disabled":               {set, disable, 1, webhook.Pending},
		"stays unsent when the endpoint changes and takes no events":     {none, change, 2, webhook.Unsent},
	} {
		t.Run(name, func(t *testing.T) {
			units := store.Open(fresh(t), ferry.OneClock(noonClock{}), ferry.NewIDs(rand.Reader)).In(ferry.Test)
			if c.before != nil {
				require.NoError(t, units.Write(t.Context(), changesEndpoint(c.before)))
			}
			runs, state := emitBeside(t, units, c.meanwhile)
			require.Equal(t, c.runs, runs)
			require.Equal(t, c.state, state)
		})
	}
}
