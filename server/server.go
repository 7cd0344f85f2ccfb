// Package server is the engine as a web server: one handler for the API, the pages
// for payers and the health checks, and a Serve that starts and stops it in good order.
//
// What a program needs:
//
//   - [New], with a [Config]: a [Server] of an engine, which is an http.Handler
//   - [Server.Serve]: serves it on a listener and runs the workers, until a context ends
//   - [Observe] and [Exchange]: sees what was answered; [LogRequests] logs it
//   - [Caps]: how many connections it takes
package server

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/hosted"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/internal/traffic"
)

// Limits of a connection (docs/api.md, "Limits").
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	writeTimeout      = 30 * time.Second
	idleTimeout       = 60 * time.Second
	maxHeaderBytes    = 16 << 10
	drainTimeout      = 20 * time.Second
)

// Server serves one engine.
type Server struct {
	engine   *engine.Engine
	api      http.Handler
	pages    func() http.Handler // made at the first request: most fakes serve none
	handler  http.Handler
	config   Config
	draining atomic.Bool
}

// Config is what an operator may choose. The zero value is a sandbox that logs
// nothing.
type Config struct {
	// Config is that of the API. Its Logger and BaseURL count for the pages, too.
	httpapi.Config
	// TrustedProxies are the networks of proxies that are believed when they say whose
	// request they pass on, by X-Forwarded-For or Forwarded. Limits then count the client.
	// Default: none.
	TrustedProxies []netip.Prefix
	// Connections is how many connections Serve takes at once: any number.
	Connections Caps
	// Brand is the words of answers and pages. Default: those of the engine, which sends
	// the webhooks; PlatformFee of the API comes before.
	Brand ferry.Brand
}

// Caps is how many connections there may be at once, in all and from one address; 0 is
// any number.
type Caps = traffic.Caps

// New returns a server over an engine. The engine's workers are started by
// Serve, or by whoever calls engine.Run.
func New(e *engine.Engine, c Config) *Server {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Limiter == nil {
		c.Limiter = httpapi.NewLimiter(time.Now)
	}
	if c.Brand == (ferry.Brand{}) {
		c.Brand = e.Brand()
	}
	c.Brand = c.Brand.Complete()
	c.PlatformFee = cmp.Or(c.PlatformFee, c.Brand.PlatformFee)
	pages := hosted.Config{Logger: c.Logger, Source: c.Brand.MessageSource, Global: c.Brand.Global, Clock: c.Clock, Timeout: c.Timeout, BaseURL: c.BaseURL}
	if c.RateLimit > 0 || c.LiveRateLimit > 0 {
		pages.Limiter = c.Limiter
	}
	for _, origin := range c.Origins {
		pages.Origins = append(pages.Origins, string(origin))
	}
	s := &Server{engine: e, api: httpapi.New(e, c.Config), config: c}
	s.pages = sync.OnceValue(func() http.Handler { return hosted.New(e, pages) })
	s.handler = traffic.Proxies(c.TrustedProxies).Behind(http.HandlerFunc(s.route))
	return s
}

// ServeHTTP answers the API at /v1, its description at /openapi.json, the pages of
// package hosted, and /healthz and /readyz. There is no ServeMux around the API, which
// would answer some paths by a redirect.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(s.config.BaseURL, "https:") {
		w.Header().Set("Strict-Transport-Security", "max-age=31536000") // browsers come by https only, for a year
	}
	s.handler.ServeHTTP(w, r)
}

func (s *Server) route(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
		r.Pattern = r.URL.Path
	}
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch {
	case reads && r.URL.Path == "/healthz":
		say(w, http.StatusOK, "ok\n") // as long as the process lives
	case reads && r.URL.Path == "/readyz":
		s.ready(w, r)
	case hosted.Serves(r.URL.Path):
		s.pages().ServeHTTP(w, r)
	default:
		s.api.ServeHTTP(w, r)
	}
}

// readyTimeout is how long the store of a server that is ready takes to answer.
const readyTimeout = 3 * time.Second

// ready answers 200 while the server takes requests and its store answers.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	switch {
	case s.draining.Load():
		say(w, http.StatusServiceUnavailable, "draining\n")
	case s.engine.Ping(ctx) != nil:
		say(w, http.StatusServiceUnavailable, "store does not answer\n")
	default:
		say(w, http.StatusOK, "ready\n")
	}
}

func say(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text))
}

// Serve takes connections and runs the engine's workers until ctx ends. Then it
// is no longer ready, lets requests in flight end, stops the workers and
// returns nil. handler is s, or s with more around it.
func (s *Server) Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	web := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.config.Logger.Handler(), slog.LevelWarn),
	}
	workers, stopWorkers := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWorkers()
	var working sync.WaitGroup
	working.Go(func() { s.engine.Run(workers) })
	served := make(chan error, 1)
	capped := s.config.Connections.Limit(listener, s.config.TrustedProxies)
	go func() { served <- web.Serve(capped) }()

	var failed error
	select {
	case <-ctx.Done():
	case failed = <-served:
	}
	s.draining.Store(true)
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	failed = errors.Join(failed, web.Shutdown(drain))
	stopWorkers()
	working.Wait()
	return failed
}
