package traffic

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
)

// Guarded logs a panic of next and answers by sorry. It lets http.ErrAbortHandler pass.
func Guarded(next http.Handler, logger *slog.Logger, sorry http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(cause)
			}
			logger.ErrorContext(r.Context(), "panic", "method", r.Method, "path", r.URL.Path, "request_id", w.Header().Get(RequestIDHeader),
				"cause", fmt.Sprint(cause), "stack", string(debug.Stack()))
			sorry(w, r)
		}()
		next.ServeHTTP(w, r)
	})
}
