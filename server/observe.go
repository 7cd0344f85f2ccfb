package server

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// Exchange is a request and its answer, without personal data: no path, no query.
type Exchange struct {
	Method string
	// Route is the pattern that the path matched, as in /v1/wallets/{id}, or empty.
	Route string
	// Status is that of the answer, or StatusGone.
	Status int
	Took   time.Duration
	// RequestID is the X-Request-Id of the answer.
	RequestID string
	// Bytes is the length of the body of the answer, as it was handed to the connection.
	Bytes int64
	// Key is the last four characters of the API key that the request bore, whether it was valid or not, or
	// empty.
	Key string
}

// StatusGone stands for the answer to a client who left before there was one.
const StatusGone = 499

// Observe returns a handler that shows every exchange of next to some observers.
func Observe(next http.Handler, observers ...func(context.Context, Exchange)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun, answer := time.Now(), &recorder{ResponseWriter: w}
		defer func() {
			e := Exchange{
				Method: r.Method, Route: routeOf(r), Status: answer.statusFor(r), Took: time.Since(begun),
				RequestID: w.Header().Get("X-Request-Id"), Bytes: answer.bytes, Key: lastFour(r.Header),
			}
			for _, observe := range observers {
				observe(r.Context(), e)
			}
		}()
		next.ServeHTTP(answer, r)
	})
}

// LogRequests returns an observer that writes a line for each exchange.
func LogRequests(logger *slog.Logger) func(context.Context, Exchange) {
	return func(ctx context.Context, e Exchange) {
		logger.InfoContext(ctx, "request", "method", e.Method, "route", e.Route, "status", e.Status,
			"ms", float64(e.Took.Microseconds())/1000, "bytes", e.Bytes, "key", e.Key, "request_id", e.RequestID)
	}
}

// shortestKey is less than any API key has. Of what is shorter nothing is shown.
const shortestKey = 16

// lastFour is the end of the API key in a header. What does not begin as one is shown in no part: it may be a
// secret of another kind.
func lastFour(h http.Header) string {
	scheme, key, _ := strings.Cut(h.Get("Authorization"), " ")
	key = strings.TrimSpace(key)
	isKey := strings.HasPrefix(key, "sk_") || strings.HasPrefix(key, "pk_") || strings.HasPrefix(key, "rwpk_")
	if !strings.EqualFold(scheme, "Bearer") || !isKey || len(key) < shortestKey {
		return ""
	}
	return key[len(key)-4:]
}

// routeOf is the pattern of a request without its method.
func routeOf(r *http.Request) string {
	_, path, found := strings.Cut(r.Pattern, " ")
	if !found {
		return r.Pattern
	}
	return path
}

// recorder knows the status of an answer, and how long it is.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader sends the status.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write sends a piece of the body.
func (r *recorder) Write(piece []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(piece)
	r.bytes += int64(n)
	return n, err
}

// WriteString is Write of a text.
func (r *recorder) WriteString(piece string) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := io.WriteString(r.ResponseWriter, piece)
	r.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController find the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// statusFor is the status of the answer to a request. When the client has left, a fault is
// not counted as one.
func (r *recorder) statusFor(request *http.Request) int {
	gone := errors.Is(request.Context().Err(), context.Canceled)
	switch {
	case gone && (r.status == 0 || r.status >= http.StatusInternalServerError):
		return StatusGone
	case r.status == 0:
		return http.StatusOK
	}
	return r.status
}
