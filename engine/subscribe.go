package engine

import (
	"context"
	"iter"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/worker"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

const (
	// subscribePage is how many events a subscription reads at once.
	subscribePage = 100
	// subscribeLook is how often it looks for newer ones, in real time.
	subscribeLook = 200 * time.Millisecond
)

// Subscribe yields the committed events of a business in the order of Cursor, from the
// first one after the given cursor, and then those that come, of any process on the store.
// It ends with ctx, when the loop ends, and after an error of the store.
//
// A program keeps the Cursor of the last event that it is done with, and goes on after it
// when it starts again: so it meets every event at least once. A subscription holds a page
// of events at most and no unit, lease or worker, however slow the loop is. Events of
// webhook.TestType are among them. A reset of a sandbox begins the cursors anew.
func (e *Engine) Subscribe(ctx context.Context, scope ferry.Scope, after int64) iter.Seq2[webhook.Event, error] {
	return func(yield func(webhook.Event, error) bool) {
		for ctx.Err() == nil {
			page, err := ferry.InRead(ctx, e.units.Of(scope), func(ctx context.Context, tx store.Tx) ([]webhook.Event, error) {
				return tx.Webhooks().Feed(ctx, scope, after, time.Time{}, subscribePage)
			})
			if err != nil && ctx.Err() == nil {
				yield(webhook.Event{}, err)
				return
			}
			for _, event := range page {
				if ctx.Err() != nil || !yield(event, nil) {
					return
				}
				after = event.Cursor
			}
			if len(page) < subscribePage {
				worker.Pause(ctx, subscribeLook)
			}
		}
	}
}
