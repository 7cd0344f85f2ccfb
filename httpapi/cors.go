package httpapi

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/internal/text"
)

const (
	corsHeaders = "Content-Type, Idempotency-Key, X-Api-Variant, X-Request-Id"
	corsExposed = "Idempotency-Replayed, Retry-After, X-Request-Id"
	corsMaxAge  = "600"
)

// Origin is the origin of web pages as browsers send it: https://shop.example.com.
type Origin string

// ParseOrigin reads an origin: scheme, host, and a port unless it is that of the scheme. The
// scheme is https; a host that is this machine may have http.
func ParseOrigin(given string) (Origin, error) {
	if problem := text.Origin(given); problem != "" {
		return "", fmt.Errorf("%q is no origin: %s", given, strings.ToLower(problem[:1])+problem[1:])
	}
	return Origin(given), nil
}

// crossOrigin lets pages of other origins call: in a sandbox all of them and every
// route, so that examples opened from disk work, else those of configured origins and
// only the routes in browsers, which a secret key is not needed for. The routes in visited check
// the origin themselves, by the widget, and let browsers show every page what they answer.
func (a *api) crossOrigin(router *router, browsers, visited []string, next http.Handler) http.Handler {
	if a.sandbox() {
		every := grant{"*", strings.Join(a.methods, ", "), "Authorization, " + corsHeaders}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Origin") != "" {
				every.to(w, r, next)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked := askedBy(r)
		pattern := router.pattern(asked)
		visits := slices.Contains(visited, pattern)
		if !visits && !slices.Contains(browsers, pattern) || path.Clean(r.URL.Path) != r.URL.Path {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Add("Vary", "Origin")
		origin := r.Header.Get("Origin")
		if visits && origin != "" {
			grant{origin, asked.Method, "Authorization, " + corsHeaders}.to(w, r, next)
			return
		}
		if slices.Contains(a.config.Origins, Origin(origin)) {
			grant{origin, asked.Method, corsHeaders}.to(w, r, next)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// askedBy is the request that a preflight asks about, or the request itself.
func askedBy(r *http.Request) *http.Request {
	if !isPreflight(r) {
		return r
	}
	asked := r.Clone(r.Context())
	asked.Method = r.Header.Get("Access-Control-Request-Method")
	return asked
}

func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

// grant is what pages of an origin may do, for a browser. It never includes cookies.
type grant struct{ origin, methods, headers string }

// to grants a request, and answers it when it is a preflight.
func (g grant) to(w http.ResponseWriter, r *http.Request, next http.Handler) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", g.origin)
	h.Set("Access-Control-Expose-Headers", corsExposed)
	if !isPreflight(r) {
		next.ServeHTTP(w, r)
		return
	}
	h.Set("Access-Control-Allow-Methods", g.methods)
	h.Set("Access-Control-Allow-Headers", g.headers)
	h.Set("Access-Control-Max-Age", corsMaxAge)
	w.WriteHeader(http.StatusNoContent)
}
