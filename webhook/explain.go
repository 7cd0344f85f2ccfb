package webhook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/records"
)

// Explain says why an event was not delivered, by its id. Errors: ErrEventNotFound.
func Explain(ctx context.Context, tx Tx, scope ferry.Scope, name string) (*explain.Explanation, error) {
	e, err := EventKind.Get(ctx, tx, scope, name)
	if err != nil {
		return nil, err
	}
	x := explain.New("event", e.ID, e.Type, e.State, tx.Now())
	x.Ended = e.State != Pending
	switch e.State {
	case Pending:
		x.Say("The event %s of %s is not delivered yet.", e.Type, e.Resource)
	case Delivered:
		x.Say("Your server took the event %s of %s at %s.", e.Type, e.Resource, e.TriedAt)
		return x, nil
	case Dead:
		x.Say("The event %s of %s was given up after %s.", e.Type, e.Resource, tries(e.Tries))
	case Unsent:
		x.Say("The event %s of %s was not sent.", e.Type, e.Resource)
	}
	return x, explainUndelivered(ctx, tx, x, e)
}

// ExplainNewest adds to the explanation of a record why its newest event was not delivered, if that
// is so. resource is the id under which its events are sent.
func ExplainNewest(ctx context.Context, tx Tx, x *explain.Explanation, scope ferry.Scope, resource string) error {
	e, err := tx.Webhooks().Newest(ctx, scope, resource)
	if errors.Is(err, ErrEventNotFound) || err == nil && e.State == Delivered {
		return nil
	}
	if err == nil && e.State == Pending {
		e, err = firstOf(ctx, tx, scope, e)
	}
	if err != nil {
		return err
	}
	return explainUndelivered(ctx, tx, x, e)
}

// firstOf is the event for which the newest one of its stream waits, or itself.
func firstOf(ctx context.Context, tx Tx, scope ferry.Scope, newest Event) (Event, error) {
	next, err := tx.Webhooks().NextPending(ctx, scope.Env, []Stream{{scope.Business, newest.Resource}})
	if err != nil || len(next) == 0 || next[0].Event.ID == "" {
		return newest, err
	}
	return next[0].Event, nil
}

// explainUndelivered adds how the endpoint answered to the last attempt of an event, and when the
// next one is.
func explainUndelivered(ctx context.Context, tx Tx, x *explain.Explanation, e Event) error {
	endpoint, err := EndpointOf(ctx, tx, e.Scope)
	if err != nil && !errors.Is(err, ErrEndpointNotFound) {
		return err
	}
	if err := explainAnswer(ctx, tx, x, e); err != nil {
		return err
	}
	switch {
	case endpoint.Status() == NotConfigured:
		x.Await(explain.Caller, "url", time.Time{}, "No webhook URL is set, so its events are not sent.")
		x.Do(explain.Caller, "url", "Set a URL with POST /v1/webhook/config; then POST /v1/webhook/replay sends what was not sent.")
	case endpoint.Status() == Disabled:
		x.Await(explain.Caller, "url", time.Time{}, "Your webhook URL is disabled, since %s: it failed for days, or answered 410.", endpoint.DisabledAt)
		x.Do(explain.Caller, "url", "Mend the server, then set its URL again with POST /v1/webhook/config.")
	case e.State == Pending:
		explainTurn(x, e, endpoint)
	default:
		x.Do(explain.Caller, "resend", "POST /v1/webhook/resend with identifier %s sends it again.", e.ID)
	}
	return nil
}

// explainAnswer adds how the endpoint answered to the last attempt of an event.
func explainAnswer(ctx context.Context, tx Tx, x *explain.Explanation, e Event) error {
	for a, err := range AttemptKind.Newest(ctx, tx, e.Scope, records.Where(records.Is("event", e.ID))) {
		switch {
		case err != nil:
			return err
		case a.Sent:
		case a.StatusCode != 0:
			x.Refuse(explain.Receiver, fmt.Sprint(a.StatusCode), a.CreatedAt, "Your server answered %d to the last event (%s), after %s.", a.StatusCode, e.Type, tries(e.Tries))
		default:
			x.Refuse(explain.Receiver, "no_answer", a.CreatedAt, "Your server gave no answer to the last event (%s), after %s%s.", e.Type, tries(e.Tries), explain.Because(a.Error))
		}
		return nil
	}
	return nil
}

// explainTurn adds when a pending event is tried.
func explainTurn(x *explain.Explanation, e Event, endpoint Endpoint) {
	due := dueAt(e, endpoint)
	if endpoint.ProbeAt.After(due) {
		due = endpoint.ProbeAt
	}
	if due.After(x.At) {
		x.Await(explain.Engine, "attempt", due, "It is sent again at %s.", due)
		return
	}
	x.Await(explain.Engine, "attempt", time.Time{}, "The last event (%s) is sent at the next turn.", e.Type)
}

// tries are attempts, counted.
func tries(n int) string {
	if n == 1 {
		return "1 attempt"
	}
	return fmt.Sprintf("%d attempts", n)
}
