package inspect

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// keptExchanges is how many requests, and how many deliveries, are kept with their bodies.
	keptExchanges = 1000
	// keptBody is how much of a body is kept, keptURL how much of a URL, and keptKey of a key.
	keptBody = 16 << 10
	keptURL  = 2 << 10
	keptKey  = 255
)

// Exchange is a request and its answer, without secrets and identity numbers.
type Exchange struct {
	// Seq is that of the line of the timeline.
	Seq    int64     `json:"seq"`
	At     time.Time `json:"at"`
	Method string    `json:"method"`
	// URL is the path and query of a request, and the whole URL of a delivery.
	URL    string        `json:"url"`
	Status int           `json:"status"`
	Took   time.Duration `json:"took_ns"`
	// Key is the last four characters of the API key, or empty.
	Key string `json:"key,omitempty"`
	// IdempotencyKey is that of the header. Replayed says that the answer is an earlier one.
	IdempotencyKey string `json:"idempotency_key,omitempty"`
	Replayed       bool   `json:"replayed,omitempty"`
	RequestID      string `json:"request_id,omitempty"`
	// Sent and Answer are the bodies, masked; that of a delivery is signed, and as it was.
	Sent   Body `json:"request_body"`
	Answer Body `json:"answer_body"`
	// Headers are those that a delivery bears.
	Headers http.Header `json:"headers,omitempty"`
	// Error says why there was no answer.
	Error string `json:"error,omitempty"`

	rawURL       string // as it was, or empty when it is longer than what is kept
	sent, answer head   // as they were
	signed       bool   // so that a mask would make the body another one
}

// shown is an exchange with the bodies that a page may show.
func (e Exchange) shown() Exchange {
	e.Sent, e.Answer = bodyOf(e.sent), bodyOf(e.answer)
	if e.signed {
		e.Sent.Text = string(e.sent.text)
	}
	return e
}

// EventType is the type of the event that a delivery brings.
func (e Exchange) EventType() string {
	var event struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal(e.sent.text, &event) // one that was cut off has no type
	return event.Type
}

// whole reports whether the request is kept as it was.
func (e Exchange) whole() bool { return e.rawURL != "" && !e.sent.cut }

// Body is the beginning of a body.
type Body struct {
	Text string `json:"text"`
	// Cut reports whether there was more.
	Cut bool `json:"cut,omitempty"`
}

// exchanges keeps the newest exchanges. It is safe for concurrent use.
type exchanges struct {
	mu   sync.Mutex
	list []Exchange // as they ended
}

func (x *exchanges) add(e Exchange) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.list) == keptExchanges {
		x.list = slices.Delete(x.list, 0, 1)
	}
	x.list = append(x.list, e)
}

func (x *exchanges) find(seq int64) (Exchange, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	i := slices.IndexFunc(x.list, func(e Exchange) bool { return e.Seq == seq })
	if i < 0 {
		return Exchange{}, false
	}
	return x.list[i].shown(), true
}

// newest returns the newest exchanges that are kept by a function, the newest first, at most limit.
func (x *exchanges) newest(limit int, keeps func(Exchange) bool) (page []Exchange) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, e := range slices.Backward(x.list) {
		if len(page) < limit && keeps(e) {
			page = append(page, e.shown())
		}
	}
	return page
}

// bodyOf is the beginning of a body, masked.
func bodyOf(h head) Body { return Body{mask(strings.ToValidUTF8(string(h.text), "\ufffd")), h.cut} }

// head keeps the beginning of what is written to it.
type head struct {
	text []byte
	cut  bool
}

func (h *head) Write(p []byte) (int, error) {
	room := keptBody - len(h.text)
	if len(p) > room {
		h.cut = true
	}
	h.text = append(h.text, p[:min(room, len(p))]...)
	return len(p), nil
}
