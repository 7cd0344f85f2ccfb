package inspect

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/operatorlog"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// eventRow is an event without its body.
type eventRow struct {
	ID        string        `json:"id"`
	Type      string        `json:"type"`
	Resource  string        `json:"resource"`
	Sequence  int64         `json:"sequence"`
	State     webhook.State `json:"state"`
	Attempts  int           `json:"attempts"`
	CreatedAt time.Time     `json:"created_at"`
}

func eventRowOf(e webhook.Event) eventRow {
	return eventRow{e.ID, e.Type, e.Resource, e.Sequence, e.State, e.Attempts, e.CreatedAt}
}

// attemptRow is an attempt to deliver an event, without its body and without what the receiver said.
type attemptRow struct {
	EventID    string `json:"event_id"`
	Type       string `json:"type"`
	Number     int    `json:"attempt"`
	StatusCode int    `json:"status_code"`
	Sent       bool   `json:"sent"`
	// Why says why there was no answer. What a receiver says is not shown, because it may name people.
	Why       string    `json:"error,omitempty"`
	Ms        int64     `json:"duration_ms"`
	CreatedAt time.Time `json:"created_at"`
}

func attemptRowsOf(attempts []webhook.Attempt) []attemptRow {
	rows := make([]attemptRow, 0, len(attempts))
	for _, a := range attempts {
		row := attemptRow{
			EventID: a.EventID, Type: a.Type, Number: a.Number, StatusCode: a.StatusCode, Sent: a.Sent, Ms: a.Duration.Milliseconds(), CreatedAt: a.CreatedAt,
		}
		if a.StatusCode == 0 {
			row.Why = a.Error
		}
		rows = append(rows, row)
	}
	return rows
}

// thingEvents is how many events the page of a thing has.
const thingEvents = 100

// eventsOf are the events of a resource.
func (o *Operator) eventsOf(ctx context.Context, scope ferry.Scope, resource string) ([]eventRow, error) {
	return ferry.InRead(ctx, o.engine.Units(scope.Env), func(ctx context.Context, tx store.Tx) ([]eventRow, error) {
		all := records.Where(records.Is("env", scope.Env), records.Is("business", scope.Business), records.Is("resource", resource))
		found, err := webhook.EventKind.After(ctx, tx, all, "", thingEvents)
		rows := make([]eventRow, 0, len(found))
		for _, e := range found {
			rows = append(rows, eventRowOf(e))
		}
		return rows, err
	})
}

// eventsData is a stretch of the events of a business, oldest first.
type eventsData struct {
	Rows  []eventRow `json:"events"`
	Since time.Time  `json:"since"`
	// After leads to further ones, or is 0.
	After int64 `json:"after,omitempty"`
	// Queued is how many events were just made due again.
	Queued string `json:"-"`
}

// events shows the events of a business since an instant: the last day, unless the query says another one.
func (o *Operator) events(ctx context.Context, scope ferry.Scope, r *http.Request) (any, error) {
	query := r.URL.Query()
	since, err := instantOf(cmp.Or(query.Get("since"), o.engine.Clock(scope.Env).Now().Add(-24*time.Hour).UTC().Format(time.RFC3339)))
	if err != nil {
		return nil, err
	}
	after, err := strconv.ParseInt(cmp.Or(query.Get("after"), "0"), 10, 64)
	if err != nil || after < 0 {
		return nil, problem{http.StatusBadRequest, "after: must be a number"}
	}
	d := eventsData{Rows: []eventRow{}, Since: since, Queued: query.Get("queued")}
	return d, o.engine.Units(scope.Env).Read(ctx, func(ctx context.Context, tx store.Tx) error {
		d.Rows, d.After = []eventRow{}, 0
		found, err := tx.Webhooks().Feed(ctx, scope, after, since, listShown)
		for _, e := range found {
			d.Rows = append(d.Rows, eventRowOf(e))
		}
		if len(found) == listShown {
			d.After = found[listShown-1].Cursor
		}
		return err
	})
}

// instantOf reads an instant as people write it.
func instantOf(said string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
		if at, err := time.ParseInLocation(layout, said, time.UTC); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, problem{http.StatusBadRequest, "since: must be an instant in UTC, as 2026-03-02T09:15"}
}

// eventData is the page of an event: what it is about, and the attempts to deliver it.
type eventData struct {
	Event    eventRow     `json:"event"`
	Attempts []attemptRow `json:"deliveries"`
	// Queued says that it was just made due again.
	Queued bool `json:"-"`
}

// event shows an event without its body.
func (o *Operator) event(ctx context.Context, scope ferry.Scope, r *http.Request) (any, error) {
	e, err := ferry.InRead(ctx, o.engine.Units(scope.Env), func(ctx context.Context, tx store.Tx) (webhook.Event, error) {
		return webhook.EventKind.Get(ctx, tx, scope, r.PathValue("id"))
	})
	if err != nil {
		return nil, err
	}
	attempts, err := o.engine.Webhooks.Attempts(ctx, scope, webhook.AttemptFilter{EventID: e.ID}, ferry.Page{Limit: ferry.MaxLimit})
	return eventData{eventRowOf(e), attemptRowsOf(attempts.Data), r.URL.Query().Has("queued")}, err
}

// deliveriesData is a page of the attempts of a business, newest first.
type deliveriesData struct {
	Rows   []attemptRow `json:"deliveries"`
	Failed bool         `json:"failed,omitempty"`
	pages
}

// deliveries shows the attempts of a business, or those that failed.
func (o *Operator) deliveries(ctx context.Context, scope ferry.Scope, r *http.Request) (any, error) {
	page, err := pageOf(r)
	if err != nil {
		return nil, err
	}
	filter, failed := webhook.AttemptFilter{}, r.URL.Query().Has("failed")
	if failed {
		filter.Sent = new(bool)
	}
	found, err := o.engine.Webhooks.Attempts(ctx, scope, filter, page)
	return deliveriesData{attemptRowsOf(found.Data), failed, pagesOf(page, found.Total)}, err
}

// resend has one event sent again, and keeps who wanted it and why.
func (o *Operator) resend(ctx context.Context, scope ferry.Scope, r *http.Request) (to leads, err error) {
	entry := operatorlog.Entry{Scope: scope, By: personOf(ctx), Act: operatorlog.Resend, Subject: r.PostForm.Get("event"), Reason: r.PostForm.Get("reason")}
	err = o.engine.Units(scope.Env).Write(ctx, func(ctx context.Context, tx store.Tx) error {
		if err := operatorlog.Note(ctx, tx, entry); err != nil {
			return err
		}
		return o.engine.Webhooks.ResendIn(ctx, tx, scope, entry.Subject)
	})
	return leads(rootOf(scope) + "/events/" + entry.Subject + "?queued"), err
}

// replay has all events since an instant sent again, and keeps who wanted it and why.
func (o *Operator) replay(ctx context.Context, scope ferry.Scope, r *http.Request) (to leads, err error) {
	since, err := instantOf(r.PostForm.Get("since"))
	if err != nil {
		return "", err
	}
	at := since.Format(time.RFC3339Nano)
	entry := operatorlog.Entry{Scope: scope, By: personOf(ctx), Act: operatorlog.Replay, Subject: at, Reason: r.PostForm.Get("reason")}
	count, err := ferry.InUnit(ctx, o.engine.Units(scope.Env), func(ctx context.Context, tx store.Tx) (int, error) {
		if err := operatorlog.Note(ctx, tx, entry); err != nil {
			return 0, err
		}
		return o.engine.Webhooks.ReplaySinceIn(ctx, tx, scope, since)
	})
	return leads(rootOf(scope) + "/events?since=" + at + "&queued=" + strconv.Itoa(count)), err
}
