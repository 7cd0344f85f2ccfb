package ferrytest

import (
	"context"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/inspect"
)

// inspectVariable shows the inspector of each fake when it is set.
const inspectVariable = "FERRYTEST_INSPECT"

// holdMargin is how long before the deadline of the tests a test that failed ends.
const holdMargin = 10 * time.Second

// window is the inspector of a fake. Nil is none.
type window struct {
	seen      *inspect.Recorder
	inspector *inspect.Inspector
}

// openWindow returns a window when somebody wants to look, or nil.
func openWindow() *window {
	if os.Getenv(inspectVariable) == "" {
		return nil
	}
	return &window{seen: inspect.NewRecorder()}
}

// hear lets the window see webhooks.
func (w *window) hear(c *engine.Config) {
	if w != nil {
		c.Deliveries = w.seen.Deliveries
	}
}

// around lets the window see requests, and answer with its pages.
func (w *window) around(f *Fake, api http.Handler) http.Handler {
	if w == nil {
		return api
	}
	w.inspector = inspect.New(f.Engine, inspect.Config{API: api, Tenant: f.Tenant, Recorder: w.seen})
	return w.inspector
}

// announce logs where the window is.
func (w *window) announce(f *Fake) {
	if w != nil {
		f.t.Logf("ferrytest: the inspector is at %s", f.URL)
	}
}

// run follows the engine until ctx ends.
func (w *window) run(ctx context.Context) {
	if w != nil {
		w.inspector.Run(ctx)
	}
}

// hold keeps a test that failed open, for who wants to look.
func (w *window) hold(f *Fake) {
	if w == nil || !f.t.Failed() {
		return
	}
	t, ok := f.t.(*testing.T)
	if !ok {
		return
	}
	if end, limited := t.Deadline(); limited {
		f.t.Logf("ferrytest: the inspector at %s shows what happened, until %s", f.URL, end.Add(-holdMargin).Format(time.TimeOnly))
		time.Sleep(time.Until(end.Add(-holdMargin)))
	}
}
