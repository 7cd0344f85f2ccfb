package client

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// EventsService is the feed of all that happened, in order and without gaps.
type EventsService struct{ caller *caller }

// Event is what is sent to the webhook endpoint of a business as well. Package webhook
// verifies what is sent there.
type Event struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	CreatedAt time.Time `json:"created_at"`
	// Sequence counts the events of one resource.
	Sequence   int64  `json:"sequence"`
	APIVersion string `json:"api_version"`
	// Data is that of the type: docs/api.md, "Event catalogue".
	Data json.RawMessage `json:"data"`
}

// EventsPage is a part of the feed.
type EventsPage struct {
	Data []Event `json:"data"`
	// NextCursor is where the feed goes on.
	NextCursor string `json:"next_cursor"`
}

// ListEventsParams are the parameters of Events.List.
type ListEventsParams struct {
	// After is the NextCursor of an earlier page; by default the feed begins with the first
	// event.
	After string `query:"after"`
	Limit int64  `query:"limit"`
}

// List calls GET /v1/events: read events in order and without gaps.
func (s *EventsService) List(ctx context.Context, params ListEventsParams, options ...Option) (*EventsPage, error) {
	return whole[EventsPage](ctx, s.caller, request{method: "GET", path: "/v1/events", query: queryOf(params)}, options)
}

// All goes through the events after a cursor, to the newest one; an empty cursor begins with
// the first. No event comes twice, and none is left out.
func (s *EventsService) All(ctx context.Context, after string, options ...Option) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for {
			page, err := s.List(ctx, ListEventsParams{After: after, Limit: manyRows}, options...)
			if err != nil {
				yield(Event{}, err)
				return
			}
			for _, event := range page.Data {
				if !yield(event, nil) {
					return
				}
			}
			if len(page.Data) == 0 {
				return
			}
			after = page.NextCursor
		}
	}
}
