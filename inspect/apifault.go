package inspect

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/traffic"
	"github.com/ferrypay/ferry/internal/worker"
)

// APIFault makes calls of the API go wrong, so that a program can try its retries.
type APIFault struct {
	// Path is that of the calls, or what they begin with.
	Path string `json:"path"`
	Kind string `json:"kind"`
	// Left is how many calls it still strikes, Struck how many it has struck.
	Left   int `json:"left"`
	Struck int `json:"struck"`
}

// apiKind is a way in which the API can fail.
type apiKind struct{ Kind, Description string }

// apiKinds are all of them.
var apiKinds = []apiKind{
	{"429", "The call has no effect and is answered 429, with Retry-After"},
	{"500", "The call has no effect and is answered 500"},
	{"503", "The call has no effect and is answered 503, with Retry-After"},
	{"answer_lost", "The call takes effect, and the connection ends before the answer"},
	{"slow", "The answer takes 3 seconds"},
}

// slowness is how long a slow answer takes.
const slowness = 3 * time.Second

const (
	// maxAPIFault is how often a fault strikes at most.
	maxAPIFault = 1000
	// maxAPIFaults is how many there are at most, the newest ones.
	maxAPIFaults = 100
)

// apiFaults are those that were armed since the last reset of the sandbox. They are safe for
// concurrent use.
type apiFaults struct {
	mu   sync.Mutex
	list []APIFault
	// resets counts the resets of the sandbox, and known is how many there were when the list was read.
	resets func() uint64
	known  uint64
}

// lock locks the list, which a reset empties.
func (a *apiFaults) lock() {
	a.mu.Lock()
	if now := a.resets(); now != a.known {
		a.known, a.list = now, nil
	}
}

// arm makes the next calls of a path go wrong, in place of what was armed for it in that way.
func (a *apiFaults) arm(f APIFault) {
	a.lock()
	defer a.mu.Unlock()
	a.list = slices.DeleteFunc(a.list, func(old APIFault) bool { return old.Path == f.Path && old.Kind == f.Kind })
	a.list = append(a.list, f)
	a.list = a.list[max(0, len(a.list)-maxAPIFaults):]
}

// all are those that were armed, also when they strike no more.
func (a *apiFaults) all() []APIFault {
	a.lock()
	defer a.mu.Unlock()
	return slices.Clone(a.list)
}

// strike uses up one call of the first fault that a path has, and returns its kind, or nothing.
func (a *apiFaults) strike(path string) string {
	a.lock()
	defer a.mu.Unlock()
	for n := range a.list {
		if f := &a.list[n]; f.Left > 0 && strings.HasPrefix(path, f.Path) {
			f.Left--
			f.Struck++
			return f.Kind
		}
	}
	return ""
}

// refusalIDs make ids of requests.
var refusalIDs = ferry.NewIDs(rand.Reader)

// around strikes calls of next.
func (a *apiFaults) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch kind := a.strike(r.URL.Path); kind {
		case "":
			next.ServeHTTP(w, r)
		case "slow":
			worker.Pause(r.Context(), slowness)
			next.ServeHTTP(w, r)
		case "answer_lost":
			// The client is gone from here on, but the call goes on as it would.
			next.ServeHTTP(&memory{header: http.Header{}}, r.WithContext(context.WithoutCancel(r.Context())))
			panic(http.ErrAbortHandler)
		default:
			traffic.Identified(refusalIDs, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { refuse(w, r, kind) })).ServeHTTP(w, r)
		}
	})
}

// codes are the codes of the API for statuses.
var codes = map[int]string{429: "rate_limit_exceeded", 500: "internal_error", 503: "provider_unavailable"}

// refuse answers with a status as the API does.
func refuse(w http.ResponseWriter, r *http.Request, kind string) {
	id := w.Header().Get(traffic.RequestIDHeader)
	_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, maxForm))
	status, _ := strconv.Atoi(kind) // one of apiKinds
	message := "A fault that the inspector armed"
	answer := body{
		"success": false, "status": "error", "status_code": status, "message": message, "errors": body{}, "request_id": id,
		"error": body{"code": codes[status], "message": message, "details": []string{}},
	}
	if status != http.StatusInternalServerError {
		answer["retry_after"] = 1
		w.Header().Set("Retry-After", "1")
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer) // the client may be gone
}

// armAPI arms a fault of a form.
func (i *Inspector) armAPI(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	f := APIFault{Path: strings.TrimSpace(r.FormValue("path")), Kind: r.FormValue("kind")}
	count, err := strconv.Atoi(cmp.Or(r.FormValue("count"), "1"))
	f.Left = count
	switch {
	case !strings.HasPrefix(f.Path, "/v1/") || len(f.Path) > keptText:
		i.sorry(w, r, problem{http.StatusBadRequest, "path: must begin with /v1/, and be shorter than " + strconv.Itoa(keptText+1) + " bytes"})
		return
	case !slices.ContainsFunc(apiKinds, func(k apiKind) bool { return k.Kind == f.Kind }):
		i.sorry(w, r, problem{http.StatusBadRequest, "kind: must be one that the page of faults lists"})
		return
	case err != nil || count < 0 || count > maxAPIFault:
		i.sorry(w, r, problem{http.StatusBadRequest, "count: must be 0 to " + strconv.Itoa(maxAPIFault)})
		return
	}
	i.refusals.arm(f)
	http.Redirect(w, r, i.config.Prefix+"faults", http.StatusSeeOther)
}
