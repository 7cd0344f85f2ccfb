package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/ferrypay/ferry/client"
	"github.com/ferrypay/ferry/httpapi"
)

// triggerCommand makes an event really happen in a sandbox.
type triggerCommand struct {
	remote

	Event string `arg:"" optional:"" help:"A type of the catalogue of events, as payment.success. Without one: list them."`
}

// triggerPatience is how often it is looked for the event once all requests are made.
const triggerPatience = 20

// Run makes the requests, each of which it prints on standard error, and prints the event as it is delivered.
func (c triggerCommand) Run(ctx context.Context) error {
	if c.Event == "" {
		return listTriggers(os.Stdout)
	}
	steps, known := triggers[c.Event]
	if !known {
		return fmt.Errorf("there is no event %q: ferry trigger lists them", c.Event)
	}
	return c.callFor(ctx, longTimeout, func(ctx context.Context, server *client.Client) error {
		if _, err := server.TestHelpers.Clock(ctx); err != nil {
			return helperError(ctx, server, err, errNoSandbox)
		}
		before, err := endOfFeed(ctx, server)
		if err != nil {
			return err
		}
		run, err := c.newRun()
		if err != nil {
			return err
		}
		if err := run.makeAll(ctx, steps); err != nil {
			return err
		}
		event, err := awaitEvent(ctx, server, before, c.Event)
		if err != nil {
			return err
		}
		_, err = plain{os.Stdout}.Write(append(event, '\n'))
		return err
	})
}

func listTriggers(w io.Writer) error {
	for _, e := range httpapi.EventTypes() {
		if _, err := fmt.Fprintf(w, "%-30s %s\n", e.Name, e.When); err != nil {
			return err
		}
	}
	return nil
}

// endOfFeed is the cursor after all events that there are.
func endOfFeed(ctx context.Context, server *client.Client) (cursor string, err error) {
	for {
		page, err := server.Events.List(ctx, client.ListEventsParams{After: cursor, Limit: feedPage})
		if err != nil {
			return "", err
		}
		cursor = page.NextCursor
		if len(page.Data) < feedPage {
			return cursor, nil
		}
	}
}

// awaitEvent returns the first event of a type after a cursor, as it is delivered, and lets the sandbox do what
// is due until it is there.
func awaitEvent(ctx context.Context, server *client.Client, after, kind string) (event json.RawMessage, err error) {
	first := func(_ context.Context, came string, body json.RawMessage) error {
		if event == nil && came == kind {
			event = body
		}
		return nil
	}
	for range triggerPatience {
		if after, err = feed(ctx, server, after, first); err != nil || event != nil {
			return event, err
		}
		if _, err := server.TestHelpers.Drain(ctx); err != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return nil, fmt.Errorf("all requests were taken, but no event %s came; an armed fault may be the reason: GET /v1/events shows what came", kind)
}

// triggerRun is the requests of a trigger, and what was learned from their answers.
type triggerRun struct {
	remote
	known map[string]string
	// says gets a line for each request.
	says io.Writer
}

// newRun names everything of a trigger.
func (c triggerCommand) newRun() (triggerRun, error) {
	number, err := rand.Int(rand.Reader, big.NewInt(100_000_000))
	if err != nil {
		return triggerRun{}, err
	}
	digits := fmt.Sprintf("%08d", number)
	return triggerRun{c.remote, map[string]string{
		"ref": "trigger-" + strings.ToLower(rand.Text()[:10]), "phone": "+23480" + digits,
	}, os.Stderr}, nil
}

// makeAll makes requests one after the other.
func (r triggerRun) makeAll(ctx context.Context, steps []triggerStep) error {
	for _, step := range steps {
		if err := r.make(ctx, step); err != nil {
			return err
		}
	}
	return nil
}

// named finds what a request takes from earlier answers.
var named = regexp.MustCompile(`\{(\w+)\}`)

func (r triggerRun) fill(text string) string {
	return named.ReplaceAllStringFunc(text, func(name string) string {
		if value, known := r.known[strings.Trim(name, "{}")]; known {
			return value
		}
		return name
	})
}

// make makes one request, and keeps of its answer what later ones need.
func (r triggerRun) make(ctx context.Context, step triggerStep) error {
	fmt.Fprintf(r.says, "%s /v1/%s\n", step.method, step.path)
	status, answer, err := r.send(ctx, step)
	if err != nil {
		return err
	}
	if status != http.StatusOK && !step.refused {
		return fmt.Errorf("%s /v1/%s: %d: %s", step.method, step.path, status, messageOf(answer))
	}
	for _, keep := range step.keep {
		name, field, _ := strings.Cut(keep, "=")
		pattern := `"` + field
		if !strings.Contains(field, `"`) {
			pattern += `":"([^"]+)"`
		}
		found := regexp.MustCompile(pattern).FindSubmatch(answer)
		if found == nil {
			return fmt.Errorf("%s /v1/%s: the answer has no %s", step.method, step.path, name)
		}
		r.known[name] = string(found[1])
	}
	return nil
}

func (r triggerRun) send(ctx context.Context, step triggerStep) (status int, answer []byte, err error) {
	url := strings.TrimSuffix(r.URL, "/") + "/v1/" + step.path
	request, err := http.NewRequestWithContext(ctx, step.method, url, bytes.NewReader([]byte(r.fill(step.body))))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+r.Key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(response.Body, 1<<20))
	return response.StatusCode, answer, err
}

// messageOf is what an answer says, or all of it.
func messageOf(answer []byte) string {
	var envelope struct{ Message string }
	if err := json.Unmarshal(answer, &envelope); err != nil || envelope.Message == "" {
		return string(answer)
	}
	return envelope.Message
}
