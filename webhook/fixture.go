package webhook

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"

	"github.com/ferrypay/ferry"
)

// GenerateTestEvent returns the body of an event with a fresh id, the present
// time and sequence 1, for the tests of a receiver.
func GenerateTestEvent(eventType string, data any) ([]byte, error) {
	raw, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	now := ferry.SystemClock{}.Now()
	return body(Event{
		ID:         ferry.NewIDs(rand.Reader).NewID("evt_", now),
		Type:       eventType,
		Sequence:   1,
		CreatedAt:  now,
		Data:       string(raw),
		APIVersion: APIVersion,
	})
}

// SignedRequest returns a request as the dispatcher sends it: the body signed in
// both ways, the specified header with the first secret and the standard one
// with all. It is for the tests of a receiver, with or without a network.
func SignedRequest(url string, body []byte, secrets ...string) (*http.Request, error) {
	if len(secrets) == 0 {
		return nil, ErrSignature
	}
	var e struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(body, &e); err != nil {
		return nil, err
	}
	to := newRequests(url, DefaultHeader, true, secrets)
	return to.of(context.Background(), e.ID, ferry.SystemClock{}.Now(), string(body))
}
