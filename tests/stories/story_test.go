package stories_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// story is the life of one business: rounds in which each of its clients does one
// thing, and time that passes after every round.
type story struct {
	*town
	t      *testing.T
	c      *apitest.Client // with the secret key of the business
	public string
	name   string
	draw   *rand.Rand
	terms  terms // what orders are made under
	before balances
	actors []*actor
	// faulty tells that calls go wrong in this round, and returned by when all has gone
	// back that a former one may have kept.
	faulty   bool
	returned time.Time
	payers   map[string]string // the order of each receipt, by id
}

// tell runs a story of so many clients and rounds, and holds what is left against the
// oracle.
func tell(t *testing.T, w *town, name string, seed uint64, clients, rounds int) {
	s := open(t, w, name, seed)
	for n := range clients {
		s.actors = append(s.actors, &actor{
			story: s, name: fmt.Sprintf("%s-%d", name, n), number: n, draw: rand.New(rand.NewPCG(seed, uint64(n)+1)),
		})
	}
	for range rounds {
		s.round()
	}
	s.stop()
	s.check()
}

// open makes the business of a story, with preferences by chance.
func open(t *testing.T, w *town, name string, seed uint64) *story {
	s := &story{town: w, t: t, name: name, draw: rand.New(rand.NewPCG(seed, 0)), payers: map[string]string{}}
	made := w.server.For(t).Post("/v1/test_helpers/businesses", apitest.Object{"name": name}).OK()
	s.c, s.public = w.server.As(made.Text("data.secret_key")).For(t), made.Text("data.public_key")
	s.prefer()
	s.before = s.balances()
	return s
}

// prefer draws the preferences of the business. They hold for orders made from now on.
func (s *story) prefer() {
	s.terms.customerPays = s.draw.IntN(2) == 0
	s.terms.accept = s.draw.IntN(2) == 0
	s.terms.convert = s.draw.IntN(2) == 0
	mismatch, settlement := "strict", "hold"
	if s.terms.accept {
		mismatch = "accept"
	}
	if s.terms.convert {
		settlement = "convert"
	}
	s.c.Patch("/v1/business", apitest.Object{
		"customer_pays_fee": s.terms.customerPays, "mismatch_policy": mismatch, "crypto_settlement": settlement,
	}).OK()
}

// round lets every client do one thing, all at once, and time pass.
func (s *story) round() {
	switch s.draw.IntN(12) {
	case 0:
		s.prefer()
	case 1:
		s.reprice()
	}
	if s.faulty = s.draw.IntN(5) == 0; s.faulty {
		s.fault()
	}
	var all sync.WaitGroup
	for _, a := range s.actors {
		all.Go(a.act)
	}
	all.Wait()
	if s.t.Failed() { // in the goroutine of a client
		s.t.FailNow()
	}
	if s.faulty {
		s.pass(2 * time.Minute)
		require.NoError(s.t, s.server.Engine.World.Calm(s.t.Context()))
		s.returned = s.now().Add(5 * time.Minute)
	}
	s.pass([]time.Duration{10 * time.Second, 10 * time.Second, 10 * time.Second, time.Minute, 16 * time.Minute, 3 * time.Hour, 25 * time.Hour}[s.draw.IntN(7)])
}

// pass lets time pass, for the engine and for the oracle.
func (s *story) pass(by time.Duration) {
	s.server.Advance(by)
	now := s.now()
	for _, a := range s.actors {
		for _, o := range a.orders {
			o.passes(now)
		}
		for _, c := range a.accounts {
			c.passes(now)
		}
	}
}

// stop lets all come to rest: every order ends.
func (s *story) stop() {
	require.NoError(s.t, s.server.Engine.World.Calm(s.t.Context()))
	s.pass(26 * time.Hour)
	s.pass(time.Minute)
}

// fault makes a few of the next calls to the outside world go wrong.
func (s *story) fault() {
	kinds := []string{
		"chain unavailable", "chain answer_lost", "chain submission_lost", "chain landed_late", "chain lagging", "chain duplicate",
		"bank unavailable", "bank answer_lost", "bank duplicate", "bank withheld", "rates unavailable",
	}
	target, kind, _ := strings.Cut(kinds[s.draw.IntN(len(kinds))], " ")
	s.c.Post("/v1/test_helpers/faults", apitest.Object{"target": target, "kind": kind, "count": 1 + s.draw.IntN(3)}).OK()
}

// now is the sandbox's time.
func (s *story) now() time.Time { return s.server.Engine.World.Clock().Now() }

// same requires two things to be equal, and else prints what was done to the order.
func (s *story) same(o *order, want, got any, format string, about ...any) {
	s.t.Helper()
	if assert.ObjectsAreEqual(want, got) {
		return
	}
	for _, a := range s.actors {
		for _, line := range a.did {
			if strings.Contains(line, o.trxID+" ") {
				s.t.Log(line)
			}
		}
	}
	require.Equal(s.t, want, got, "%s: %s", o.trxID, fmt.Sprintf(format, about...))
}

// clean requires the engine's own comparison of books, bank and chain to find nothing.
func (s *story) clean() {
	audit := s.c.Get("/v1/test_helpers/audit").OK()
	require.Equal(s.t, true, audit.At("data.clean"), "%s", audit.Raw)
}
