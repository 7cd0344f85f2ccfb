package httpapi_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// witness is a body that knows whether somebody read it.
type witness struct{ read bool }

func (w *witness) Read([]byte) (int, error) {
	w.read = true
	return 0, io.EOF
}

func TestNothingIsReadOfABodyBeforeItsCredentialIsKnown(t *testing.T) {
	e := newEdge(t)
	public := map[string]bool{"/v1/checkout": true, "/v1/payment-links/pay": true, "/v1/ramp/widgets/session": true}
	for _, p := range places(t) {
		if public[p.path] {
			continue // their credential is in the body
		}
		for _, credential := range []string{"", "Bearer sk_test_x", "Bearer " + e.tenant.PublicKey} {
			body := &witness{}
			r := httptest.NewRequest(p.method, p.path, body)
			r.Header.Set("Authorization", credential)
			r.Header.Set("Content-Type", asJSON)
			w := httptest.NewRecorder()
			e.ServeHTTP(w, r)
			require.Contains(t, []int{http.StatusUnauthorized, http.StatusForbidden}, w.Code, "%s %s", p.method, p.path)
			require.False(t, body.read, "%s %s with %q", p.method, p.path, credential)
		}
	}
}
