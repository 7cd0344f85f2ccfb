package sim

import (
	"context"
	"iter"
)

// task is work of a server that goes on from one place of awaiting to the next. All tasks of a
// run share one goroutine at a time: whoever calls next waits until the task awaits again.
type task struct {
	what string
	ctx  context.Context //nolint:containedctx // the work's own, by which it awaits
	next func() (where string, more bool)
}

type pausing struct{}

// begin returns a task that has not begun yet.
func begin(ctx context.Context, what string, work func(context.Context)) *task {
	t := &task{what: what}
	t.next, _ = iter.Pull(func(yield func(string) bool) {
		t.ctx = context.WithValue(ctx, pausing{}, func(where string) { yield(where) })
		work(t.ctx)
	})
	return t
}

// await is a place at which a process awaits something, so that anything may happen before it
// goes on. Without a task in the context it does nothing.
func await(ctx context.Context, where string) {
	if pause, ok := ctx.Value(pausing{}).(func(string)); ok {
		pause(where)
	}
}
