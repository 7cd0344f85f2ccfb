package client

import (
	"crypto/rand"
	"errors"
)

// Option changes one call.
type Option func(*settings)

type settings struct {
	key, requestID, origin string
	answer                 *Answer
}

func settingsOf(options []Option) settings {
	var s settings
	for _, option := range options {
		option(&s)
	}
	if s.answer == nil {
		s.answer = new(Answer)
	}
	return s
}

// WithIdempotencyKey gives the call a key: 1 to 255 visible ASCII characters. Every call with
// the same key and the same parameters has one effect, also in another process. A program
// that may stop before it has recorded the answer keeps the key, or derives it from what the
// call is for. Without this option each call has a key of its own, which all its attempts
// bear.
func WithIdempotencyKey(key string) Option { return func(s *settings) { s.key = key } }

// WithRequestID names the call in the log of the server.
func WithRequestID(id string) Option { return func(s *settings) { s.requestID = id } }

// WithOrigin says which page a visitor of a ramp widget calls from: https://shop.example.com. A
// browser says so by itself.
func WithOrigin(origin string) Option { return func(s *settings) { s.origin = origin } }

// WithAnswer tells about the answer, that of the last attempt.
func WithAnswer(answer *Answer) Option { return func(s *settings) { s.answer = answer } }

// Answer is what a call tells beside its result.
type Answer struct {
	// Status is the HTTP status.
	Status int
	// RequestID is the name of the request in the log of the server.
	RequestID string
	// Replayed says that an earlier call, or an earlier attempt, had the effect. A secret
	// that is shown once is left out of such an answer.
	Replayed bool
	// Body is the answer as it came, with what this client does not know of.
	Body []byte
	// Attempts is how many attempts there were.
	Attempts int
}

// newKey returns an idempotency key that nobody else has.
func newKey() string { return "go-" + rand.Text() }

var errKey = errors.New("client: an idempotency key has 1 to 255 visible ASCII characters")

// visible reports whether a key, or none, can be sent.
func visible(key string) bool {
	for _, r := range key {
		if r <= ' ' || r > '~' {
			return false
		}
	}
	return len(key) <= 255
}
