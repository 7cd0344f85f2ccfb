package httpapi

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
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
func ParseOrigin(text string) (Origin, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme+"://"+u.Host != text:
		return "", fmt.Errorf("%q is no origin: scheme, host and port as in https://shop.example.com, and nothing after it", text)
	case strings.ToLower(text) != text || strings.ContainsFunc(u.Hostname(), notInHost):
		return "", fmt.Errorf("%q: a host is in lower case and ASCII, and stands for itself alone", text)
	case u.Scheme != "https" && (u.Scheme != "http" || !local(u.Hostname())):
		return "", fmt.Errorf("%q: the scheme is https, or http on localhost", text)
	case u.Port() == map[string]string{"https": "443", "http": "80"}[u.Scheme] || strings.HasSuffix(u.Host, ":"):
		return "", fmt.Errorf("%q: browsers leave the port of the scheme away", text)
	}
	return Origin(text), nil
}

func notInHost(r rune) bool {
	return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789.-:", r) // a colon is in IPv6
}

func local(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// crossOrigin lets pages of other origins call: in a sandbox all of them and every
// route, so that examples opened from disk work, else those of configured origins and
// only the routes in browsers, which a secret key is not needed for.
func (a *api) crossOrigin(mux *http.ServeMux, browsers []string, next http.Handler) http.Handler {
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
		if _, pattern := mux.Handler(asked); !slices.Contains(browsers, pattern) || path.Clean(r.URL.Path) != r.URL.Path {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Add("Vary", "Origin")
		if origin := r.Header.Get("Origin"); slices.Contains(a.config.Origins, Origin(origin)) {
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
