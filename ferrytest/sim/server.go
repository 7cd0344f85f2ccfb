package sim

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/sandbox"
)

// server is a process with an engine on the one store. It does one thing at a time, and stops
// wherever it awaits the store or the outside world. Meanwhile other servers go on.
type server struct {
	run     *run
	number  int
	life    *life
	engine  *engine.Engine
	handler http.Handler
	workers []engine.Worker
	task    *task
	stands  int // turns for which it stands still
}

// start starts the process, as a new one.
func (s *server) start() error {
	r := s.run
	s.life = &life{fails: r.weather.storeFails, loses: r.weather.storeLoses}
	var err error
	s.engine, err = engine.New(engine.Config{
		Store: mortalStore{r.store, s.life, r},
		Clock: r.clock,
		World: sandbox.New(sandbox.Config{
			Store: mortalWorld{r.outside, s.life}, Clock: r.clock, Seed: r.seed, Sleep: r.sleep,
		}),
		Sealer: r.sealer, Pepper: r.pepper, Random: r.random, Sequential: true,
		Deliveries: func(http.RoundTripper) http.RoundTripper { return r.receiver },
	})
	if err != nil {
		s.life.dead = true
		return fmt.Errorf("start server %d: %w", s.number, err)
	}
	s.handler = httpapi.New(s.engine, httpapi.Config{Clock: r.clock, Timeout: time.Hour, TwinWait: time.Nanosecond})
	s.workers = s.engine.Workers()
	return nil
}

// restart starts the process anew after its death. While the store fails, it may not come up.
func (s *server) restart() {
	err := s.start()
	s.run.note("%d starts: %v", s.number, err)
	if err != nil && !errors.Is(err, errStore) && !errors.Is(err, errUnsure) && !errors.Is(err, errDead) {
		s.run.fail("liveness", "%v", err)
	}
}

// idle reports whether the process lives and has nothing in hand.
func (s *server) idle() bool { return !s.life.dead && s.task == nil }

// begin gives the server something to do. It goes on by goOn.
func (s *server) begin(what string, work func(context.Context)) {
	s.task = begin(context.WithValue(context.Background(), living{}, s.life), what, work)
	s.run.note("%d begins %s", s.number, what)
}

// goOn lets the server work until it awaits something, several times in a row at most.
func (s *server) goOn() {
	for range 1 + s.run.scheduling.IntN(longestGo)*s.run.scheduling.IntN(2) { //nolint:mnd // half of the times only once
		if s.task != nil {
			s.toNextPlace()
		}
	}
}

// longestGo is how many places a server may pass at a go.
const longestGo = 8

// toNextPlace lets the server work until it awaits something.
func (s *server) toNextPlace() {
	where, more := s.task.next()
	if more {
		s.run.note("%d awaits %s of %s", s.number, where, s.task.what)
		return
	}
	s.task = nil
}

// finish lets the server end what it has in hand.
func (s *server) finish() {
	for s.task != nil {
		s.toNextPlace()
	}
}

// kill ends the process. What it had in hand has no effect from now on.
func (s *server) kill() {
	s.run.note("%d dies", s.number)
	s.life.dead = true
	for s.task != nil {
		if _, more := s.task.next(); !more {
			s.task = nil
		}
	}
}

// pass begins one pass of a worker.
func (s *server) pass(w engine.Worker) {
	s.begin("pass "+w.Name, func(ctx context.Context) {
		done, err := w.RunDue(ctx, 1+s.run.scheduling.IntN(16))
		if !s.life.dead {
			s.run.note("%d passed %s: %d, %v", s.number, w.Name, done, err != nil)
		}
	})
}

// serve begins to answer a request of a client.
func (s *server) serve(c *call) {
	by := c.send(s)
	s.begin(c.String(), func(ctx context.Context) {
		recorded := httptest.NewRecorder()
		s.handler.ServeHTTP(recorded, c.request(ctx, by.key))
		if s.life.dead {
			c.lost()
			return
		}
		c.answered(by, recorded)
	})
}

// now answers a call at once.
func (s *server) now(c *call, k *apiKey) answer {
	recorded := httptest.NewRecorder()
	s.handler.ServeHTTP(recorded, c.request(context.Background(), k))
	a := answer{status: recorded.Code, raw: recorded.Body.Bytes()}
	a.parse()
	return a
}
