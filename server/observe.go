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
}

// StatusGone stands for the answer to a client who left before there was one.
const StatusGone = 499

// Observe returns a handler that shows every exchange of next to some observers.
func Observe(next http.Handler, observers ...func(context.Context, Exchange)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun, answer := time.Now(), &recorder{ResponseWriter: w}
		defer func() {
			e := Exchange{r.Method, routeOf(r), answer.statusFor(r), time.Since(begun), w.Header().Get("X-Request-Id")}
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
			"ms", float64(e.Took.Microseconds())/1000, "request_id", e.RequestID)
	}
}

// routeOf is the pattern of a request without its method.
func routeOf(r *http.Request) string {
	_, path, found := strings.Cut(r.Pattern, " ")
	if !found {
		return r.Pattern
	}
	return path
}

// recorder knows the status of an answer.
type recorder struct {
	http.ResponseWriter
	status int
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
	return r.ResponseWriter.Write(piece)
}

// WriteString is Write of a text.
func (r *recorder) WriteString(piece string) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	return io.WriteString(r.ResponseWriter, piece)
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
