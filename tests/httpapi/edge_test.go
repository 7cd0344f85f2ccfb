package httpapi_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/tests/apitest"
)

// edge is a server without a network, to measure what a request costs.
type edge struct {
	http.Handler
	tenant engine.Tenant
}

func newEdge(t testing.TB) edge {
	t.Helper()
	e, err := engine.New(engine.Config{Store: memstore.New()})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(context.Background())
	require.NoError(t, err)
	return edge{httpapi.New(e, httpapi.Config{}), tenant}
}

// place is a route that reads a body, with the members that it knows.
type place struct {
	method, path string
	members      []string
}

// places are all routes that read a body, by the document.
func places(t testing.TB) []place {
	var all []place
	doc := apitest.Document(t)
	for _, path := range slices.Sorted(maps.Keys(doc.Paths.Map())) {
		for method, operation := range doc.Paths.Map()[path].Operations() {
			if method == http.MethodGet {
				continue
			}
			p := place{method, strings.NewReplacer("{", "", "}", "").Replace(path), []string{"x"}}
			if operation.RequestBody != nil {
				for _, content := range operation.RequestBody.Value.Content {
					p.members = append(p.members, slices.Sorted(maps.Keys(content.Schema.Value.Properties))...)
				}
			}
			all = append(all, p)
		}
	}
	return all
}

// request is a POST with everything that makes a server look into its body.
func (e edge) request(p place, kind string, body []byte) *http.Request {
	r := httptest.NewRequest(p.method, p.path, bytes.NewReader(body))
	r.Header.Set("Content-Type", kind)
	r.Header.Set("Authorization", "Bearer "+e.tenant.SecretKey)
	r.Header.Set("Idempotency-Key", rand.Text())
	return r
}

func (e edge) answer(t testing.TB, r *http.Request) {
	w := &discarded{header: http.Header{}}
	e.ServeHTTP(w, r)
	require.NotZero(t, w.status)
	require.Less(t, w.status, http.StatusInternalServerError)
	if w.status != http.StatusOK {
		require.LessOrEqual(t, w.length, 64<<10, "an answer that refuses is short")
	}
}

// discarded is an answer that nobody reads.
type discarded struct {
	header         http.Header
	status, length int
}

func (d *discarded) Header() http.Header  { return d.header }
func (d *discarded) WriteHeader(code int) { d.status = code }
func (d *discarded) Write(b []byte) (int, error) {
	d.length += len(b)
	return len(b), nil
}

const (
	asJSON = "application/json"
	asForm = "application/x-www-form-urlencoded"
)
