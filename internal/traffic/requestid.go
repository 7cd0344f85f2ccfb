package traffic

import (
	"net/http"
	"regexp"
	"time"

	"github.com/ferrypay/ferry"
)

// RequestIDHeader has the id of a request and of its answer.
const RequestIDHeader = "X-Request-Id"

// saneID is what is echoed of a caller's own request id.
var saneID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// ChosenID is the id that a caller gave a request, or empty when it is not sane.
func ChosenID(r *http.Request) string {
	if id := r.Header.Get(RequestIDHeader); id != "" && saneID.MatchString(id) {
		return id
	}
	return ""
}

// Identified gives every answer of next a request id: the caller's when it is sane,
// else a fresh one.
func Identified(ids *ferry.IDs, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := ChosenID(r)
		if id == "" {
			id = ids.NewID("req_", time.Now())
		}
		w.Header().Set(RequestIDHeader, id)
		next.ServeHTTP(w, r)
	})
}
