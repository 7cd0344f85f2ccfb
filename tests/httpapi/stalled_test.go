package httpapi_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// stalled is a body that says much, and then nothing for as long as it likes.
type stalled struct {
	much  int
	taken *atomic.Int64
	end   <-chan struct{}
}

func (s *stalled) Read(p []byte) (int, error) {
	if s.much == 0 {
		<-s.end
		return 0, io.ErrUnexpectedEOF
	}
	n := min(len(p), s.much)
	s.much -= n
	s.taken.Add(int64(n))
	for i := range p[:n] {
		p[i] = ' '
	}
	return n, nil
}

func TestBodiesThatStallBeforeTheirKeyIsKnownHoldLittle(t *testing.T) {
	const (
		callers = 40
		small   = 64 << 10 // of a body that waits for its place
		large   = 200_000  // of one that has a place
		places  = 8
	)
	e := newEdge(t)
	for _, path := range []string{"/v1/checkout", "/v1/payment-links/pay"} {
		var taken, refused atomic.Int64
		var all sync.WaitGroup
		end := make(chan struct{})
		for range callers {
			all.Go(func() {
				r := httptest.NewRequest(http.MethodPost, path, &stalled{large, &taken, end})
				r.ContentLength = 250_000
				r.Header.Set("Content-Type", asJSON)
				w := httptest.NewRecorder()
				e.ServeHTTP(w, r)
				if w.Code == http.StatusTooManyRequests {
					refused.Add(1)
					assert.NotEmpty(t, w.Header().Get("Retry-After"))
				}
			})
		}
		const most = places*large + (callers-places)*small
		assert.Eventually(t, func() bool { return refused.Load() == callers-places && taken.Load() == most }, 10*time.Second, time.Millisecond)
		require.EqualValues(t, callers-places, refused.Load(), path)
		require.EqualValues(t, most, taken.Load(), path)
		elsewhere := httptest.NewRequest(http.MethodPost, path, strings.NewReader(strings.Repeat(" ", 200_000)+`{"public_key":"pk_test_x"}`))
		elsewhere.RemoteAddr = "198.51.100.1:4711"
		elsewhere.Header.Set("Content-Type", asJSON)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, elsewhere)
		require.Equal(t, http.StatusBadRequest, w.Code, "another part of the network has places of its own")
		close(end)
		all.Wait()
	}
}

func TestALargeOrderIsTakenWithThePublicKeyAtItsEnd(t *testing.T) {
	s := apitest.Start(t, apitest.Config{})
	order := func(padding int) string {
		return `{` + strings.Repeat(" ", padding) + `"trx_id":"large","email":"a@example.com","amount":15000,"public_key":"` + s.Tenant.PublicKey + `"}`
	}
	for _, chunked := range []bool{false, true} {
		for range 20 { // a place is given back
			var body io.Reader = strings.NewReader(order(250_000))
			if chunked {
				body = io.MultiReader(body)
			}
			answer, err := http.Post(s.URL+"/v1/checkout", asJSON, body)
			require.NoError(t, err)
			require.Equal(t, http.StatusOK, answer.StatusCode)
			require.NoError(t, answer.Body.Close())
		}
	}
	answer, err := http.Post(s.URL+"/v1/checkout", asJSON, strings.NewReader(order(256<<10)))
	require.NoError(t, err)
	require.Equal(t, http.StatusRequestEntityTooLarge, answer.StatusCode)
	require.NoError(t, answer.Body.Close())
}
