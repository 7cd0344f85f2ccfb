package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// client calls a server. A call that got no answer, or one that says "later", is repeated until
// ctx ends: what it asks for is safe to ask for again.
type client struct{ url, key string }

// refusal is an answer that a repetition does not change.
type refusal struct {
	Code    string              `json:"code"`
	Message string              `json:"message"`
	Fields  map[string][]string `json:"-"`
}

func (r *refusal) Error() string {
	if len(r.Fields) > 0 {
		return fmt.Sprintf("%s: %v", r.Message, r.Fields)
	}
	return r.Message
}

func (c client) get(ctx context.Context, path string, query url.Values, data any) error {
	return c.call(ctx, http.MethodGet, path+"?"+query.Encode(), nil, data)
}

func (c client) post(ctx context.Context, path string, body, data any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return c.call(ctx, http.MethodPost, path, encoded, data)
}

// call returns when the server has answered for good.
func (c client) call(ctx context.Context, method, path string, body []byte, data any) error {
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		later, err := c.once(ctx, method, path, body, data)
		if later == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(max(pause, later)):
		}
	}
}

// once makes one call. Later is how long to wait before it is made again, and 0 when it has an
// answer.
func (c client) once(ctx context.Context, method, path string, body []byte, data any) (later time.Duration, err error) {
	const soon = time.Millisecond
	ctx, end := context.WithTimeout(ctx, 30*time.Second)
	defer end()
	request, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return soon, err
	}
	defer response.Body.Close()
	var answer struct {
		Data   json.RawMessage     `json:"data"`
		Error  *refusal            `json:"error"`
		Errors map[string][]string `json:"errors"`
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return soon, fmt.Errorf("%s %s: %w", method, path, err)
	}
	if answer.Error == nil {
		return 0, json.Unmarshal(answer.Data, data)
	}
	answer.Error.Fields = answer.Errors
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	if response.StatusCode >= 500 || seconds > 0 {
		later = cmp.Or(time.Duration(seconds)*time.Second, soon)
	}
	return later, answer.Error
}
