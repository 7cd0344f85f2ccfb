package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/ferrypay/ferry/client"
	"github.com/ferrypay/ferry/httpapi"
)

// eventsCommand prints the feed of events.
type eventsCommand struct {
	remote

	Follow bool `help:"Go on with the events that come, until it is interrupted."`
	eventTypes
}

// eventTypes are the types of events that a command is for.
type eventTypes struct {
	Events []string `help:"Only these types, with commas. Default: all." placeholder:"TYPE"`
}

// Validate refuses types that there are not.
func (e eventTypes) Validate() error {
	known := make([]string, 0, len(httpapi.EventTypes()))
	for _, one := range httpapi.EventTypes() {
		known = append(known, one.Name)
	}
	for _, kind := range e.Events {
		if !slices.Contains(known, kind) {
			return fmt.Errorf("--events: there is no event %q: the events are %s", kind, strings.Join(known, ", "))
		}
	}
	return nil
}

// keep reports whether the command is for events of a type.
func (e eventTypes) keep(kind string) bool {
	return len(e.Events) == 0 || slices.Contains(e.Events, kind)
}

const (
	// feedPage is how many events are asked for at once.
	feedPage = 100
	// feedPause is how often a feed is asked that is followed.
	feedPause = 500 * time.Millisecond
	// longTimeout is for commands that make many requests.
	longTimeout = 10 * time.Minute
)

// Run prints one event a line, oldest first, as it is sent.
func (c eventsCommand) Run(ctx context.Context) error {
	if !c.Follow {
		return c.callFor(ctx, longTimeout, func(ctx context.Context, server *client.Client) error {
			_, err := feed(ctx, server, "", c.print)
			return err
		})
	}
	return c.follow(ctx, "", c.print)
}

func (c eventsCommand) print(_ context.Context, kind string, body json.RawMessage) error {
	if !c.keep(kind) {
		return nil
	}
	_, err := plain{os.Stdout}.Write(append(body, '\n'))
	return err
}

// eventTaker takes an event of the feed, as it is sent.
type eventTaker func(ctx context.Context, kind string, body json.RawMessage) error

// feed gives all events after a cursor to take, and returns the cursor after them.
func feed(ctx context.Context, server *client.Client, after string, take eventTaker) (string, error) {
	for {
		var answer client.Answer
		if _, err := server.Events.List(ctx, client.ListEventsParams{After: after, Limit: feedPage}, client.WithAnswer(&answer)); err != nil {
			return after, err
		}
		var page struct {
			Data       []json.RawMessage `json:"data"`
			NextCursor string            `json:"next_cursor"`
		}
		if err := json.Unmarshal(answer.Body, &page); err != nil {
			return after, err
		}
		for _, body := range page.Data {
			var event struct{ Type string }
			if err := json.Unmarshal(body, &event); err != nil {
				return after, err
			}
			if err := take(ctx, event.Type, body); err != nil {
				return after, err
			}
		}
		after = page.NextCursor
		if len(page.Data) < feedPage {
			return after, nil
		}
	}
}

// follow gives all events after a cursor to take, and then those that come, until the context ends.
func (r remote) follow(ctx context.Context, after string, take eventTaker) error {
	for {
		err := r.call(ctx, func(ctx context.Context, server *client.Client) (err error) {
			after, err = feed(ctx, server, after, take)
			return err
		})
		if ctx.Err() != nil {
			return nil // it was interrupted
		}
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(feedPause):
		}
	}
}
