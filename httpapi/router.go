package httpapi

import (
	"net/http"
	"strings"
)

// router finds what serves a request. Most paths have no parameters, and are looked up by
// their name; the standard library's mux finds the others, and what no route serves. A mux of all routes
// would take half of the time in which a fake starts.
type router struct {
	plain map[methodPath]served
	mux   *http.ServeMux
}

// methodPath is a method and a path without parameters.
type methodPath struct{ method, path string }

// served is a handler and the pattern of its route.
type served struct {
	pattern string
	http.Handler
}

// newRouter returns a router with room for so many routes.
func newRouter(routes int) *router {
	return &router{make(map[methodPath]served, routes), http.NewServeMux()}
}

// handle registers a handler. It panics when the route has one already.
func (t *router) handle(method, path string, handler http.HandlerFunc) {
	pattern := method + " " + path
	if strings.Contains(path, "{") {
		t.mux.HandleFunc(pattern, handler)
		return
	}
	at := methodPath{method, path}
	if t.plain[at].Handler != nil {
		panic("httpapi: two routes are " + pattern)
	}
	t.plain[at] = served{pattern, handler}
}

// find returns the route without parameters that serves a request, if there is one. GET serves
// HEAD too.
func (t *router) find(r *http.Request) (served, bool) {
	if strings.Contains(strings.ToLower(r.URL.RawPath), "%2f") { // a slash that divides nothing
		return served{}, false
	}
	s, found := t.plain[methodPath{r.Method, r.URL.Path}]
	if !found && r.Method == http.MethodHead {
		s, found = t.plain[methodPath{http.MethodGet, r.URL.Path}]
	}
	return s, found
}

// pattern returns the pattern of the route that serves a request, or anywhere.
func (t *router) pattern(r *http.Request) string {
	if s, found := t.find(r); found {
		return s.pattern
	}
	_, pattern := t.mux.Handler(r)
	return pattern
}

func (t *router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s, found := t.find(r); found {
		r.Pattern = s.pattern
		s.ServeHTTP(w, r)
		return
	}
	t.mux.ServeHTTP(w, r)
}
