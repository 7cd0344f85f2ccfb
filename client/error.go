package client

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Error is a call that the server refused, or could not serve. Programs decide on Code:
//
//	if errors.Is(err, client.CodeInsufficientBalance) { … }
type Error struct {
	// Status is the HTTP status.
	Status int
	// Code names what went wrong. It is empty when the answer does not come from a ferry.
	Code Code
	// Message is for people.
	Message string
	// Fields are what is wrong with each field of the parameters, by its name on the wire.
	Fields map[string][]string
	// Details are those of the code: see Shortage.
	Details json.RawMessage
	// RequestID is the name of the request in the log of the server.
	RequestID string
	// RetryAfter is how long the server asks to wait before the same call, or 0.
	RetryAfter time.Duration
	// IdempotencyKey is that of the call, when it writes. After a Status of 500 or more it is
	// not known whether the call has had its effect: the same call with this key gets to know.
	IdempotencyKey string
}

// Error says what went wrong, with what helps to find it.
func (e *Error) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d", e.Status)
	if e.Code != "" {
		fmt.Fprintf(&text, " %s", string(e.Code))
	}
	fmt.Fprintf(&text, ": %s", e.Message)
	for _, field := range slices.Sorted(maps.Keys(e.Fields)) {
		fmt.Fprintf(&text, "; %s: %s", field, strings.Join(e.Fields[field], ", "))
	}
	if e.RequestID != "" {
		fmt.Fprintf(&text, " (%s)", e.RequestID)
	}
	return text.String()
}

// Is reports whether target is the code of the error.
func (e *Error) Is(target error) bool {
	code, ok := target.(Code) //nolint:errorlint // target is what the caller looks for
	return ok && code == e.Code && code != ""
}

// Shortage is what a balance lacks.
type Shortage struct {
	Available Amount `json:"available"`
	Required  Amount `json:"required"`
}

// Shortage returns the details of CodeInsufficientBalance.
func (e *Error) Shortage() (s Shortage, ok bool) {
	ok = e.Code == CodeInsufficientBalance && json.Unmarshal(e.Details, &s) == nil
	return s, ok
}

// Code is what programs decide on. Each is an error, for errors.Is.
type Code string

// Error returns the code.
func (c Code) Error() string { return string(c) }

// Unanswered is a call that got no answer that can be read. It is not known whether it has
// had its effect. The same call with the same key gets to know:
//
//	if lost, ok := errors.AsType[*client.Unanswered](err); ok {
//		payout, err = c.Payouts.Create(ctx, params, client.WithIdempotencyKey(lost.IdempotencyKey))
//	}
type Unanswered struct {
	// Method and Path are those of the call.
	Method, Path string
	// IdempotencyKey is that of the call, when it writes.
	IdempotencyKey string
	// Attempts is how many there were.
	Attempts int
	// Err is why the last one failed.
	Err error
}

// Error says which call got no answer.
func (u *Unanswered) Error() string {
	return fmt.Sprintf("%s %s: no answer in %d attempts: %v", u.Method, u.Path, u.Attempts, u.Err)
}

// Unwrap returns why the last attempt failed.
func (u *Unanswered) Unwrap() error { return u.Err }

// explain completes the error of the last attempt.
func (s *sending) explain(err error) error {
	switch refused, ok := err.(*Error); { //nolint:errorlint // what is joined with the end of a context got no answer in time
	case err == nil:
		return nil
	case ok:
		refused.IdempotencyKey = s.key
		return refused
	}
	return &Unanswered{s.method, s.path, s.key, s.answer.Attempts, err}
}

// errorOf returns the error of an answer that is no success.
func errorOf(response *http.Response, body []byte) *Error {
	var answer struct {
		Message    string              `json:"message"`
		Errors     map[string][]string `json:"errors"`
		RequestID  string              `json:"request_id"`
		RetryAfter int64               `json:"retry_after"`
		Error      struct {
			Code    Code            `json:"code"`
			Message string          `json:"message"`
			Details json.RawMessage `json:"details"`
		} `json:"error"`
	}
	e := &Error{Status: response.StatusCode, RequestID: response.Header.Get(requestIDHeader)}
	if json.Unmarshal(body, &answer) == nil {
		e.Code, e.Fields, e.Details = answer.Error.Code, answer.Errors, answer.Error.Details
		e.Message = answer.Message
	}
	if e.Message == "" {
		e.Message = "the answer does not come from a ferry: " + response.Status
	}
	if to := response.Header.Get("Location"); to != "" && e.Code == "" {
		e.Message = "redirects are not followed: BaseURL must be where the server is"
	}
	e.RetryAfter = retryAfter(response.Header, answer.RetryAfter)
	return e
}

// retryAfter is what the header says, in seconds or as a date, or else the body.
func retryAfter(header http.Header, seconds int64) time.Duration {
	text := header.Get("Retry-After")
	if n, err := strconv.ParseInt(text, 10, 32); err == nil {
		seconds = n
	} else if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	const most = 1 << 31
	return time.Duration(min(max(0, seconds), most)) * time.Second
}
