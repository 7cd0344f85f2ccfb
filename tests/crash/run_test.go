package crash_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/failpoint"
)

// subject is a kind of store that a server is killed on.
type subject interface {
	// store is what the server is told to keep its data in.
	store() string
	// fails says that accidents leave a server alive that has to answer 500.
	fails() bool
	// accidents are what happens to servers on this store. The first is for a
	// store without tables.
	accidents() []accident
}

// accident is a way in which a server, or what it stands on, dies.
type accident struct {
	name   string
	happen func(*run)
}

// manyClients is how many use a server at once.
const manyClients = 32

// run is the life of one store under many servers that die.
type run struct {
	t       *testing.T
	subject subject
	random  *rand.Rand
	log     *os.File
	inbox   *inbox
	web     *http.Client
	hook    string // where the inbox listens
	first   *server
	clients []*client
	counts  map[string]int // of accidents
	checked int

	mu        sync.Mutex
	changed   *sync.Cond
	server    *server // the one to talk to, or nil
	rests     bool
	addresses []*address
}

// newRun starts the first server on a store and makes the clients.
func newRun(t *testing.T, on subject) *run {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), "server.log"))
	require.NoError(t, err)
	r := &run{
		t: t, subject: on, log: log, random: rand.New(rand.NewPCG(*seed, 1)), inbox: newInbox(*seed),
		web:    &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2 * manyClients}},
		counts: map[string]int{},
	}
	r.changed = sync.NewCond(&r.mu)
	hook := httptest.NewServer(r.inbox)
	t.Cleanup(hook.Close)
	r.hook = hook.URL
	for i := range manyClients {
		r.clients = append(r.clients, &client{run: r, number: i, random: rand.New(rand.NewPCG(*seed, uint64(2+i)))})
	}
	return r
}

// start makes sure that a server runs which nothing kills.
func (r *run) start() {
	r.t.Helper()
	for range 3 {
		if r.up() != nil {
			return
		}
		r.greet(start(r.t, r.subject.store(), r.log, death{}))
	}
	require.NotNil(r.t, r.up(), "the server does not start")
}

// greet opens a server to the clients. It must be the one that they know.
func (r *run) greet(s *server) {
	r.t.Helper()
	if s == nil {
		return // it died before it was ready
	}
	if r.first == nil {
		if _, err := r.must(s, http.MethodPost, "/v1/webhook/config", object{"url": r.hook}); err != nil {
			s.kill(r.t) // it was about to die
			return
		}
		r.inbox.trust(s.WebhookSecret)
		r.first = s
	}
	require.Equal(r.t, r.first.SecretKey, s.SecretKey, "another business")
	r.open(s)
	go func() {
		<-s.gone
		r.shut(s)
	}()
}

func (r *run) open(s *server) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.server = s
	r.changed.Broadcast()
}

func (r *run) shut(s *server) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.server == s {
		r.server = nil
	}
}

// up is the server that runs, or nil.
func (r *run) up() *server {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.server
}

// wait returns a server as soon as there is one, or nil at the end of ctx.
func (r *run) wait(ctx context.Context) *server {
	stop := context.AfterFunc(ctx, r.changed.Broadcast)
	defer stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.server == nil && ctx.Err() == nil {
		r.changed.Wait()
	}
	return r.server
}

// kill ends the server that runs, if one does.
func (r *run) kill() {
	if s := r.up(); s != nil {
		s.kill(r.t)
		r.shut(s)
	}
}

// account is the source account of the business.
func (r *run) account() string { return r.first.SourceAccountNumber }

func (r *run) publish(a *address) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.addresses = append(r.addresses, a)
}

// anyAddress draws one of all addresses.
func (r *run) anyAddress(random *rand.Rand) *address {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.addresses[random.IntN(len(r.addresses))]
}

// resting reports whether the clients are to stop after what they do now.
func (r *run) resting() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rests
}

func (r *run) setResting(rests bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rests = rests
}

// must sends a request that has to succeed and returns the answer.
func (r *run) must(s *server, method, path string, body object) (reply, error) {
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	defer cancel()
	answer, err := send(ctx, r.web, s, method, path, "", body)
	if err == nil && !answer.ok() {
		err = fmt.Errorf("%s %s: %d %s", method, path, answer.status, answer.raw)
	}
	return answer, err
}

// between lets the clients work while accidents happen, and then rest at a
// server that lives.
func (r *run) between(accidents func()) {
	r.setResting(false)
	var working sync.WaitGroup
	for _, c := range r.clients {
		working.Go(func() { c.work(r.t.Context()) })
	}
	accidents()
	r.start()
	r.setResting(true)
	working.Wait()
}

// together has all clients do something at once.
func (r *run) together(do func(*client)) {
	var working sync.WaitGroup
	for _, c := range r.clients {
		working.Go(func() { do(c) })
	}
	working.Wait()
}

// some returns a time up to a limit.
func (r *run) some(limit time.Duration) time.Duration {
	return time.Duration(r.random.Int64N(int64(limit)))
}

// The accidents of every store.

// killed is a kill at any moment under load.
func killed(r *run) {
	r.start()
	time.Sleep(r.some(300 * time.Millisecond))
	r.kill()
}

// killedAtStart is a kill before, or soon after, the server is ready.
func killedAtStart(r *run) {
	r.kill()
	s, first := launch(r.t, r.subject.store(), r.log, death{})
	time.Sleep(r.some(60 * time.Millisecond))
	s.kill(r.t)
	<-first
}

// diesAt is a death at a named place, at one of its first visits.
func diesAt(place failpoint.Place, visits int) accident {
	return accident{string(place), func(r *run) {
		r.kill()
		s := start(r.t, r.subject.store(), r.log, death{place, 1 + r.random.IntN(visits)})
		if s == nil {
			return
		}
		r.greet(s)
		select {
		case <-s.gone:
			r.shut(s)
		case <-time.After(2 * time.Minute): // on a machine that does much else
			r.t.Errorf("nothing came to the place %s", place)
		}
	}}
}

// diesInMigrations is a death after each migration of a new store.
func diesInMigrations(r *run) {
	for {
		if s := start(r.t, r.subject.store(), r.log, death{failpoint.InMigration, 2}); s != nil {
			r.greet(s)
			return
		}
	}
}

// accidents has a number of accidents happen: each kind once, then every second
// a kill at any moment and the others at random.
func (r *run) accidents(from, to int) {
	kinds := r.subject.accidents()
	for i := from; i < to; i++ {
		kind := accident{"killed", killed}
		if i < len(kinds) {
			kind = kinds[i]
		} else if i%2 == 0 {
			kind = kinds[1+r.random.IntN(len(kinds)-1)]
		}
		kind.happen(r)
		r.counts[kind.name]++
	}
}

// summary says in a line what happened.
func (r *run) summary() string {
	var kinds []string
	for _, name := range slices.Sorted(maps.Keys(r.counts)) {
		kinds = append(kinds, fmt.Sprintf("%s %d", name, r.counts[name]))
	}
	total := 0
	for _, n := range r.counts {
		total += n
	}
	return fmt.Sprintf("seed %d: %d accidents (%s); %d writes acknowledged, %d checks of all, %d events delivered",
		*seed, total, strings.Join(kinds, ", "), len(r.acknowledged()), r.checked, r.inbox.count())
}
