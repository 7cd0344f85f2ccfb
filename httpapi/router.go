package httpapi

import (
	"net/http"
	"strings"
)

// router finds what serves a request. Most paths have no parameters, and are looked up by their
// name; the standard library's mux finds the others, and what no route serves. A mux of all routes
// would take half of the time in which a fake starts.
type router struct {
	plain map[string]map[string]served // by path, then by method
	mux   *http.ServeMux
}

// served is a handler and the pattern of its route.
type served struct {
	pattern string
	http.Handler
}

func newRouter() *router {
	return &router{map[string]map[string]served{}, http.NewServeMux()}
}

// handle registers a handler. It panics when the route has one already.
func (t *router) handle(method, path string, handler http.HandlerFunc) {
	pattern := method + " " + path
	if strings.Contains(path, "{") {
		t.mux.HandleFunc(pattern, handler)
		return
	}
	if t.plain[path] == nil {
		t.plain[path] = make(map[string]served, 1)
	}
	if t.plain[path][method].Handler != nil {
		panic("httpapi: two routes are " + pattern)
	}
	t.plain[path][method] = served{pattern, handler}
}

// find returns the route without parameters that serves a request, if there is one. GET serves
// HEAD too.
func (t *router) find(r *http.Request) (served, bool) {
	if strings.Contains(strings.ToLower(r.URL.RawPath), "%2f") { // a slash that divides nothing
		return served{}, false
	}
	methods := t.plain[r.URL.Path]
	s, found := methods[r.Method]
	if !found && r.Method == http.MethodHead {
		s, found = methods[http.MethodGet]
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
