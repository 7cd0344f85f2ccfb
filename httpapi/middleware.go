package httpapi

import (
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/internal/traffic"
)

func requestIDOf(w http.ResponseWriter) string { return w.Header().Get(traffic.RequestIDHeader) }

// The values of headers that every answer has. All answers share them.
var (
	noStore = []string{"no-store"}
	noSniff = []string{"nosniff"}
	inJSON  = []string{"application/json; charset=utf-8"}
)

// private keeps answers out of caches and away from guesses about their type.
func private(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h["Cache-Control"], h["X-Content-Type-Options"] = noStore, noSniff
		next.ServeHTTP(w, r)
	})
}

// anywhere is the pattern of what no route serves.
const anywhere = "/"

// routed serves known routes, and answers in the envelope where the mux would
// answer in plain text or redirect.
func (a *api) routed(router *router) http.Handler {
	router.mux.HandleFunc(anywhere, func(w http.ResponseWriter, r *http.Request) {
		r.Pattern = "" // for logs and metrics no route was found
		if allowed := a.allowed(router, r); len(allowed) > 0 {
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			send(w, renderError(requestIDOf(w), errMethod))
			return
		}
		send(w, renderError(requestIDOf(w), errNotFound))
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isClean(r.URL.Path) || r.RequestURI == "*" {
			send(w, renderError(requestIDOf(w), errNotFound))
			return
		}
		router.ServeHTTP(w, r)
	})
}

// isClean reports whether a path is in the form that path.Clean gives it. Most are, as one sees
// without making it.
func isClean(of string) bool {
	if of != "" && of[0] == '/' && of[len(of)-1] != '/' && !strings.Contains(of, "//") && !strings.Contains(of, "/.") {
		return true
	}
	return path.Clean(of) == of
}

// allowed is the methods that the path of a request has.
func (a *api) allowed(router *router, r *http.Request) []string {
	return slices.DeleteFunc(slices.Clone(a.methods), func(method string) bool {
		other := r.Clone(r.Context())
		other.Method = method
		return router.pattern(other) == anywhere
	})
}
