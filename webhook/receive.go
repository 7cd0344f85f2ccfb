package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Received is an event as a receiver gets it.
type Received struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	// Sequence counts the events of one resource from 1.
	Sequence   int64     `json:"sequence"`
	CreatedAt  time.Time `json:"created_at"`
	APIVersion string    `json:"api_version"`
	// Data is the event's own object (docs/api.md, "Event catalogue").
	Data json.RawMessage `json:"data"`
	// Raw is the whole body as it arrived.
	Raw []byte `json:"-"`
}

// Decode reads the event's object into v.
func (r Received) Decode(v any) error { return json.Unmarshal(r.Data, v) }

// ConstructEvent verifies and reads an event with a Verifier's defaults.
func ConstructEvent(payload []byte, header http.Header, secrets ...string) (Received, error) {
	return Verifier{}.ConstructEvent(payload, header, secrets...)
}

// ConstructEvent verifies a body and reads the event in it. Fields it does not
// know are left in Raw. Errors: those of Verify, and ErrPayload.
func (v Verifier) ConstructEvent(payload []byte, header http.Header, secrets ...string) (Received, error) {
	if err := v.Verify(payload, header, secrets...); err != nil {
		return Received{}, err
	}
	var r Received
	if err := json.Unmarshal(payload, &r); err != nil {
		return Received{}, fmt.Errorf("%w: %w", ErrPayload, err)
	}
	if r.ID == "" || r.Type == "" {
		return Received{}, fmt.Errorf("%w: id or type is missing", ErrPayload)
	}
	r.Raw = payload
	return r, nil
}

// maxPayload is the greatest body that Handler reads.
const maxPayload = 1 << 20

// Handler returns a receiver with a Verifier's defaults.
func Handler(fn func(context.Context, Received) error, secrets ...string) http.Handler {
	return Verifier{}.Handler(fn, secrets...)
}

// Handler returns a receiver that calls fn for every genuine event and answers
// 200 when fn returns nil and 500 otherwise, so that the event comes again. It
// answers 400 to a bad signature and 413 to a body above 1 MiB.
//
// The sender waits 10 seconds: fn notes the event and leaves slow work to
// others. An event may come more than once, with the same ID.
func (v Verifier) Handler(fn func(context.Context, Received) error, secrets ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		w.WriteHeader(v.receive(w, r, fn, secrets))
	})
}

// receive handles one request and returns the status to answer.
func (v Verifier) receive(w http.ResponseWriter, r *http.Request, fn func(context.Context, Received) error, secrets []string) int {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxPayload))
	if err != nil {
		if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
			return http.StatusRequestEntityTooLarge
		}
		return http.StatusBadRequest
	}
	event, err := v.ConstructEvent(body, r.Header, secrets...)
	if err != nil {
		return http.StatusBadRequest
	}
	if err := fn(r.Context(), event); err != nil {
		return http.StatusInternalServerError
	}
	return http.StatusOK
}
