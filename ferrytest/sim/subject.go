package sim

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/sandbox"
)

// Subject is a program that stands in the storm. It has a business of its own: it asks the API with
// Surroundings.Client, and gets the webhooks of that business. One goroutine at a time is at work in a
// run, so a program needs no locks for it. A nil member does nothing.
type Subject struct {
	// Webhooks answers the webhooks of the business. Some come twice, some late, and those of different
	// resources in any order. One may come while Act or Work waits for an answer.
	Webhooks http.Handler
	// Act does one thing that nobody has asked for yet. It is called in the storm only.
	Act func(ctx context.Context)
	// Work does what is left to do, as asking again what was not answered, and reports whether there
	// was anything. It is called in the storm and after it, and never beside Act.
	Work func(ctx context.Context) (busy bool)
	// Check says what is wrong after a step.
	Check func() error
	// AtRest says what is wrong when nothing is left to do anywhere. What it asks is answered.
	AtRest func(ctx context.Context) error
}

// Surroundings is what a Subject has around it.
type Surroundings struct {
	// URL is the base URL of the API. Client reaches it: its answers come late, or never.
	URL    string
	Client *http.Client
	// The keys of the business of the Subject.
	PublicKey, SecretKey, WebhookSecret string
	// Clock is that of the run. A program that looks at another one is not the same in each run.
	Clock ferry.Clock
	// Rand draws from the seed.
	Rand *rand.Rand
	// Pay lets somebody send kobo to an account of the bank.
	Pay func(account string, kobo int64)
	// Note adds a line to the trace.
	Note func(format string, args ...any)
}

// subject is a Subject in a run.
type subject struct {
	Subject
	run    *run
	number int // after those of the businesses, in the URL of its webhooks
	dice   dice
	// own is the task of Act or Work, and tasks are all that have not ended, with those of webhooks.
	own   *task
	tasks []*task
	now   *task // the one that is at work
	asked []*asked
}

// asked is a request of a Subject.
type asked struct {
	request *http.Request
	answer  *http.Response
	err     error
}

// enter founds the business of a Subject, and builds it.
func (r *run) enter(build func(Surroundings) Subject) error {
	s := &subject{run: r, number: businesses, dice: newDice(r.seed, 5)} //nolint:mnd // its own purpose
	r.subject = s
	tenant, err := r.servers[0].engine.CreateTenant(context.Background(), ferry.Test, "The subject")
	if err != nil {
		return err
	}
	o := newOwner(r, s.number, tenant)
	if set := o.now(http.MethodPost, "/v1/webhook/config", object{"url": r.receiver.url(o)}); !set.ok() {
		return fmt.Errorf("sim: %s", set.raw)
	}
	s.Subject = build(Surroundings{
		URL: "http://ferry.invalid", Client: &http.Client{Transport: s},
		PublicKey: tenant.PublicKey, SecretKey: tenant.SecretKey, WebhookSecret: tenant.WebhookSecret,
		Clock: r.clock, Rand: newDice(r.seed, 6).Rand, Note: r.note, //nolint:mnd // its own purpose
		Pay: func(account string, kobo int64) {
			r.note("somebody pays %d kobo to %s", kobo, account)
			_, err := r.world.Credit(context.Background(), sandbox.CreditParams{
				AccountNumber: account, Amount: money.NGN(kobo), Sender: bank.Party{BankCode: "058", AccountNumber: "0123456780", AccountName: "Payer"},
			})
			r.must(err)
		},
	})
	return nil
}

// takesTurn reports whether the next step is the subject's.
func (s *subject) takesTurn() bool { return s != nil && s.dice.chance(300) }

// step lets the subject go on to the next place at which it awaits an answer, or begin something.
func (s *subject) step() {
	switch {
	case len(s.tasks) > 0 && (s.own != nil || s.dice.chance(500)):
		s.resume(pick(s.dice, s.tasks...))
	case s.Work != nil && s.dice.chance(300):
		s.begin("work", func(ctx context.Context) { s.Work(ctx) })
	case s.Act != nil:
		s.begin("act", s.Act)
	}
}

// begin begins Act or Work.
func (s *subject) begin(what string, work func(context.Context)) {
	s.own = s.add(what, work)
	s.resume(s.own)
}

func (s *subject) add(what string, work func(context.Context)) *task {
	t := begin(context.Background(), what, work)
	s.tasks = append(s.tasks, t)
	return t
}

// resume lets a task go on until it awaits an answer again.
func (s *subject) resume(t *task) {
	before := s.now
	s.now = t
	where, more := t.next()
	s.now = before
	if more {
		s.run.note("the subject awaits %s in %s", where, t.what)
		return
	}
	s.tasks = slices.DeleteFunc(s.tasks, func(other *task) bool { return other == t })
	if s.own == t {
		s.own = nil
	}
}

// RoundTrip asks the servers of the run. In the calm, and beside the storm, they answer at once.
func (s *subject) RoundTrip(request *http.Request) (*http.Response, error) {
	a := &asked{request: request.Clone(context.Background())}
	if request.Body != nil {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return nil, err
		}
		a.request.Body = io.NopCloser(bytes.NewReader(body))
	}
	a.request.RequestURI, a.request.RemoteAddr = "", "127.0.0.1:1"
	s.run.note("the subject asks %s %s", request.Method, request.URL.RequestURI())
	if s.now == nil || s.run.weather.calm {
		s.answerAtOnce(a)
		return a.answer, a.err
	}
	s.asked = append(s.asked, a)
	for at := s.now.ctx; a.answer == nil && a.err == nil; {
		await(at, "an answer")
	}
	return a.answer, a.err
}

// answerAtOnce lets a server answer to which nothing happens meanwhile.
func (s *subject) answerAtOnce(a *asked) {
	for _, server := range s.run.servers {
		if !server.life.dead {
			server.answer(context.Background(), a)
			return
		}
	}
	a.err = errNoAnswer
}

// waits reports whether a request of the subject waits to be answered.
func (s *subject) waits() bool { return s != nil && len(s.asked) > 0 }

// next takes a request that waits.
func (s *subject) next() *asked {
	a := s.asked[0]
	s.asked = s.asked[1:]
	return a
}

// serveSubject begins to answer a request of the subject.
func (s *server) serveSubject(a *asked) {
	s.begin(a.request.Method+" "+a.request.URL.Path+" of the subject", func(ctx context.Context) { s.answer(ctx, a) })
}

// answer answers a request of the subject, unless the answer is lost.
func (s *server) answer(ctx context.Context, a *asked) {
	recorded := httptest.NewRecorder()
	s.handler.ServeHTTP(recorded, a.request.WithContext(ctx))
	if s.life.dead || s.run.weather.happens(s.run.weather.rates.lose) {
		s.run.note("the subject gets no answer")
		a.err = errNoAnswer
		return
	}
	s.run.note("%d to the subject: %s", recorded.Code, recorded.Body)
	a.answer = recorded.Result()
}

// deliver brings a webhook to the subject, and waits for its answer as long as webhooks do.
func (s *subject) deliver(request *http.Request, body []byte) (*http.Response, error) {
	if s.Webhooks == nil {
		return reply(request, http.StatusOK), nil
	}
	r, ctx := s.run, request.Context()
	s.run.note("the subject gets %s", body)
	recorded, done := httptest.NewRecorder(), false
	came := httptest.NewRequestWithContext(context.Background(), http.MethodPost, request.URL.Path, bytes.NewReader(body))
	came.Header = request.Header.Clone()
	t := s.add("a webhook", func(context.Context) {
		s.Webhooks.ServeHTTP(recorded, came)
		done = true
	})
	for began := r.clock.now; !done; {
		if r.weather.calm {
			s.resume(t)
			continue
		}
		await(ctx, "the subject")
		if r.clock.now.Sub(began) > patience || isDead(ctx) {
			return nil, errNoAnswer
		}
	}
	return recorded.Result(), nil
}

// workOff lets the subject do what is left to do. It reports whether there was anything.
func (s *subject) workOff() (busy bool) {
	if s == nil {
		return false
	}
	for s.waits() {
		s.answerAtOnce(s.next())
	}
	for len(s.tasks) > 0 {
		s.resume(s.tasks[0])
		busy = true
	}
	if s.Work != nil {
		s.begin("work", func(ctx context.Context) { busy = s.Work(ctx) || busy })
	}
	return busy
}

// check fails the run when the subject says what is wrong.
func (s *subject) check() {
	if s != nil && s.Check != nil {
		s.wrong(s.Check())
	}
}

func (s *subject) checkAtRest() {
	if s != nil && s.AtRest != nil {
		s.wrong(s.AtRest(context.Background()))
	}
}

func (s *subject) wrong(err error) {
	if err != nil {
		s.run.fail("subject", "%v", err)
	}
}
