package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const userAgent = "ferry-webhook/1"

// requests makes the requests to an endpoint. The URL is parsed, and the keys of the secrets
// are derived, only once.
type requests struct {
	// bare is a request without headers and body. It is nil when the URL is not valid, and
	// invalid is then the error.
	bare    *http.Request
	invalid error
	header  string // the name of the specified signature header
	// underscored is the same name with underscores, or empty when it is not sent.
	underscored string
	macs        sync.Pool // of *macs
}

// macs are the HMACs of the secrets of an endpoint. One request at a time uses them.
type macs struct {
	specified hash.Hash   // of the current secret
	standard  []hash.Hash // of all secrets, the current one first
	signed    []byte      // the buffer of the text that is signed
}

// newRequests returns the maker of requests to a URL. The first secret is the current one.
func newRequests(url, header string, underscore bool, secrets []string) *requests {
	r := &requests{header: http.CanonicalHeaderKey(header)}
	if underscore {
		r.underscored = http.CanonicalHeaderKey(underscored(header))
	}
	r.bare, r.invalid = http.NewRequest(http.MethodPost, url, nil)
	r.macs.New = func() any {
		m := &macs{specified: hmac.New(sha512.New, []byte(secrets[0]))}
		for _, secret := range secrets {
			if key, ok := secretKey(secret); ok {
				m.standard = append(m.standard, hmac.New(sha256.New, key))
			}
		}
		return m
	}
	return r
}

// of returns the request of one attempt to send an event.
func (r *requests) of(ctx context.Context, id string, at time.Time, body string) (*http.Request, error) {
	if r.invalid != nil {
		return nil, r.invalid
	}
	request := r.bare.WithContext(ctx)
	request.Header = r.headers(id, strconv.FormatInt(at.Unix(), 10), body)
	request.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(body)), nil }
	request.Body, _ = request.GetBody()
	request.ContentLength = int64(len(body))
	return request, nil
}

// headers returns the headers for a body. The specified header has a signature by the current
// secret, the standard header one by each secret.
func (r *requests) headers(id, timestamp, body string) http.Header {
	m := r.macs.Get().(*macs)
	defer r.macs.Put(m)
	m.signed = appendStandard(m.signed[:0], id, timestamp, body)
	m.specified.Reset()
	specified := signSpecified(m.specified, m.signed[len(m.signed)-len(body):])
	standard := make([]string, len(m.standard))
	for i, mac := range m.standard {
		mac.Reset()
		standard[i] = signStandard(mac, m.signed)
	}
	h := make(http.Header, 7)
	h["Content-Type"] = []string{"application/json"}
	h["User-Agent"] = []string{userAgent}
	h[r.header] = []string{specified}
	if r.underscored != "" {
		h[r.underscored] = []string{specified}
	}
	h[headerID] = []string{id}
	h[headerTimestamp] = []string{timestamp}
	h[headerSignature] = []string{strings.Join(standard, " ")}
	return h
}

func underscored(header string) string { return strings.ReplaceAll(header, "-", "_") }
