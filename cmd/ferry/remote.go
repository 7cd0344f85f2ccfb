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
)

// remote is a running server and a secret key for it.
type remote struct {
	URL string `help:"Base URL of the server." default:"http://127.0.0.1:8080" env:"FERRY_URL"`
	Key string `help:"Secret key of the business." env:"FERRY_KEY"`
}

const remoteTimeout = 60 * time.Second

var errNoKey = errors.New("give the secret key of a running server by --key or FERRY_KEY, or name a store by --store or --config")

var errURL = errors.New("--url or FERRY_URL: must begin with http:// or https://, as http://127.0.0.1:8080")

// errKeyUnknown is about keys of other servers, and of former databases.
var errKeyUnknown = errors.New("the server does not know the key: " +
	"--key or FERRY_KEY must be a secret key that it made (sk_test_… or sk_live_…)")

// call lets work call the server. Its errors say what the caller can do.
func (r remote) call(ctx context.Context, work func(context.Context, *client.Client) error) error {
	return r.callFor(ctx, remoteTimeout, work)
}

// callFor is call for work that takes longer, or less long.
func (r remote) callFor(ctx context.Context, timeout time.Duration, work func(context.Context, *client.Client) error) error {
	if r.Key == "" {
		return errNoKey
	}
	if !isWeb(r.URL) {
		return errURL
	}
	c, err := client.New(client.Config{BaseURL: r.URL, Key: r.Key})
	if err != nil {
		return errors.Join(errURL, err)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return r.explain(work(ctx, c))
}

// isWeb reports whether a text begins as an address of the web.
func isWeb(url string) bool {
	return strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")
}

func (r remote) explain(err error) error {
	if lost, ok := errors.AsType[*client.Unanswered](err); ok {
		return fmt.Errorf("no server answers at %s (--url or FERRY_URL): %w", r.URL, lost.Err)
	}
	refused, ok := errors.AsType[*client.Error](err)
	if !ok {
		return err
	}
	status := fmt.Sprintf("%d %s", refused.Status, http.StatusText(refused.Status))
	if refused.Status == http.StatusUnauthorized {
		return fmt.Errorf("%s: %w", status, errKeyUnknown)
	}
	return &explained{status + ": " + refused.Message, err}
}

// explained is a refusal in the words of the command.
type explained struct {
	text string
	err  error
}

func (e *explained) Error() string { return e.text }

func (e *explained) Unwrap() error { return e.err }

// printCall prints the data of the answer to a call, as the server wrote it.
func (r remote) printCall(ctx context.Context, work func(context.Context, *client.Client, client.Option) error) error {
	var answer client.Answer
	if err := r.call(ctx, func(ctx context.Context, c *client.Client) error {
		return work(ctx, c, client.WithAnswer(&answer))
	}); err != nil {
		return err
	}
	data, err := dataOf(answer)
	if err != nil {
		return err
	}
	return printJSON(os.Stdout, data)
}

func dataOf(answer client.Answer) (json.RawMessage, error) {
	var envelope struct {
		Data json.RawMessage `json:"data"`
	}
	err := json.Unmarshal(answer.Body, &envelope)
	return envelope.Data, err
}

// printJSON writes v as indented JSON that a terminal may show.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(plain{w})
	e.SetIndent("", "  ")
	return e.Encode(v)
}
