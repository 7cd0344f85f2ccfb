//go:build postgres && unix

package crash_test

import (
	"cmp"
	"context"
	"flag"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/postgres"
)

var pauses = flag.Duration("pauses", 16*time.Second, "how long two servers work beside each other while one is paused every 20 seconds")

const pauseEvery = 20 * time.Second

// Of two servers on one database, under many clients, one is stopped for twice
// its lease, again and again. The other takes over what it was working on, and
// when it goes on, it does none of that again.
func TestWhatWasAcknowledgedSurvivesPausesOfAServer(t *testing.T) {
	cluster := pgtest.NewCluster(t, pgtest.Options{Durable: true})
	p := &pair{run: newRun(t, shared{cluster.URL(t)})}
	p.listen()
	for range 2 {
		s := start(t, p.subject.store(), p.log, death{})
		require.NotNil(t, s)
		p.greet(s)
		p.servers = append(p.servers, s)
	}
	p.between(p.pauseInTurn)
	p.check(true)
	p.checkDeliveries()
	p.checkChain()
	p.checkTakeovers()
	require.False(t, t.Failed(), "seed %d", *seed)
	require.Empty(t, complaints(t, p.log.Name(), true))
	t.Log(p.summary())
}

// shared is a database that several servers use.
type shared struct{ url string }

func (s shared) store() string         { return s.url }
func (s shared) fails() bool           { return true }
func (s shared) accidents() []accident { return nil }

// pair is a run with two servers.
type pair struct {
	*run
	servers   []*server
	stops     []time.Time
	takeovers []takeover

	deliveries sync.Mutex
	delivered  []delivery
}

// delivery is one POST that the receiver got.
type delivery struct {
	id         string
	at, signed time.Time
}

// listen puts a receiver before the inbox that takes a little time and notes when
// a POST came, and when it was signed.
func (p *pair) listen() {
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := time.Now()
		seconds, err := strconv.ParseInt(r.Header.Get("Webhook-Timestamp"), 10, 64)
		assert.NoError(p.t, err)
		time.Sleep(50 * time.Millisecond)
		answer := httptest.NewRecorder()
		p.inbox.ServeHTTP(answer, r)
		p.deliveries.Lock()
		p.delivered = append(p.delivered, delivery{r.Header.Get("Webhook-Id"), at, time.Unix(seconds, 0)})
		p.deliveries.Unlock()
		w.WriteHeader(answer.Code)
	}))
	p.t.Cleanup(hook.Close)
	p.hook = hook.URL
}

// pauseInTurn lets clients talk to both servers, and stops one after the other.
func (p *pair) pauseInTurn() {
	cycles := max(1, int((*pauses+pauseEvery-1)/pauseEvery))
	rest := *pauses/time.Duration(cycles) - 2*lease
	for i := range cycles {
		p.spoil()
		p.mix(rest/2, p.servers...)
		p.pause(p.servers[i%2], p.servers[(i+1)%2])
		p.mix(rest/2, p.servers...)
	}
}

// spoil makes the chain drop what is signed next, and outlive it.
func (p *pair) spoil() {
	for kind, count := range map[string]int{"dead_blockhash": 3, "height_jump": 2} {
		_, err := p.must(p.servers[0], http.MethodPost, "/v1/test_helpers/faults", object{"target": "chain", "kind": kind, "count": count})
		assert.NoError(p.t, err)
	}
}

// mix makes clients talk to the servers in turn, for a time.
func (p *pair) mix(d time.Duration, servers ...*server) {
	for end, i := time.Now().Add(d), 0; time.Now().Before(end); i++ {
		p.open(servers[i%len(servers)])
		time.Sleep(2 * time.Millisecond)
	}
}

// pause stops a server for twice its lease while clients talk to the other one,
// and watches what becomes of its work.
func (p *pair) pause(stopped, other *server) {
	conn, err := pgx.Connect(p.t.Context(), p.subject.store())
	require.NoError(p.t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	began := p.stopAtWork(conn, stopped)
	p.open(other)
	p.takeovers = append(p.takeovers, p.watch(conn, began))
	time.Sleep(time.Until(began.Add(2 * lease)))
	require.NoError(p.t, stopped.cmd.Process.Signal(syscall.SIGCONT))
}

// stopAtWork stops a server that holds a claim: one that stays when it stands
// still. It may take several stops until one meets it at work.
func (p *pair) stopAtWork(conn *pgx.Conn, s *server) (began time.Time) {
	for range 20 {
		for i := 0; len(p.held(conn)) == 0 && i < 200; i++ {
			time.Sleep(5 * time.Millisecond)
		}
		require.NoError(p.t, s.cmd.Process.Signal(syscall.SIGSTOP))
		began = time.Now()
		p.stops = append(p.stops, began)
		first := p.held(conn)
		time.Sleep(lease / 4)
		for c := range p.held(conn) {
			if first[c] {
				return began
			}
		}
		require.NoError(p.t, s.cmd.Process.Signal(syscall.SIGCONT))
		p.mix(100*time.Millisecond, p.servers...)
	}
	p.t.Error("the server never held anything when it was stopped")
	return began
}

// takeover is what became of the claims that were held when a server was stopped.
type takeover struct {
	// stale is how many were held for so long that it was by that server; first
	// and last is how long after the stop another one had taken them.
	stale       int
	first, last time.Duration
	// left is how many still waited after two leases, behind others.
	left int
}

type claim struct {
	Queue, Key string
	Fence      int64
}

// watch waits until all claims that are held now have ended or are another's, at
// most for two leases.
func (p *pair) watch(conn *pgx.Conn, began time.Time) (seen takeover) {
	held := p.held(conn)
	for len(held) > 0 && time.Since(began) < 2*lease {
		now := p.held(conn)
		for c := range held {
			if now[c] {
				continue
			}
			delete(held, c)
			if after := time.Since(began); after > lease/2 {
				seen.stale++
				seen.first, seen.last = cmp.Or(seen.first, after), after
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	seen.left = len(held)
	return seen
}

// held reads the claims that have not ended.
func (p *pair) held(conn *pgx.Conn) map[claim]bool {
	rows, err := conn.Query(p.t.Context(), "SELECT queue, key, fence FROM due_work WHERE fence > 0")
	require.NoError(p.t, err)
	claims, err := pgx.CollectRows(rows, pgx.RowToStructByPos[claim])
	require.NoError(p.t, err)
	held := map[claim]bool{}
	for _, c := range claims {
		held[c] = true
	}
	return held
}

func (p *pair) checkTakeovers() {
	for i, seen := range p.takeovers {
		p.t.Logf("stop %d: %d claims of the stopped server were taken over, the first after %s and the last after %s; %d were still in line",
			i+1, seen.stale, seen.first.Round(time.Millisecond), seen.last.Round(time.Millisecond), seen.left)
		assert.Positive(p.t, seen.stale, "after two leases nothing was taken over")
	}
}

// checkDeliveries finds no POST that a server sent after its lease, and none twice
// but those that were under way at a stop, or whose answer came too late: these
// are in the log of attempts.
func (p *pair) checkDeliveries() {
	attempts := p.attempts()
	p.deliveries.Lock()
	defer p.deliveries.Unlock()
	count, unrecorded := map[string]int{}, 0
	for _, d := range p.delivered {
		count[d.id]++
		assert.Less(p.t, d.at.Sub(d.signed), lease+time.Second, "event %s was sent by who had lost it", d.id)
	}
	for id, n := range count {
		if extra := n - attempts[id]; extra > 0 {
			unrecorded += extra
			assert.True(p.t, p.atAStop(id), "event %s came %d times for %d attempts, and not because of a stop", id, n, attempts[id])
		}
	}
	p.t.Logf("%d deliveries of %d events; %d were under way at one of %d stops, and repeated", len(p.delivered), len(count), unrecorded, len(p.stops))
	assert.LessOrEqual(p.t, unrecorded, 8*len(p.stops), "a server has 8 under way for an endpoint")
}

// atAStop reports whether an event was delivered when a server was stopped.
func (p *pair) atAStop(id string) bool {
	for _, d := range p.delivered {
		for _, stop := range p.stops {
			if d.id == id && d.at.After(stop.Add(-lease/6-time.Second)) && d.at.Before(stop.Add(time.Second)) {
				return true
			}
		}
	}
	return false
}

// attempts reads how many attempts of each event are in the log.
func (p *pair) attempts() map[string]int {
	conn, err := pgx.Connect(p.t.Context(), p.subject.store())
	require.NoError(p.t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	rows, err := conn.Query(p.t.Context(), "SELECT event, count(*) FROM webhook_attempts GROUP BY event")
	require.NoError(p.t, err)
	counts := map[string]int{}
	var id string
	var n int
	_, err = pgx.ForEachRow(rows, []any{&id, &n}, func() error { counts[id] = n; return nil })
	require.NoError(p.t, err)
	return counts
}

// attempt is one set of bytes that was signed for a transfer.
type attempt struct {
	Transfer, Signature, State string
	LastValid                  int64
}

// checkChain holds what the chain has recorded against the attempts: none is paid
// twice, and none was signed while the one before could land.
func (p *pair) checkChain() {
	conn, err := pgx.Connect(p.t.Context(), p.subject.store())
	require.NoError(p.t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	rows, err := conn.Query(p.t.Context(), "SELECT transfer, signature, state, last_valid_height FROM transfer_attempts ORDER BY transfer, number")
	require.NoError(p.t, err)
	attempts, err := pgx.CollectRows(rows, pgx.RowToStructByPos[attempt])
	require.NoError(p.t, err)
	paid := p.paid()
	landed, again := map[string]string{}, 0
	for i, a := range attempts {
		if paid[a.Signature] {
			assert.Empty(p.t, landed[a.Transfer], "%s was paid twice", a.Transfer)
			landed[a.Transfer] = a.Signature
			assert.Equal(p.t, "landed", a.State, a.Signature)
			delete(paid, a.Signature)
		} else {
			assert.NotEqual(p.t, "landed", a.State, a.Signature)
		}
		assert.NotEqual(p.t, "live", a.State, a.Signature)
		if i > 0 && attempts[i-1].Transfer == a.Transfer {
			again++
			assert.Greater(p.t, a.LastValid-sandbox.BlockhashLife, attempts[i-1].LastValid, "%s was signed while %s could land", a.Signature, attempts[i-1].Signature)
		}
	}
	assert.Empty(p.t, paid, "the chain was paid for what nobody signed")
	p.t.Logf("%d transfers were paid, each once; %d attempts, %d of them after one that could not land any more", len(landed), len(attempts), again)
}

// paid are the signatures of what has landed and moved money.
func (p *pair) paid() map[string]bool {
	s, err := postgres.Open(p.t.Context(), p.subject.store())
	require.NoError(p.t, err)
	defer func() { assert.NoError(p.t, s.Close(context.Background())) }()
	world := sandbox.New(sandbox.Config{Store: s.World()})
	paid, after := map[string]bool{}, chain.Cursor("")
	for {
		page, err := world.Chain().Sent(p.t.Context(), after, 100)
		require.NoError(p.t, err)
		for _, payment := range page {
			if payment.Err == "" {
				paid[string(payment.Signature)] = true
			}
			after = payment.Cursor
		}
		if len(page) < 100 {
			return paid
		}
	}
}
