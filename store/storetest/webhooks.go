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
	t.Run("events in order", func(t *testing.T) { testEvents(t, open) })
}

// endpoint is the endpoint of the n-th business of the environment of a scope, with no
// field empty. The first is that of home, or live.
func endpoint(scope ferry.Scope, n int) webhook.Endpoint {
	scope.Business = ferry.BusinessID(idOf("biz_", n))
	return webhook.Endpoint{
		Scope: scope, URL: "https://example.com/hook", DisabledAt: after(n), Underscore: true, Failures: 2,
		Secrets:      []webhook.Secret{{Number: 2, Sealed: []byte{1, 2}}, {Number: 1, Sealed: []byte{3}, ValidUntil: after(9)}},
		FailingSince: after(3), ProbeAt: after(4), RecoveredAt: after(5), CreatedAt: after(n), UpdatedAt: after(n),
	}
}

var _ = caseOf(kindCase[ferry.BusinessID, webhook.Endpoint]{
	kind: webhook.EndpointKind, row: endpoint,
	change: func(e *webhook.Endpoint) { e.URL, e.Underscore, e.Secrets = "", false, e.Secrets[:1] },
	vary: func(e *webhook.Endpoint, n int) {
		if n%2 == 0 {
			e.Secrets, e.DisabledAt, e.Failures = nil, time.Time{}, 0
		}
	},
})

// deliveryAttempt is the n-th attempt of a scope, with no field empty.
func deliveryAttempt(scope ferry.Scope, n int) webhook.Attempt {
	return webhook.Attempt{
		ID: idOf("att_", n), Scope: scope, EventID: "evt_1", Type: "a.b", Number: 2, StatusCode: 500, Error: "refused",
		Duration: 3 * time.Second, Sent: true, CreatedAt: after(n),
	}
}

var _ = caseOf(kindCase[string, webhook.Attempt]{
	kind: webhook.AttemptKind, row: deliveryAttempt,
	change: func(*webhook.Attempt) {},
	vary: func(a *webhook.Attempt, n int) {
		if n%2 == 0 {
			a.EventID, a.Sent, a.StatusCode = "evt_2", false, 0
		}
		if n%3 == 0 {
			a.Type = "c.d"
		}
	},
})

// eventIn is the n-th event of a scope, with no field empty. The store numbers it.
func eventIn(scope ferry.Scope, n int) webhook.Event {
	e := event(n, idOf("res_", n))
	e.Scope, e.Entry = scope, "p/1"
	e.Attempts, e.Tries, e.TriedAt, e.DueAt = 1, 1, after(n), after(n)
	return e
}

var _ = caseOf(kindCase[string, webhook.Event]{
	kind: webhook.EventKind, row: eventIn, given: []string{"cursor", "sequence"},
	change: func(e *webhook.Event) { e.State = webhook.Delivered },
	vary: func(e *webhook.Event, n int) {
		if n%2 == 0 {
			e.State, e.Data, e.DueAt = webhook.Dead, `{"n": 2}`, time.Time{}
		}
	},
})

func updateEvent(e webhook.Event) body {
	return func(ctx context.Context, p store.Ports) error { return webhook.EventKind.Update(ctx, p, e) }
}

func eventOf(scope ferry.Scope, id string) func(context.Context, store.Ports) (webhook.Event, error) {
	return func(ctx context.Context, p store.Ports) (webhook.Event, error) {
		return webhook.EventKind.Get(ctx, p, scope, id)
	}
}

func nextPending(resource string) func(context.Context, store.Ports) (webhook.Event, error) {
	return func(ctx context.Context, p store.Ports) (webhook.Event, error) {
		next, err := p.Webhooks().NextPending(ctx, home.Env, []webhook.Stream{{Business: home.Business, Resource: resource}})
		if err == nil && next[0].Event.ID == "" {
			err = webhook.ErrEventNotFound
		}
		if err != nil {
			return webhook.Event{}, err
		}
		return next[0].Event, nil
	}
}

func testEvents(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("an event has the cursor and the sequence that the store gives it", func(t *testing.T) {
		b := open(t)
		e := event(1, "res")
		e.Cursor, e.Sequence, e.Version = 7, 8, 9
		write(t, b, appendEvents(e))
		e.Cursor, e.Sequence, e.Version = 1, 1, 1
		require.Equal(t, e, look(t, b, eventOf(home, e.ID)))
	})
	t.Run("the newest event of a resource is its last, whatever became of it", func(t *testing.T) {
		b := open(t)
		newest := func(scope ferry.Scope, resource string) func(context.Context, store.Ports) (webhook.Event, error) {
			return func(ctx context.Context, p store.Ports) (webhook.Event, error) {
				return p.Webhooks().Newest(ctx, scope, resource)
			}
		}
		missing(t, b, webhook.ErrEventNotFound, fails(newest(home, "res")))
		write(t, b, appendEvents(event(1, "res"), event(2, "other"), event(3, "res")))
		e := look(t, b, newest(home, "res"))
		require.Equal(t, idOf("evt_", 3), e.ID)
		e.State = webhook.Delivered
		write(t, b, updateEvent(e))
		require.Equal(t, webhook.Delivered, look(t, b, newest(home, "res")).State)
		write(t, b, appendEvents(event(4, "res")))
		require.Equal(t, idOf("evt_", 4), look(t, b, newest(home, "res")).ID)
		require.Equal(t, idOf("evt_", 2), look(t, b, newest(home, "other")).ID)
		missing(t, b, webhook.ErrEventNotFound, fails(newest(live, "res")))
		missing(t, b, webhook.ErrEventNotFound, fails(newest(away, "res")))
		refuse(t, b, errFail, all(appendEvents(event(5, "res")), failed))
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
		want.State, want.Attempts, want.Tries, want.Version = webhook.Dead, 3, 4, 2
		want.TriedAt, want.DueAt = after(8), after(9)
		changed := want
		changed.Version, changed.Type, changed.Sequence, changed.Cursor, changed.Data, changed.APIVersion = 1, "other", 9, 9, "", "v9"
		write(t, b, updateEvent(changed))
		require.Equal(t, want, look(t, b, eventOf(home, row.ID)))
	})
	t.Run("the next pending event of a resource is the one of lowest sequence", func(t *testing.T) {
		b := open(t)
		missing(t, b, webhook.ErrEventNotFound, fails(nextPending("res")))
		for n := 1; n <= 3; n++ {
			write(t, b, appendEvents(event(n, "res"), event(10+n, "other")))
		}
		for n := 1; n <= 3; n++ {
			e := look(t, b, nextPending("res"))
			require.EqualValues(t, n, e.Sequence)
			e.State = webhook.Delivered
			write(t, b, updateEvent(e))
		}
		missing(t, b, webhook.ErrEventNotFound, fails(nextPending("res")))
		resent := look(t, b, eventOf(home, idOf("evt_", 2)))
		resent.State = webhook.Pending
		write(t, b, updateEvent(resent))
		require.EqualValues(t, 2, look(t, b, nextPending("res")).Sequence)
	})
	t.Run("the next pending event of a long stream is found after any number of others, and when an old one is pending again", func(t *testing.T) {
		b := open(t)
		const length = 150
		for first := 1; first <= length; first += 50 {
			var events []webhook.Event
			for n := first; n < first+50; n++ {
				events = append(events, event(n, "res"))
			}
			write(t, b, appendEvents(events...))
		}
		deliverNext := func(want int64) {
			t.Helper()
			e := look(t, b, nextPending("res"))
			require.Equal(t, want, e.Sequence)
			e.State = webhook.Delivered
			write(t, b, updateEvent(e))
		}
		for n := int64(1); n < 100; n++ {
			deliverNext(n)
		}
		for _, n := range []int{97, 64, 3, 1} { // each before the others
			resent := look(t, b, eventOf(home, idOf("evt_", n)))
			resent.State = webhook.Pending
			write(t, b, updateEvent(resent))
			require.EqualValues(t, n, look(t, b, nextPending("res")).Sequence)
		}
		last := look(t, b, eventOf(home, idOf("evt_", 96))) // which is written again while older ones are pending
		last.Tries++
		write(t, b, updateEvent(last))
		for _, n := range []int64{1, 3, 64, 97} {
			deliverNext(n)
		}
		for n := int64(100); n <= length; n++ {
			deliverNext(n)
		}
		missing(t, b, webhook.ErrEventNotFound, fails(nextPending("res")))
		write(t, b, appendEvents(event(length+1, "res")))
		deliverNext(length + 1)
	})
	t.Run("an event that is pending again in the unit that updated it is found", func(t *testing.T) {
		b := open(t)
		const length = 32 // at which a store may note that all have ended
		var all []webhook.Event
		for n := 1; n <= 2*length+1; n++ {
			e := event(n, "a")
			if n > length {
				e.Resource = "c"
			}
			if n > 2*length {
				e.Resource = "b"
			}
			e.State = webhook.Delivered
			all = append(all, e)
		}
		write(t, b, appendEvents(all...))
		write(t, b, func(ctx context.Context, p store.Ports) error {
			for _, to := range []struct {
				n     int
				state webhook.State
			}{{2*length + 1, webhook.Pending}, {2 * length, webhook.Delivered}, {5, webhook.Delivered}, {5, webhook.Pending}, {length, webhook.Delivered}} {
				e, err := webhook.EventKind.Get(ctx, p, home, idOf("evt_", to.n))
				if err != nil {
					return err
				}
				e.State = to.state
				if err := webhook.EventKind.Update(ctx, p, e); err != nil {
					return err
				}
			}
			return nil
		})
		require.Equal(t, idOf("evt_", 5), look(t, b, nextPending("a")).ID)
		require.Equal(t, idOf("evt_", 2*length+1), look(t, b, nextPending("b")).ID)
		missing(t, b, webhook.ErrEventNotFound, fails(nextPending("c")))
	})
	t.Run("events of no type have their numbers, too", func(t *testing.T) {
		b := open(t)
		for n := 1; n <= 3; n++ {
			e := event(n, "res")
			if n != 2 {
				e.Type = ""
			}
			write(t, b, appendEvents(e))
		}
		for i, e := range eventsAfter(t, b, home, 0, 10) {
			require.Equal(t, idOf("evt_", i+1), e.ID)
			require.EqualValues(t, i+1, e.Cursor)
		}
		require.Len(t, eventsAfter(t, b, home, 0, 10), 3)
	})
	t.Run("the next events of many streams are found together, and whether they are the last", func(t *testing.T) {
		b := open(t)
		foreign := event(6, "a")
		foreign.Scope = away
		nameless := event(7, "")
		nameless.Scope = ferry.Scope{Env: home.Env}
		write(t, b, appendEvents(event(1, "a"), event(2, "b"), event(3, "a"), event(4, "done"), foreign, nameless))
		done := look(t, b, eventOf(home, idOf("evt_", 4)))
		done.State = webhook.Delivered
		write(t, b, updateEvent(done))
		streams := []webhook.Stream{{Business: home.Business, Resource: "b"}, {Business: away.Business, Resource: "a"}, {Business: home.Business, Resource: "none"}, {Business: home.Business, Resource: "a"}, {Business: home.Business, Resource: "done"}}
		next := look(t, b, func(ctx context.Context, p store.Ports) ([]webhook.Next, error) {
			return p.Webhooks().NextPending(ctx, home.Env, streams)
		})
		for i, want := range []webhook.Next{
			{Event: webhook.Event{ID: idOf("evt_", 2)}, Last: true}, {Event: webhook.Event{ID: idOf("evt_", 6)}, Last: true}, {},
			{Event: webhook.Event{ID: idOf("evt_", 1)}}, {},
		} {
			require.Equal(t, want, webhook.Next{Event: webhook.Event{ID: next[i].Event.ID}, Last: next[i].Last}, "stream %d", i)
		}
		require.Equal(t, look(t, b, eventOf(home, idOf("evt_", 2))), next[0].Event)
		none := look(t, b, func(ctx context.Context, p store.Ports) ([]webhook.Next, error) {
			return p.Webhooks().NextPending(ctx, live.Env, streams)
		})
		require.Equal(t, make([]webhook.Next, len(streams)), none, "of another environment")
	})
	t.Run("a unit that found events together may update them", func(t *testing.T) {
		b := open(t)
		write(t, b, appendEvents(event(1, "a"), event(2, "b")))
		write(t, b, func(ctx context.Context, p store.Ports) error {
			next, err := p.Webhooks().NextPending(ctx, home.Env, []webhook.Stream{{Business: home.Business, Resource: "a"}, {Business: home.Business, Resource: "b"}})
			if err != nil {
				return err
			}
			for _, n := range next {
				n.Event.State = webhook.Unsent
				if err := webhook.EventKind.Update(ctx, p, n.Event); err != nil {
					return err
				}
			}
			return nil
		})
		for n := 1; n <= 2; n++ {
			require.Equal(t, webhook.Unsent, look(t, b, eventOf(home, idOf("evt_", n))).State)
		}
	})
	t.Run("an event appended in another state is not pending", func(t *testing.T) {
		b := open(t)
		e := event(1, "res")
		e.State = webhook.Unsent
		write(t, b, appendEvents(e))
		missing(t, b, webhook.ErrEventNotFound, fails(nextPending("res")))
	})
}
