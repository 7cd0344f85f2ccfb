package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/ferrypay/ferry/client"
	"github.com/ferrypay/ferry/webhook"
)

// listenCommand brings events to a receiver that the server does not reach, or need not know.
type listenCommand struct {
	remote

	ForwardTo string `required:"" help:"Where to send each new event, as http://127.0.0.1:3000/hooks." placeholder:"URL"`
	eventTypes

	WebhookSecret string `help:"What to sign the events with, as the server does." required:""`
}

// forwardTimeout is how long the receiver may take, as with deliveries of the server.
const forwardTimeout = 10 * time.Second

var errForward = errors.New("--forward-to: must begin with http:// or https://, as http://127.0.0.1:3000/hooks")

// Validate refuses a URL to which nothing can be sent, and types that there are not.
func (c listenCommand) Validate() error {
	if !isWeb(c.ForwardTo) {
		return errForward
	}
	return c.eventTypes.Validate()
}

// Run forwards the events that come from now on, and prints each with the answer. An answer that is
// no success is printed, and the event is not sent again: the server's own deliveries are.
func (c listenCommand) Run(ctx context.Context) error {
	var now string
	if err := c.callFor(ctx, longTimeout, func(ctx context.Context, server *client.Client) (err error) {
		now, err = endOfFeed(ctx, server)
		return err
	}); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "Ready: new events go to %s\n", c.ForwardTo)
	return c.follow(ctx, now, c.forward)
}

// forward sends an event, and prints what became of it.
func (c listenCommand) forward(ctx context.Context, kind string, body json.RawMessage) error {
	if !c.keep(kind) {
		return nil
	}
	var event struct{ ID string }
	if err := json.Unmarshal(body, &event); err != nil {
		return err
	}
	answer, err := c.send(ctx, body)
	if err != nil {
		answer = "no answer: " + err.Error()
	}
	_, err = fmt.Fprintf(plain{os.Stdout}, "%-30s %s -> %s\n", kind, event.ID, answer)
	return err
}

// forwarding follows no redirects, as the server does not.
var forwarding = &http.Client{Timeout: forwardTimeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// send sends an event, signed, and returns the answer for people.
func (c listenCommand) send(ctx context.Context, body []byte) (string, error) {
	request, err := webhook.SignedRequest(c.ForwardTo, body, c.WebhookSecret)
	if err != nil {
		return "", err
	}
	response, err := forwarding.Do(request.WithContext(ctx))
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 200))
	said := strings.Join(strings.Fields(string(text)), " ")
	if response.StatusCode < 300 || said == "" {
		return response.Status, err
	}
	return response.Status + " " + said, err
}
