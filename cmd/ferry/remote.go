package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// remote is a running server and a secret key for it.
type remote struct {
	URL string `help:"Base URL of the server." default:"http://127.0.0.1:8080" env:"FERRY_URL"`
	Key string `help:"Secret key of the business." env:"FERRY_KEY"`
}

const (
	remoteTimeout = 60 * time.Second
	maxAnswer     = 16 << 20
)

// refusal is an answer that is no success.
type refusal struct {
	status int
	text   string
}

func (r refusal) Error() string { return r.text }

var errNoKey = errors.New("give the secret key of a running server by --key or FERRY_KEY, or name a store by --store or --config")

var errURL = errors.New("--url or FERRY_URL: must begin with http:// or https://, as http://127.0.0.1:8080")

// call sends a request and decodes the data of the answer into result.
func (r remote) call(ctx context.Context, method, path string, body, result any) error {
	if r.Key == "" {
		return errNoKey
	}
	ctx, cancel := context.WithTimeout(ctx, remoteTimeout)
	defer cancel()
	var payload io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return err
		}
		payload = bytes.NewReader(b)
	}
	if !strings.HasPrefix(r.URL, "http://") && !strings.HasPrefix(r.URL, "https://") {
		return errURL
	}
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(r.URL, "/")+path, payload)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+r.Key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("no server answers at %s (--url or FERRY_URL): %w", r.URL, err)
	}
	defer response.Body.Close()
	return readAnswer(response, result)
}

func readAnswer(response *http.Response, result any) error {
	b, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return err
	}
	var envelope struct {
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(b, &envelope); err != nil {
		return fmt.Errorf("%s: the answer is no JSON", response.Status)
	}
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusUnauthorized:
		return refusal{response.StatusCode, response.Status + ": the server does not know the key: " +
			"--key or FERRY_KEY must be a secret key that it made (sk_test_… or sk_live_…)"}
	default:
		return refusal{response.StatusCode, response.Status + ": " + envelope.Message}
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(envelope.Data, result)
}

// printJSON writes v to standard output as indented JSON.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
