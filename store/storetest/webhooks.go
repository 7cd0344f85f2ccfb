package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

func testWebhooks(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("endpoints", func(t *testing.T) { testEndpoints(t, open) })
	t.Run("events", func(t *testing.T) { testEvents(t, open) })
	t.Run("attempts", func(t *testing.T) { testAttempts(t, open) })
	readOnly(t, open, map[string]body{
		"PutEndpoint":   putEndpoint(webhook.Endpoint{Scope: home}),
		"UpdateEvent":   updateEvent(event(1, "res")),
		"AppendAttempt": appendAttempt(webhook.Attempt{ID: "att_1", Scope: home}),
	})
}

func putEndpoint(e webhook.Endpoint) body {
	return func(ctx context.Context, p store.Ports) error { return p.Webhooks().PutEndpoint(ctx, e) }
}

func updateEvent(e webhook.Event) body {
	return func(ctx context.Context, p store.Ports) error { return p.Webhooks().UpdateEvent(ctx, e) }
}

func appendAttempt(a webhook.Attempt) body {
	return func(ctx context.Context, p store.Ports) error { return p.Webhooks().AppendAttempt(ctx, a) }
}

func eventOf(scope ferry.Scope, id string) func(context.Context, store.Ports) (webhook.Event, error) {
	return func(ctx context.Context, p store.Ports) (webhook.Event, error) {
		return p.Webhooks().Event(ctx, scope, id)
	}
}

func nextPending(resource string) func(context.Context, store.Ports) (webhook.Event, error) {
	return func(ctx context.Context, p store.Ports) (webhook.Event, error) {
		return p.Webhooks().NextPending(ctx, home, resource)
	}
}

// failing drops the result of a look-up.
func failing[R any](find func(context.Context, store.Ports) (R, error)) body {
	return func(ctx context.Context, p store.Ports) error { _, err := find(ctx, p); return err }
}

func testEndpoints(t *testing.T, open func(*testing.T) store.Backend) {
	endpoint := func(ctx context.Context, p store.Ports) (webhook.Endpoint, error) {
		return p.Webhooks().Endpoint(ctx, home)
	}
	t.Run("an endpoint comes back as it was put and is compared from then on", func(t *testing.T) {
		b := open(t)
		row := webhook.Endpoint{
			Scope: home, URL: "https://example.com/hook", Underscore: true, Failures: 2, FailingSince: after(3),
			Secrets:   []webhook.Secret{{Number: 2, Sealed: []byte{1, 2}}, {Number: 1, Sealed: []byte{3}, ValidUntil: after(9)}},
			CreatedAt: start, UpdatedAt: after(1),
		}
		missing(t, b, webhook.ErrEndpointNotFound, failing(endpoint))
		write(t, b, putEndpoint(row))
		staleWrite(t, b, putEndpoint(row))
		row.Version = 1
		require.Equal(t, row, look(t, b, endpoint))
		row.URL = ""
		write(t, b, putEndpoint(row))
		staleWrite(t, b, putEndpoint(row))
		row.Version = 2
		require.Equal(t, row, look(t, b, endpoint))
	})
	t.Run("an endpoint that was never put cannot be updated", func(t *testing.T) {
		staleWrite(t, open(t), putEndpoint(webhook.Endpoint{Scope: home, Version: 3}))
	})
	t.Run("each environment has its own endpoint", func(t *testing.T) {
		b := open(t)
		write(t, b, putEndpoint(webhook.Endpoint{Scope: live, URL: "https://example.com"}))
		missing(t, b, webhook.ErrEndpointNotFound, failing(endpoint))
	})
}

func testEvents(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("an event comes back as it was appended, with a cursor, a sequence and version 1", func(t *testing.T) {
		b := open(t)
		e := event(1, "res")
		e.Entry, e.Cursor, e.Sequence, e.Version = "posting/0", 7, 8, 9
		write(t, b, appendEvents(e))
		e.Cursor, e.Sequence, e.Version = 1, 1, 1
		require.Equal(t, e, look(t, b, eventOf(home, e.ID)))
		missing(t, b, webhook.ErrEventNotFound, failing(eventOf(live, e.ID)))
		missing(t, b, webhook.ErrEventNotFound, failing(eventOf(away, e.ID)))
	})
	t.Run("the newest event of a resource is its last, whatever became of it", func(t *testing.T) {
		b := open(t)
		newest := func(scope ferry.Scope, resource string) func(context.Context, store.Ports) (webhook.Event, error) {
			return func(ctx context.Context, p store.Ports) (webhook.Event, error) {
				return p.Webhooks().Newest(ctx, scope, resource)
			}
		}
		missing(t, b, webhook.ErrEventNotFound, failing(newest(home, "res")))
		write(t, b, appendEvents(event(1, "res"), event(2, "other"), event(3, "res")))
		e := look(t, b, newest(home, "res"))
		require.Equal(t, idOf("evt_", 3), e.ID)
		e.State = webhook.Delivered
		write(t, b, updateEvent(e))
		require.Equal(t, webhook.Delivered, look(t, b, newest(home, "res")).State)
		write(t, b, appendEvents(event(4, "res")))
		require.Equal(t, idOf("evt_", 4), look(t, b, newest(home, "res")).ID)
		require.Equal(t, idOf("evt_", 2), look(t, b, newest(home, "other")).ID)
		missing(t, b, webhook.ErrEventNotFound, failing(newest(live, "res")))
		missing(t, b, webhook.ErrEventNotFound, failing(newest(away, "res")))
		refuse(t, b, errFail, func(ctx context.Context, p store.Ports) error {
			if err := appendEvents(event(5, "res"))(ctx, p); err != nil {
				return err
			}
			return errFail
		})
		require.Equal(t, idOf("evt_", 4), look(t, b, newest(home, "res")).ID)
	})
	t.Run("an event is appended once", func(t *testing.T) {
		b := open(t)
		write(t, b, appendEvents(event(1, "res")))
		refuse(t, b, webhook.ErrEventExists, appendEvents(event(1, "other")))
		require.Len(t, eventsAfter(t, b, home, 0, 10), 1)
	})
	t.Run("an update writes what delivery changes and nothing else", func(t *testing.T) {
		b := open(t)
		write(t, b, appendEvents(event(1, "res")))
		row := look(t, b, eventOf(home, idOf("evt_", 1)))
		want := row
		want.Body, want.State, want.Attempts, want.Tries, want.Version = []byte("{}"), webhook.Dead, 3, 4, 2
		want.TriedAt, want.DueAt = after(8), after(9)
		changed := want
		changed.Version, changed.Type, changed.Sequence, changed.Cursor, changed.Data = 1, "other", 9, 9, nil
		write(t, b, updateEvent(changed))
		require.Equal(t, want, look(t, b, eventOf(home, row.ID)))
		staleWrite(t, b, updateEvent(changed))
		changed.ID = idOf("evt_", 2)
		refuse(t, b, webhook.ErrEventNotFound, updateEvent(changed))
	})
	t.Run("the next pending event of a resource is the one of lowest sequence", func(t *testing.T) {
		b := open(t)
		missing(t, b, webhook.ErrEventNotFound, failing(nextPending("res")))
		for n := 1; n <= 3; n++ {
			write(t, b, appendEvents(event(n, "res"), event(10+n, "other")))
		}
		for n := 1; n <= 3; n++ {
			e := look(t, b, nextPending("res"))
			require.EqualValues(t, n, e.Sequence)
			e.State = webhook.Delivered
			write(t, b, updateEvent(e))
		}
		missing(t, b, webhook.ErrEventNotFound, failing(nextPending("res")))
		resent := look(t, b, eventOf(home, idOf("evt_", 2)))
		resent.State = webhook.Pending
		write(t, b, updateEvent(resent))
		require.EqualValues(t, 2, look(t, b, nextPending("res")).Sequence)
	})
	t.Run("an event appended in another state is not pending", func(t *testing.T) {
		b := open(t)
		e := event(1, "res")
		e.State = webhook.Unsent
		write(t, b, appendEvents(e))
		missing(t, b, webhook.ErrEventNotFound, failing(nextPending("res")))
	})
}

func testAttempts(t *testing.T, open func(*testing.T) store.Backend) {
	attempts := func(filter webhook.AttemptFilter) func(context.Context, store.Ports, ferry.Page) (ferry.List[webhook.Attempt], error) {
		return func(ctx context.Context, p store.Ports, page ferry.Page) (ferry.List[webhook.Attempt], error) {
			return p.Webhooks().Attempts(ctx, home, filter, page)
		}
	}
	sent, failed := true, false
	insert := func(ctx context.Context, p store.Ports, id string, at time.Time, match bool) error {
		a := webhook.Attempt{ID: id, Scope: home, EventID: "evt_1", Type: "a.b", Number: 1, StatusCode: 200, Sent: match, CreatedAt: at}
		if match {
			a.EventID, a.Type = "evt_2", "c.d"
		}
		return p.Webhooks().AppendAttempt(ctx, a)
	}
	for name, filter := range map[string]webhook.AttemptFilter{
		"by event":   {EventID: "evt_2"},
		"by type":    {Type: "c.d"},
		"by outcome": {Sent: &sent},
		"by all":     {EventID: "evt_2", Type: "c.d", Sent: &sent},
	} {
		t.Run(name, func(t *testing.T) {
			testListing(t, open, listing[webhook.Attempt]{
				insert: insert, all: attempts(webhook.AttemptFilter{}), matching: attempts(filter),
				prefix: "att_", id: func(a webhook.Attempt) string { return a.ID },
			})
		})
	}
	t.Run("an attempt comes back as it was appended, to its own scope", func(t *testing.T) {
		b := open(t)
		a := webhook.Attempt{ID: "att_1", Scope: home, EventID: "evt_1", Type: "a.b", Number: 2, Error: "timeout", Duration: 3 * time.Second, CreatedAt: start}
		write(t, b, appendAttempt(a))
		list := look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[webhook.Attempt], error) {
			return attempts(webhook.AttemptFilter{Sent: &failed})(ctx, p, ferry.Page{})
		})
		require.Equal(t, ferry.List[webhook.Attempt]{Data: []webhook.Attempt{a}, Total: 1}, list)
		other := look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[webhook.Attempt], error) {
			return p.Webhooks().Attempts(ctx, live, webhook.AttemptFilter{}, ferry.Page{})
		})
		require.Empty(t, other.Data)
		require.Zero(t, other.Total)
	})
	t.Run("an attempt is appended once", func(t *testing.T) {
		b := open(t)
		a := webhook.Attempt{ID: "att_1", Scope: home, EventID: "evt_1", CreatedAt: start}
		write(t, b, appendAttempt(a))
		a.EventID = "evt_2"
		refuse(t, b, webhook.ErrAttemptExists, appendAttempt(a))
	})
	t.Run("a range includes both its ends", func(t *testing.T) {
		b := open(t)
		for n := range 5 {
			write(t, b, appendAttempt(webhook.Attempt{ID: idOf("att_", n), Scope: home, EventID: "evt_1", CreatedAt: after(n)}))
		}
		for _, c := range []struct {
			of   ferry.Range
			want int
		}{
			{ferry.Range{From: after(1), To: after(3)}, 3},
			{ferry.Range{From: after(3)}, 2},
			{ferry.Range{To: after(0)}, 1},
			{ferry.Range{From: after(9)}, 0},
		} {
			list := look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[webhook.Attempt], error) {
				return attempts(webhook.AttemptFilter{Range: c.of})(ctx, p, ferry.Page{})
			})
			require.Equal(t, c.want, list.Total, "%v", c.of)
			require.Len(t, list.Data, c.want)
		}
	})
}
