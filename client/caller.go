package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// caller calls a server.
type caller struct {
	http      *http.Client
	base      string
	authorize func(http.Header)
	variant   string
	timeout   time.Duration
	maxAnswer int64
	patience  patience
}

// request is a call as a method of a service describes it.
type request struct {
	method, path string
	query        url.Values
	// body is sent as JSON, unless it is nil.
	body any
}

// writes reports whether the call changes something, so that it bears an idempotency key.
func (r request) writes() bool { return r.method != http.MethodGet }

// data makes a call whose answer is one thing.
func data[T any](ctx context.Context, c *caller, r request, options []Option) (*T, error) {
	answer, err := whole[struct {
		Data T `json:"data"`
	}](ctx, c, r, options)
	if err != nil {
		return nil, err
	}
	return &answer.Data, nil
}

// rows makes a call whose answer is a list without pages.
func rows[T any](ctx context.Context, c *caller, r request, options []Option) ([]T, error) {
	all, err := data[[]T](ctx, c, r, options)
	if err != nil {
		return nil, err
	}
	return *all, nil
}

// whole makes a call and decodes the whole answer, in which the data is a member.
func whole[T any](ctx context.Context, c *caller, r request, options []Option) (*T, error) {
	answer := new(T)
	if err := c.call(ctx, r, answer, options); err != nil {
		return nil, err
	}
	return answer, nil
}

// call attempts a call until it has an answer, and decodes that into a value. All attempts
// bear the same idempotency key.
func (c *caller) call(ctx context.Context, r request, into any, options []Option) error {
	sent, err := c.prepare(r, options)
	if err != nil {
		return err
	}
	for attempt := 1; ; attempt++ {
		err := c.attempt(ctx, sent, into)
		sent.answer.Attempts = attempt
		pause, again := c.patience.after(ctx, attempt, err)
		if !again {
			return sent.explain(err)
		}
		if !wait(ctx, pause) {
			return sent.explain(errors.Join(ctx.Err(), err))
		}
	}
}

// sending is a call with all that its attempts have in common.
type sending struct {
	request
	url     string
	payload []byte
	settings
}

func (c *caller) prepare(r request, options []Option) (*sending, error) {
	s := &sending{request: r, url: c.base + r.path, settings: settingsOf(options)}
	if len(r.query) > 0 {
		s.url += "?" + r.query.Encode()
	}
	if s.key == "" && r.writes() {
		s.key = newKey()
	}
	if !visible(s.key) {
		return nil, errKey
	}
	if r.body == nil {
		return s, nil
	}
	payload, err := json.Marshal(r.body)
	s.payload = payload
	return s, err
}

// attempt sends the call once. It decodes a success into a value; any other answer is an
// *Error.
func (c *caller) attempt(ctx context.Context, s *sending, into any) error {
	ctx, end := context.WithTimeout(ctx, c.timeout)
	defer end()
	request, err := c.httpRequest(ctx, s)
	if err != nil {
		return err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := readAtMost(response.Body, c.maxAnswer)
	if err != nil {
		return err
	}
	*s.answer = Answer{Status: response.StatusCode, RequestID: response.Header.Get(requestIDHeader), Replayed: response.Header.Get(replayedHeader) == "true", Body: body}
	if response.StatusCode != http.StatusOK {
		return errorOf(response, body)
	}
	if err := json.Unmarshal(body, into); err != nil {
		return &unreadable{err}
	}
	return nil
}

// The headers of the API, beside those of HTTP.
const (
	keyHeader       = "Idempotency-Key"
	replayedHeader  = "Idempotency-Replayed"
	requestIDHeader = "X-Request-Id"
	variantHeader   = "X-Api-Variant"
)

func (c *caller) httpRequest(ctx context.Context, s *sending) (*http.Request, error) {
	var body io.Reader
	if s.payload != nil {
		body = bytes.NewReader(s.payload)
	}
	request, err := http.NewRequestWithContext(ctx, s.method, s.url, body)
	if err != nil {
		return nil, err
	}
	c.authorize(request.Header)
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "ferry-client-go")
	for name, value := range map[string]string{keyHeader: s.key, requestIDHeader: s.requestID, variantHeader: c.variant, "Origin": s.origin} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return request, nil
}

// errTooLong refuses an answer that the client would not hold.
var errTooLong = errors.New("the answer is longer than MaxAnswer")

func readAtMost(from io.Reader, most int64) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(from, most+1))
	if err == nil && int64(len(body)) > most {
		return nil, errTooLong
	}
	return body, err
}

// unreadable is a success whose body is cut off, or comes from something else than the
// server.
type unreadable struct{ err error }

func (u *unreadable) Error() string { return fmt.Sprintf("the answer cannot be read: %v", u.err) }

func (u *unreadable) Unwrap() error { return u.err }
