package scenario_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// repeated is a request that changes something.
type repeated struct {
	// begin prepares the world and returns the query of the request and its body.
	begin func(s shop) (query string, body any)
	// effect says what there is of the effect, and adds is how much one request
	// adds to it. Without it the effect is that of the one answer that is no replay.
	effect func(s shop) int
	adds   int
	// keyless requests name their business in the body.
	keyless bool
	// as returns the client that sends the request, when that is not the shop's.
	as func(s shop) *apitest.Client
}

// TestACrowdWithOneKeyHasOneEffectOnEveryRoute repeats each writing route
// of the OpenAPI document many times at once: in a storm a hundred times in memory, and 25 times
// on a database, where each route keeps all connections busy. Otherwise it does so 25 and 10 times.
func TestACrowdWithOneKeyHasOneEffectOnEveryRoute(t *testing.T) {
	t.Parallel()
	inACrowd(t, func(t *testing.T, open opener) {
		s, crowd := open(t), crowdOfOneKey(t)
		receiver := httptest.NewServer(&inbox{})
		t.Cleanup(receiver.Close)
		s.Post("/v1/webhook/config", apitest.Object{"url": receiver.URL}).OK()
		for _, route := range writingRoutes(t) {
			t.Run(route, func(t *testing.T) {
				r, known := repeatedRoutes[route]
				require.True(t, known, "a route that changes something needs a case in repeatedRoutes of repeated_test.go")
				testACrowd(t, shop{s.Server, t}, crowd, route, r)
			})
		}
		s.clean()
	})
}

func crowdOfOneKey(t *testing.T) int {
	crowds := [2]int{10, 25}
	if *storm {
		crowds = [2]int{25, 100}
	}
	if inMemory(t) {
		return crowds[1]
	}
	return crowds[0]
}

func writingRoutes(t *testing.T) (routes []string) {
	for path, item := range apitest.Document(t).Paths.Map() {
		for method := range item.Operations() {
			if method != http.MethodGet && path != "/v1/test_helpers/reset" { // which forgets the key as well
				routes = append(routes, method+" "+path)
			}
		}
	}
	slices.Sort(routes)
	return routes
}

func testACrowd(t *testing.T, s shop, crowd int, route string, r repeated) {
	client := *s.Server
	client.Client = s.Server.For(t)
	s = shop{&client, t}
	query, body := r.begin(s)
	before := 0
	if r.effect != nil {
		before = r.effect(s)
	}
	sender := s.Client
	if r.as != nil {
		sender = r.as(s)
	}
	once := sender.With("Idempotency-Key", strings.ReplaceAll(route, " ", ":"))
	if r.keyless {
		once = once.As("")
	}
	method, path, _ := strings.Cut(route, " ")
	answers := together(crowd, func(int) apitest.Answer { return once.Do(method, pathWith(path, query), body) })
	first := firstOf(t, answers)
	for _, answer := range answers {
		requireRepeats(t, first, answer)
	}
	if r.effect != nil {
		require.Equal(t, max(r.adds, 1), r.effect(s)-before, "one effect")
	}
}

var placeholder = regexp.MustCompile(`\{[a-z_]+\}`)

// pathWith puts what begin returned where a path has a placeholder, or behind it.
func pathWith(path, query string) string {
	if placeholder.MatchString(path) {
		return placeholder.ReplaceAllString(path, query)
	}
	return path + query
}

// firstOf returns the one answer that is no replay.
func firstOf(t *testing.T, answers []apitest.Answer) (first apitest.Answer) {
	count := 0
	for _, answer := range answers {
		answer.OK()
		if answer.Header.Get("Idempotency-Replayed") == "" {
			first = answer
			count++
		}
	}
	require.Equal(t, 1, count, "one answer is no replay")
	return first
}

// requireRepeats requires that an answer is the first one, or the first one without
// its secrets.
func requireRepeats(t *testing.T, first, answer apitest.Answer) {
	if string(first.Raw) == string(answer.Raw) {
		return
	}
	all, _ := first.At("data").(map[string]any)
	told, ok := answer.At("data").(map[string]any)
	require.True(t, ok && len(told) > 0, "%s\n%s", first.Raw, answer.Raw)
	for name, value := range told {
		if value != nil { // what is not stored is left out, or null
			require.Equal(t, all[name], value, "%s\n%s", first.Raw, answer.Raw)
		}
	}
	require.Regexp(t, `(key|secret|token|firstName)":"`, string(first.Raw), "only a secret is left out")
}

// total counts the rows of a list.
func total(path string) func(shop) int {
	return func(s shop) int {
		s.t.Helper()
		var n int
		_, err := fmt.Sscan(s.Get(path).OK().Number("meta.total"), &n)
		require.NoError(s.t, err)
		return n
	}
}

// emitted counts the events of a type.
func emitted(kind string) func(shop) int {
	return func(s shop) (n int) {
		s.t.Helper()
		for after := ""; ; {
			page := s.Get("/v1/events?limit=100&after=" + after).OK()
			n += strings.Count(string(page.Raw), `"type":"`+kind+`"`)
			if after = page.Text("next_cursor"); page.Len("data") == 0 {
				return n
			}
		}
	}
}

// plain is a request that needs nothing to be there.
func plain(body apitest.Object) func(shop) (string, any) {
	return func(shop) (string, any) { return "", body }
}
