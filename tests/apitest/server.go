// Package apitest runs the HTTP surface over an engine for tests, with a client
// that holds every request and every answer against the server's own OpenAPI
// document.
package apitest

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/sandbox"
)

// Config is what a test may choose. The zero value is a sandbox in memory on a
// clock that stands still.
type Config struct {
	// Engine configures the engine. Store defaults to a new memstore, Clock to
	// Server.Clock, and World to one on Clock.
	Engine engine.Config
	// API configures the handler. Its Timeout and TwinWait default to patience, so
	// that a busy machine fails no test. Its Logger defaults to the output of the test.
	API httpapi.Config
	// WorldStore keeps the world that World defaults to; nil is memory.
	WorldStore sandbox.Store
	// RealTime lets the sandbox's clock run.
	RealTime bool
}

// Server is a running server with the demo business. It embeds a client of that
// business.
type Server struct {
	*Client
	Engine *engine.Engine
	Tenant engine.Tenant
	URL    string
	// Clock is the live environment's, and the base of the sandbox's, unless RealTime was asked for.
	Clock *Clock
}

// patience is how long a request may take.
const patience = 3 * time.Minute

// Start runs a server until the test ends. It runs no workers: call Settle.
func Start(t testing.TB, config Config) *Server {
	t.Helper()
	s := &Server{Clock: NewClock()}
	if config.Engine.Store == nil {
		config.Engine.Store = memstore.New()
	}
	if config.Engine.Clock == nil && !config.RealTime {
		config.Engine.Clock = s.Clock
	}
	if config.Engine.World == nil && !config.RealTime {
		config.Engine.World = sandbox.New(sandbox.Config{Clock: s.Clock, Seed: 1, Store: config.WorldStore})
	}
	if config.API.Timeout == 0 {
		config.API.Timeout = patience
	}
	if config.API.TwinWait == 0 {
		config.API.TwinWait = patience
	}
	if config.API.Logger == nil {
		config.API.Logger = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	var err error
	s.Engine, err = engine.New(config.Engine)
	require.NoError(t, err)
	s.Tenant, err = s.Engine.Bootstrap(context.Background())
	require.NoError(t, err)
	web := httptest.NewServer(httpapi.New(s.Engine, config.API))
	t.Cleanup(web.Close)
	s.URL = web.URL
	s.Client = &Client{t: t, url: web.URL, key: s.Tenant.SecretKey, http: web.Client(), router: routerOf(t), bodies: bodiesOf(t)}
	return s
}

// Settle moves the sandbox's clock far enough for the chain to finalize what is
// under way, and does all that is due meanwhile.
func (s *Server) Settle() { s.Advance(10 * time.Second) }

// Advance moves the sandbox's clock and does all that is due meanwhile.
func (s *Server) Advance(by time.Duration) {
	s.t.Helper()
	progress, err := s.Engine.Advance(context.Background(), by)
	require.NoError(s.t, err)
	require.True(s.t, progress.Done, "the engine did not come to rest")
}

// document is loaded once: it is the same for every server.
var document = sync.OnceValues(func() (*openapi3.T, error) {
	return openapi3.NewLoader().LoadFromData(httpapi.OpenAPI())
})

// Document is the OpenAPI document, checked.
func Document(t testing.TB) *openapi3.T {
	t.Helper()
	doc, err := document()
	require.NoError(t, err)
	require.NoError(t, doc.Validate(context.Background()))
	return doc
}

var router = sync.OnceValues(func() (routers.Router, error) {
	doc, err := document()
	if err != nil {
		return nil, err
	}
	return legacy.NewRouter(doc)
})

func routerOf(t testing.TB) routers.Router {
	t.Helper()
	r, err := router()
	require.NoError(t, err)
	return r
}

func bodiesOf(t testing.TB) *bodies {
	t.Helper()
	b, err := bodySchemas()
	require.NoError(t, err)
	return b
}

// Clock stands still until it is moved.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock at a fixed instant.
func NewClock() *Clock { return &Clock{now: time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC)} }

// Now returns the clock's instant.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Add moves the clock.
func (c *Clock) Add(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}
