package webhook_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/memstore"
)

// answering is a network that answers with a status.
type answering func(*http.Request) int

func (a answering) RoundTrip(request *http.Request) (*http.Response, error) {
	status := a(request)
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader("")), Request: request}, nil
}

// answer lets a network answer for all receivers.
func (r *running) answer(a answering) {
	r.config.Around = func(ferry.Env, http.RoundTripper) http.RoundTripper { return a }
}

func TestAFailureNowAndThenLetsTheTurnsThatWaitBeSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const streams = 5000
		var counts counts
		r := runIn(t, 0, watched{distant{memstore.New(), 5 * time.Millisecond}, &counts}, 0)
		var sent, last atomic.Int64
		begin := time.Now()
		r.answer(func(*http.Request) int {
			time.Sleep(2 * time.Millisecond)
			n := sent.Add(1)
			if n == streams {
				last.Store(int64(time.Since(begin)))
			}
			if n%20 == 0 {
				return http.StatusInternalServerError
			}
			return http.StatusOK
		})
		r.backlogs(owner, numbered("s", streams), 1)
		r.serve()
		time.Sleep(time.Minute)
		require.Greater(t, sent.Load(), int64(streams))
		require.Less(t, counts.taken.Load(), sent.Load()*11/10, "few claims are given back")
		require.Less(t, time.Duration(last.Load()), 2*time.Second)
	})
}

// The busy receiver answers its one worker in 20 ms, so a turn is claimed ahead. Then one answer takes a second,
// and what waits is given back.
func TestAProbeThatIsGivenBackIsMadeSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failing, busy := ferry.Scope{Business: "biz_failing", Env: ferry.Test}, ferry.Scope{Business: "biz_busy", Env: ferry.Test}
		const failingURL = "https://failing.example.com/"
		r := runIn(t, 0, memstore.New(), 0)
		r.config.Workers = 1
		var well, slow atomic.Bool
		var failures, probed, due atomic.Int64
		r.answer(func(request *http.Request) int {
			switch {
			case request.URL.String() != failingURL:
				time.Sleep(20 * time.Millisecond)
				e, err := r.Endpoint(request.Context(), failing)
				if first := due.Load(); first > 0 && err == nil && e.ProbeAt.UnixNano() != first && slow.CompareAndSwap(false, true) {
					time.Sleep(time.Second) // the first answer after the probe was claimed
				}
			case !well.Load():
				failures.Add(1)
				return http.StatusInternalServerError
			default:
				probed.CompareAndSwap(0, time.Now().UnixNano())
			}
			return http.StatusOK
		})
		r.endpoint(failing, failingURL)
		r.endpoint(busy, "https://busy.example.com/")
		r.serve()
		for i := range 3 {
			r.backlog(failing, fmt.Sprint("p", i), 1)
		}
		time.Sleep(time.Second)
		require.EqualValues(t, 3, failures.Load())
		e, err := r.Endpoint(t.Context(), failing)
		require.NoError(t, err)

		well.Store(true)
		r.backlog(failing, "fresh", 1)
		due.Store(e.ProbeAt.UnixNano())
		time.Sleep(time.Until(e.ProbeAt) - time.Second)
		r.backlogs(busy, numbered("s", 500), 1)
		time.Sleep(20 * time.Minute)
		require.True(t, slow.Load())
		require.NotZero(t, probed.Load())
		require.Less(t, time.Unix(0, probed.Load()).Sub(e.ProbeAt), time.Minute)
	})
}

func TestWhatFailsAtAFormerURLGoesToTheNewOneAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const fresh = "https://new.example.com/"
		r := runIn(t, 0, memstore.New(), 0)
		var old, came atomic.Int64
		r.answer(func(request *http.Request) int {
			if request.URL.String() == fresh {
				came.Add(1)
				return http.StatusOK
			}
			old.Add(1)
			<-request.Context().Done()
			return 0
		})
		r.endpoint(owner, hung)
		r.backlogs(owner, []string{"a", "b", "c"}, 1)
		r.serve()
		for old.Load() < 4 { // the fourth is a probe
			time.Sleep(100 * time.Millisecond)
		}
		r.setURL(owner, fresh)
		time.Sleep(15 * time.Second) // the probe at the former URL has no answer within ten
		require.EqualValues(t, 3, came.Load())
	})
}

func TestAfterGoneNothingMoreIsSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const streams, atOnce = 1000, 16
		r := runIn(t, 0, memstore.New(), 0)
		r.config.PerEndpoint = atOnce
		var sent atomic.Int64
		r.answer(func(*http.Request) int {
			time.Sleep(2 * time.Millisecond)
			if sent.Add(1) == streams/2 {
				return http.StatusGone
			}
			return http.StatusOK
		})
		r.backlogs(owner, numbered("s", streams), 1)
		r.serve()
		time.Sleep(time.Minute)
		require.LessOrEqual(t, sent.Load(), int64(streams/2+atOnce), "those that were under way end")
	})
}
