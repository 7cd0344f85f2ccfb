package inspect

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/worker"
)

// Recorder sees the requests to a sandbox and its webhooks, and keeps the newest ones. It is safe
// for concurrent use.
type Recorder struct {
	journal    *journal
	requests   exchanges
	deliveries exchanges
	refusals   apiFaults
	turns      turns
	// committed wakes the inspector when something may have been committed.
	committed worker.Nudge
	clock     ferry.Clock
	// catchUp writes the lines of what was committed so far, so that they stand before the next line.
	catchUp func(context.Context) error
}

// NewRecorder returns a recorder that has seen nothing. Until New gets it, its lines have the time of
// the machine.
func NewRecorder() *Recorder {
	return &Recorder{
		journal: newJournal(), clock: ferry.SystemClock{}, refusals: apiFaults{resets: none},
		catchUp: func(context.Context) error { return nil }, turns: turns{resets: none, restores: none},
	}
}

// none is the number of resets while there is no sandbox yet.
func none() uint64 { return 0 }

// Requests returns a handler that records what next answers at /v1, and the pages that payers open.
func (r *Recorder) Requests(next http.Handler) http.Handler {
	struck := r.refusals.around(next)
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		switch own := request.Context().Value(seqKey{}) != nil; {
		case strings.HasPrefix(request.URL.Path, "/v1/") && own:
			r.record(next, w, request)
		case strings.HasPrefix(request.URL.Path, "/v1/"):
			r.record(struck, w, request)
		case isPage(request):
			seq := r.reserve()
			answer := &listener{ResponseWriter: w}
			next.ServeHTTP(answer, request)
			r.journal.tell(Line{Seq: seq, Kind: Page, At: r.clock.Now(), Title: "a payer opened " + request.URL.Path, Status: answer.bad(), Thing: pageThing(request.URL.Path)})
			r.committed.Wake()
		default:
			next.ServeHTTP(w, request)
		}
	})
}

// isPage reports whether a request opens a page for payers.
func isPage(r *http.Request) bool {
	return r.Method == http.MethodGet && (strings.HasPrefix(r.URL.Path, "/checkout/") || strings.HasPrefix(r.URL.Path, "/pay/")) &&
		!strings.HasSuffix(r.URL.Path, "/status")
}

// pageThing is the session whose page has a path, or nothing.
func pageThing(path string) string {
	rest, found := strings.CutPrefix(path, "/checkout/")
	if !found {
		return ""
	}
	session, _, _ := strings.Cut(rest, "/")
	return session
}

// seqKey is the key of a *int64 in a context that gets the Seq of the request.
type seqKey struct{}

// record answers a request of the API and keeps it.
func (r *Recorder) record(next http.Handler, w http.ResponseWriter, request *http.Request) {
	e := Exchange{
		Seq: r.reserve(), At: r.clock.Now(), Method: request.Method, URL: cut(mask(maskQuery(request.URL)), keptURL),
		IdempotencyKey: cut(request.Header.Get("Idempotency-Key"), keptKey),
	}
	if raw := request.URL.RequestURI(); len(raw) <= keptURL {
		e.rawURL = raw
	}
	if _, key, found := strings.Cut(request.Header.Get("Authorization"), " "); found {
		e.Key = key[max(0, len(key)-4):]
	}
	if seq, asked := request.Context().Value(seqKey{}).(*int64); asked {
		*seq = e.Seq
	}
	if request.Body != nil {
		request.Body = teeBody{request.Body, &e.sent}
	}
	answer, began := &listener{ResponseWriter: w}, time.Now()
	defer func() {
		e.Took = time.Since(began)
		e.answer = answer.body
		e.Status, e.RequestID = answer.status, w.Header().Get("X-Request-Id")
		e.Replayed = w.Header().Get("Idempotency-Replayed") != ""
		r.requests.add(e)
		r.journal.tell(lineOfRequest(e))
		r.committed.Wake()
	}()
	next.ServeHTTP(answer, request)
}
