package webhook

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// EndpointKind is what an endpoint is as a row: one for each scope.
var EndpointKind = records.Define(records.Kind[ferry.BusinessID, Endpoint]{
	Name: "webhook_endpoints",
	Columns: func(e *Endpoint) []records.Column {
		return []records.Column{
			records.Owner(&e.Scope), records.Version(&e.Version),
			records.Text("url", &e.URL),
			records.Time("disabled_at", &e.DisabledAt),
			records.Bool("underscore", &e.Underscore),
			records.Document("secrets", &e.Secrets),
			records.Int("failures", &e.Failures),
			records.Time("failing_since", &e.FailingSince),
			records.Time("probe_at", &e.ProbeAt),
			records.Time("recovered_at", &e.RecoveredAt),
			records.CreatedAt(&e.CreatedAt), records.Time("updated_at", &e.UpdatedAt),
		}
	},
	Key:     []string{"env", "business"},
	Scope:   func(e *Endpoint) ferry.Scope { return e.Scope },
	Groups:  []records.Group{{By: []string{"env"}}},
	Missing: ErrEndpointNotFound,
})

// EndpointOf returns the endpoint of a scope, or ErrEndpointNotFound.
func EndpointOf(ctx context.Context, tx records.Tx, scope ferry.Scope) (Endpoint, error) {
	return EndpointKind.Get(ctx, tx, scope, scope.Business)
}

// EventKind is what an event is as a row. Its store gives it cursor and sequence.
var EventKind = records.Define(records.Kind[string, Event]{
	Name: "events",
	Columns: func(e *Event) []records.Column {
		return []records.Column{
			records.ID(&e.ID), records.Owner(&e.Scope), records.Version(&e.Version),
			records.Int("cursor", &e.Cursor),
			records.Text("type", &e.Type),
			records.Text("resource", &e.Resource),
			records.Int("sequence", &e.Sequence),
			records.CreatedAt(&e.CreatedAt),
			records.Optional("data", &e.Data),
			records.Text("entry", &e.Entry),
			records.Text("api_version", &e.APIVersion),
			records.Word("state", &e.State, Pending, Delivered, Dead, Unsent),
			records.Int("attempts", &e.Attempts),
			records.Int("tries", &e.Tries),
			records.Time("tried_at", &e.TriedAt),
			records.Time("due_at", &e.DueAt),
		}
	},
	Scope:   func(e *Event) ferry.Scope { return e.Scope },
	Fixed:   []string{"cursor", "type", "resource", "sequence", "data", "entry", "api_version"},
	Missing: ErrEventNotFound,
	Exists:  ErrEventExists,
})

// AttemptKind is what an attempt is as a row. None of it ever changes.
var AttemptKind = records.Define(records.Kind[string, Attempt]{
	Name: "webhook_attempts",
	Columns: func(a *Attempt) []records.Column {
		return []records.Column{
			records.ID(&a.ID), records.Owner(&a.Scope), records.Version(&a.Version),
			records.Text("event", &a.EventID),
			records.Text("type", &a.Type),
			records.Int("number", &a.Number),
			records.Int("status", &a.StatusCode),
			records.Text("error", &a.Error),
			records.Int("duration", &a.Duration),
			records.Bool("sent", &a.Sent),
			records.CreatedAt(&a.CreatedAt),
		}
	},
	Scope:      func(a *Attempt) ferry.Scope { return a.Scope },
	Fixed:      []string{"event", "type", "number", "status", "error", "duration", "sent"},
	Lists:      [][]string{{}},
	ShortLists: [][]string{{"event"}},
	Missing:    errAttemptNotFound,
	Exists:     errAttemptExists,
})

// Query selects the attempts that the filter keeps.
func (f AttemptFilter) Query() records.Query {
	types := make([][]records.Match, 0, len(f.Types))
	for _, t := range f.Types {
		types = append(types, []records.Match{records.Is("type", t)})
	}
	return records.Where(
		records.Is("event", f.EventID), records.Is("type", f.Type), records.IsBool("sent", f.Sent),
	).During(f.Range).Or(types...)
}
