// Package httpapi is the /v1 surface over an engine (docs/api.md).
//
// All routes stand in one table, as data: method, path, credential, what goes
// in and what comes out. A request passes the same steps whatever its route:
//
//	request id ─> panic barrier ─> CORS ─> route ─> credential ─> rate limit
//	  ─> strict decoding, all problems at once ─> work ─> envelope
//
// Work that changes something runs in one unit with the claim of the client's
// idempotency key. There is one file a resource; its input types own the form of
// what comes in, its view types the names of what goes out.
//
// What a program needs:
//
//   - [New], with a [Config]: the API of an engine as an http.Handler
//   - [OpenAPI]: the document that describes it
//   - [Origin] and [ParseOrigin]: whose pages may call it
//   - [Reading]: requests of the program itself that look at any business
//   - [Limiter], [NewLimiter] and [Rate]: limits that several handlers share
//   - [Key], [NewKey] and [RotatedKey]: API keys as answers show them
//
// Package server serves it together with the pages for payers, and runs the workers.
package httpapi

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/traffic"
)

// Config is what an operator may choose. The zero value is a sandbox without
// rate limits.
type Config struct {
	// Logger logs faults: answers with a 5xx, and panics. Default: no log.
	Logger *slog.Logger
	// RateLimit and LiveRateLimit are how many requests a second a key of
	// the test and of the live environment may make; 0 means any number.
	RateLimit, LiveRateLimit int
	// Limiter counts requests for those limits. Default: one of this process.
	Limiter Limiter
	// BaseURL is where payers reach the server, for the addresses of its pages, as in
	// https://pay.example.com. Default: where the request came to.
	BaseURL string
	// Origins are those whose pages may call the routes that take a public key, on a
	// server that is no sandbox: a sandbox lets all. Default: none.
	Origins []Origin
	// PlatformFee is the name of the platform's fee among the fees of a payment:
	// DefaultPlatformFee.
	PlatformFee string
	// MaxBody is the greatest length of a request body, but for bulk payouts: 256 KiB.
	MaxBody int64
	// Timeout ends the work on a request: 25 seconds.
	Timeout time.Duration
	// Clock is the real time, in which a request works, whatever the clock of
	// the engine says: the machine's.
	Clock ferry.Clock
	// TwinWait is how long a request waits for the answer of another one
	// with the same idempotency key: 10 seconds.
	TwinWait time.Duration
}

const (
	defaultMaxBody  = 256 << 10
	defaultTimeout  = 25 * time.Second
	defaultTwinWait = 10 * time.Second
)

func (c Config) withDefaults() Config {
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	if c.Limiter == nil {
		c.Limiter = NewLimiter(time.Now)
	}
	c.PlatformFee = cmp.Or(c.PlatformFee, DefaultPlatformFee)
	c.MaxBody = cmp.Or(c.MaxBody, defaultMaxBody)
	c.Timeout = cmp.Or(c.Timeout, defaultTimeout)
	c.Clock = cmp.Or[ferry.Clock](c.Clock, ferry.SystemClock{})
	c.TwinWait = cmp.Or(c.TwinWait, defaultTwinWait)
	return c
}

// api is the surface over one engine.
type api struct {
	engine *engine.Engine
	config Config
	ids    *ferry.IDs
	// strangers counts the long bodies of callers who are not known yet.
	strangers *traffic.AtOnce
	// methods are those of the table, as Allow lists them.
	methods []string
}

// New returns the handler of /v1 and /openapi.json.
func New(e *engine.Engine, config Config) http.Handler {
	a := &api{
		engine: e, config: config.withDefaults(), ids: ferry.NewIDs(rand.Reader),
		strangers: traffic.NewAtOnce(strangersBodies),
	}
	return a.serve(a.routes())
}

// serve returns the handler of a table of routes.
func (a *api) serve(table []route) http.Handler {
	router := newRouter(len(table) + 1)
	a.methods = []string{http.MethodHead}
	var browsers, visited []string
	for _, r := range table {
		switch {
		case r.tag == tagVisitors:
			visited = append(visited, r.name())
		case r.place != inHeader:
			browsers = append(browsers, r.name())
		}
		router.handle(r.method, r.path, a.handler(r))
		if !slices.Contains(a.methods, r.method) {
			a.methods = append(a.methods, r.method)
		}
	}
	slices.Sort(a.methods)
	router.handle(http.MethodGet, "/openapi.json", serveDocument(table, a.config.PlatformFee))
	sorry := func(w http.ResponseWriter, _ *http.Request) { send(w, renderError(requestIDOf(w), errInternal)) }
	return traffic.Identified(a.ids, traffic.Guarded(private(a.crossOrigin(router, browsers, visited, a.routed(router))), a.config.Logger, sorry))
}

// sandbox reports whether the server is one.
func (a *api) sandbox() bool { return !a.engine.Production() }

// serveDocument answers the OpenAPI document of a table. It makes the document at the first
// request, so that a fake for one test starts fast.
func serveDocument(table []route, platformFee string) http.HandlerFunc {
	body := sync.OnceValue(func() string {
		return string(bytes.ReplaceAll(document(table), quoted(DefaultPlatformFee), quoted(platformFee)))
	})
	return func(w http.ResponseWriter, _ *http.Request) {
		send(w, response{status: http.StatusOK, body: body()})
	}
}

// routes is the table.
func (a *api) routes() []route {
	return slices.Concat(
		a.customerRoutes(),
		a.identityRoutes(),
		a.walletRoutes(),
		a.addressRoutes(),
		a.transferRoutes(),
		a.stablecoinRoutes(),
		a.keyRoutes(),
		a.webhookRoutes(),
		a.eventRoutes(),
		a.businessRoutes(),
		a.outflowRoutes(),
		a.linkRoutes(),
		a.widgetRoutes(),
		a.visitorRoutes(),
		a.checkoutRoutes(),
		a.paymentRoutes(),
		a.refundRoutes(),
		a.onrampRoutes(),
		a.refundHookRoutes(),
		a.accountRoutes(),
		a.payoutRoutes(),
		a.fiatTransferRoutes(),
		a.offrampRoutes(),
		a.payoutHookRoutes(),
		a.billRoutes(),
		a.cryptoBillRoutes(),
		a.billCatalogueRoutes(),
		a.helperRoutes(),
	)
}
