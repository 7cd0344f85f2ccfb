package client_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/client"
)

// script is a server that answers each attempt by the next of its answers, and the last one
// for ever.
type script struct {
	*httptest.Server

	mu      sync.Mutex
	answers []http.HandlerFunc
	heard   []*http.Request
}

func scripted(t *testing.T, answers ...http.HandlerFunc) *script {
	t.Helper()
	s := &script{answers: answers}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.next(r)(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *script) next(r *http.Request) http.HandlerFunc {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = append(s.heard, r)
	answer := s.answers[0]
	if len(s.answers) > 1 {
		s.answers = s.answers[1:]
	}
	return answer
}

// keys are the idempotency keys of all attempts.
func (s *script) keys() (keys []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.heard {
		keys = append(keys, r.Header.Get("Idempotency-Key"))
	}
	return keys
}

// client returns a client of the server that hardly pauses.
func (s *script) client(t *testing.T, config client.Config) *client.Client {
	t.Helper()
	config.BaseURL = s.URL
	if config.Key == "" {
		config.Key = "sk_test_secret"
	}
	if config.Pause == 0 {
		config.Pause = time.Millisecond
	}
	c, err := client.New(config)
	require.NoError(t, err)
	return c
}

// answers a success with some data.
func success(data any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"success": true, "data": data, "a_future_member": 1})
	}
}

// fails answers an error.
func fails(status int, code string, more ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(more); i += 2 {
			w.Header().Set(more[i], more[i+1])
		}
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{
			"success": false, "message": "What went wrong", "request_id": "req_1",
			"error": map[string]any{"code": code, "message": "What went wrong", "details": []any{}},
		})
	}
}

// hangsUp answers nothing.
func hangsUp(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
