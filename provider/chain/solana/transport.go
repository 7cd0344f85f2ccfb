package solana

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// repeatable lets a transport send a call once more when the node had closed an idle connection.
// All calls may be repeated: a node that gets a transaction twice has it once.
func repeatable(r *http.Request) *http.Request {
	r = r.Clone(r.Context())
	r.Header["Idempotency-Key"] = []string{} // http.Transport takes it as a mark and does not send it
	return r
}

// honest turns answers that are no answers into errors. The RPC client takes a status above 400
// with a JSON object as its body for a success with a zero result.
type honest struct{ next http.RoundTripper }

// statusError is an HTTP status of 400 or more.
type statusError struct {
	code int
	// after is for how long the node asks to be left alone, or 0.
	after time.Duration
}

func (e *statusError) Error() string { return fmt.Sprintf("status %d", e.code) }

// maxAnswer bounds what is read of an answer, in bytes. A block with all its transactions is
// some megabytes.
const maxAnswer = 64 << 20

func (h honest) RoundTrip(r *http.Request) (*http.Response, error) {
	r = repeatable(r)
	answer, err := h.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case answer.StatusCode >= http.StatusBadRequest:
		return nil, &statusError{answer.StatusCode, pauseOf(answer)}
	case err != nil:
		return nil, err
	case len(body) > maxAnswer || !isAnswer(body):
		return nil, errNoAnswer
	}
	answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return answer, nil
}

// pauseOf is for how long a node asks to be left alone. A node that is busy and names no time
// gets the shortest rest.
func pauseOf(answer *http.Response) time.Duration {
	if answer.StatusCode != http.StatusTooManyRequests && answer.StatusCode != http.StatusServiceUnavailable {
		return 0
	}
	text := answer.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil {
		return time.Duration(min(max(seconds, 0), 3600)) * time.Second
	}
	if answer.StatusCode == http.StatusTooManyRequests {
		return shortRest
	}
	return 0
}

// isAnswer reports whether a body has a result, which may be null, or an error.
func isAnswer(body []byte) bool {
	var members struct {
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	err := json.Unmarshal(body, &members)
	return err == nil && (members.Result != nil || members.Error != nil)
}
