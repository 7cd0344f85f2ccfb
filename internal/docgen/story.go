package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"time"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/server"
)

// story is a business in memory to which everything happens that an event tells of. It is the same
// in every run: its clock stands still between requests, and its keys and ids come from a seed.
type story struct {
	engine *engine.Engine
	tenant engine.Tenant
	web    http.Handler
	// known are texts of earlier answers, by the name under which a request uses them: {name}.
	known map[string]string
}

// storyBegins is the time of the story's clock at its beginning.
var storyBegins = time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC)

// stopped is a clock that stands still: the story moves the sandbox's clock only.
type stopped struct{}

func (stopped) Now() time.Time { return storyBegins }

// newStory returns a story at its beginning.
func newStory() (*story, error) {
	sealer, err := seal.New(make([]byte, 32))
	if err != nil {
		return nil, err
	}
	e, err := engine.New(engine.Config{Store: memstore.New(), Clock: stopped{}, Random: rand.NewChaCha8([32]byte{1}), Sealer: sealer})
	if err != nil {
		return nil, err
	}
	tenant, err := e.Bootstrap(context.Background())
	if err != nil {
		return nil, err
	}
	return &story{e, tenant, server.New(e, server.Config{}), map[string]string{
		"public_key": tenant.PublicKey, "source": tenant.Business.SourceAccounts[0].AccountNumber, "source_id": tenant.Business.SourceAccounts[0].ID,
	}}, nil
}

// step is a request of a story: its method, path and body, and the texts of its answer that later
// ones use, as "name=field". A field is looked for in the whole answer; the first one counts.
type step struct {
	method, path, body string
	keep               []string
}

// tell makes the requests of a story, and returns the first event of each type, by type.
func (s *story) tell(steps []step) (map[string]json.RawMessage, error) {
	for _, next := range steps {
		answer, err := s.send(next)
		if err != nil {
			return nil, err
		}
		for _, keep := range next.keep {
			name, field, _ := strings.Cut(keep, "=")
			found := regexp.MustCompile(`"` + field + `":"([^"]+)"`).FindStringSubmatch(answer)
			if found == nil {
				return nil, fmt.Errorf("docgen: %s %s answers no %s: %s", next.method, next.path, field, answer)
			}
			s.known[name] = found[1]
		}
	}
	return s.events()
}

// named finds what a request takes from earlier answers.
var named = regexp.MustCompile(`\{(\w+)\}`)

// send makes one request, and does what becomes due.
func (s *story) send(next step) (string, error) {
	fill := func(text string) string {
		return named.ReplaceAllStringFunc(text, func(name string) string {
			if text, known := s.known[strings.Trim(name, "{}")]; known {
				return text
			}
			return name
		})
	}
	r := httptest.NewRequest(next.method, "http://ferry.example/v1/"+fill(next.path), strings.NewReader(fill(next.body)))
	r.Header.Set("Authorization", "Bearer "+s.tenant.SecretKey)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.web.ServeHTTP(w, r)
	answer := w.Body.String()
	if w.Code != http.StatusOK && !strings.Contains(next.path, "identity/validate") {
		return "", fmt.Errorf("docgen: %s %s: %s", next.method, r.URL, answer)
	}
	return answer, s.rest()
}

// rest lets the engine come to rest. On a slow machine the time that it takes for one Advance may
// be over before.
func (s *story) rest() error {
	for {
		progress, err := s.engine.Advance(context.Background(), 0)
		if err != nil || progress.Done {
			return err
		}
	}
}

// events returns the first event of each type, by type.
func (s *story) events() (map[string]json.RawMessage, error) {
	first, after := map[string]json.RawMessage{}, ""
	for {
		feed, err := s.engine.Webhooks.Events(context.Background(), s.tenant.Business.Scope, after, 100)
		if err != nil || len(feed.Bodies) == 0 {
			return first, err
		}
		for _, body := range feed.Bodies {
			var event struct{ Type string }
			if err := json.Unmarshal(body, &event); err != nil {
				return nil, err
			}
			if _, known := first[event.Type]; !known {
				first[event.Type] = json.RawMessage(body)
			}
		}
		after = feed.Next
	}
}
