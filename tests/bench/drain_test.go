package bench_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

const (
	// backlog is how many events wait, and meanwhile how many come while these are sent.
	backlog, meanwhile = 10_000, 1_000
	// answerTime is how long their receiver takes for each.
	answerTime = 5 * time.Millisecond
)

// BenchmarkDrain sends a backlog to a receiver that takes a while for each event, with
// further events that are made meanwhile. Its yardstick sends as many signed requests to
// such a receiver, as many at a time as an endpoint gets. max-silence-ms is the longest time
// in which nothing arrived.
func BenchmarkDrain(b *testing.B) { setup(b, 0).benchmarkDrain(b) }

func (r *rig) benchmarkDrain(b *testing.B) {
	b.Run("backlog", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			r.drain(b)
		}
	})
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			web := newSlowReceiver(b)
			b.StartTimer()
			postBare(b, web.URL, backlog+meanwhile)
		}
	})
}

// drain times the delivery of a backlog, and of what comes meanwhile.
func (r *rig) drain(b *testing.B) {
	web := newSlowReceiver(b)
	scope := r.tenant(b, web.URL)
	r.tell(b, scope, backlog)
	b.StartTimer()
	web.last = time.Now()
	stop := r.deliver(b)
	for range 20 {
		r.tell(b, scope, meanwhile/20)
		time.Sleep(100 * time.Millisecond)
	}
	<-web.all
	b.StopTimer()
	stop()
	b.ReportMetric(float64(web.silence.Milliseconds()), "max-silence-ms")
	b.StartTimer()
}

// slowReceiver takes a while for each request.
type slowReceiver struct {
	*httptest.Server
	all chan struct{} // closed when the backlog has come, and what was made meanwhile

	mu      sync.Mutex
	came    int
	last    time.Time
	silence time.Duration // the longest
}

func newSlowReceiver(b *testing.B) *slowReceiver {
	r := &slowReceiver{all: make(chan struct{}), last: time.Now()}
	r.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		_, _ = io.Copy(io.Discard, request.Body)
		time.Sleep(answerTime)
		r.note()
	}))
	b.Cleanup(r.Close)
	return r
}

// note notes an arrival.
func (r *slowReceiver) note() {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	r.silence, r.last = max(r.silence, now.Sub(r.last)), now
	if r.came++; r.came == backlog+meanwhile {
		close(r.all)
	}
}
