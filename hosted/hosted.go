package hosted

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/traffic"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

// Config is what an operator may choose. The zero value works.
type Config struct {
	// Logger logs faults: answers with a 5xx, and panics. Default: no log.
	Logger *slog.Logger
	// Source is the source that messages to a framing page bear: DefaultSource.
	Source string
	// Global is what the script for shops defines beside FerryCheckout, as in
	// acme.pay. Default: nothing.
	Global string
	// BaseURL is where payers reach the pages, as in https://pay.example.com. Default: the
	// address to which a request came.
	BaseURL string
	// Origins are those whose pages may frame a checkout of the live environment, besides
	// those of the business's redirect hosts. Default: none.
	Origins []string
	// Limiter limits the requests of a part of the network. Default: no limit.
	Limiter traffic.Limiter
	// Clock is the real time, whatever the clock of the engine says: the machine's.
	Clock ferry.Clock
	// Timeout ends the work on a request: 25 seconds.
	Timeout time.Duration
}

// DefaultSource is the source of messages when a Config names none.
const DefaultSource = "service-checkout"

const (
	defaultTimeout = 25 * time.Second
	// maxForm is the greatest length of a posted form.
	maxForm = 64 << 10
)

func (c Config) withDefaults() Config {
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	c.Source = cmp.Or(c.Source, DefaultSource)
	c.Clock = cmp.Or[ferry.Clock](c.Clock, ferry.SystemClock{})
	c.Timeout = cmp.Or(c.Timeout, defaultTimeout)
	return c
}

// pages is the pages over one engine.
type pages struct {
	compiledIn
	engine *engine.Engine
	config Config
	mux    *http.ServeMux
}

// compiledIn is what the pages of every engine are made of.
type compiledIn struct {
	assets    assets
	languages languages
	templates *template.Template
}

// load reads what was compiled in, once for all handlers of a process.
var load = sync.OnceValue(func() compiledIn { return compiledIn{loadAssets(), loadLanguages(), parseTemplates()} })

// New returns the handler of all pages. It answers the paths that Serves names.
func New(e *engine.Engine, config Config) http.Handler {
	config = config.withDefaults()
	p := &pages{load(), e, config, http.NewServeMux()}
	p.handle("GET /checkout", p.limited("lookups", lookupRate, p.findCheckout))
	p.handle("GET "+foundPath, p.again(p.checkout))
	p.handle("GET "+foundPath+"/status", p.again(p.status))
	p.handle("POST "+foundPath+"/{action}", p.limited("actions", actionRate, p.again(p.act)))
	p.handle("GET /checkout/{session}", p.checkout)
	p.handle("GET /checkout/{session}/embed", p.embed)
	p.handle("GET /checkout/{session}/status", p.status)
	p.handle("GET /checkout/{session}/receipt", p.receipt)
	p.handle("POST /checkout/{session}/{action}", p.limited("actions", actionRate, p.act))
	p.handle("GET /pay/{slug}", p.link)
	p.handle("GET /pay/{slug}/qr.svg", p.linkQR)
	p.handle("POST /pay/{slug}", p.limited("actions", actionRate, p.payLink))
	p.mux.HandleFunc("GET /inline.js", serveScript(func() asset { return p.languages.inlineScript(config) }))
	p.mux.HandleFunc("GET /ramp.js", serveScript(p.languages.rampScript))
	p.mux.HandleFunc("GET "+assetPath+"{name}", p.assets.serve)
	return traffic.Identified(ferry.NewIDs(rand.Reader), p.guarded(sameSite(http.HandlerFunc(p.route))))
}

// Serves reports whether a path is one of the pages'.
func Serves(urlPath string) bool {
	for _, root := range []string{"/checkout", "/pay", "/inline.js", "/ramp.js", strings.TrimSuffix(assetPath, "/")} {
		if urlPath == root || strings.HasPrefix(urlPath, root+"/") {
			return true
		}
	}
	return false
}

// visit is one request for a page.
type visit struct {
	*pages
	http  *http.Request
	words *words
	// chosen reports that the address names the language, so that links do too.
	chosen bool
	// origin is that of the page that frames the answer, or empty.
	origin string
	// pictures are the sources, besides our own, from which the page may load pictures.
	pictures []string
	// found is by what the address names the session when that is not its own id.
	found url.Values
}

// handle adds a page whose error is shown as a page.
func (p *pages) handle(pattern string, page func(*visit, http.ResponseWriter) error) {
	p.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := traffic.WithTimeout(r.Context(), p.config.Timeout)
		defer cancel()
		v := p.visit(r.WithContext(ctx))
		err := v.readForm(w)
		if err == nil {
			err = page(v, w)
		}
		if err != nil {
			v.refuse(w, err)
		}
	})
}

// baseURL is where payers reach the pages.
func (v *visit) baseURL() string {
	switch {
	case v.config.BaseURL != "":
		return v.config.BaseURL
	case v.http.TLS != nil:
		return "https://" + v.http.Host
	}
	return "http://" + v.http.Host
}

// gone reports whether the client has left.
func (v *visit) gone() bool { return errors.Is(v.http.Context().Err(), context.Canceled) }

func (p *pages) visit(r *http.Request) *visit {
	words, chosen := p.languages.of(r)
	return &visit{pages: p, http: r, words: words, chosen: chosen}
}

// route answers with a page where the mux would answer in plain text or redirect.
func (p *pages) route(w http.ResponseWriter, r *http.Request) {
	_, pattern := p.mux.Handler(r)
	if pattern == "" || path.Clean(r.URL.Path) != r.URL.Path {
		status := http.StatusNotFound
		if pattern == "" && r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost {
			status = http.StatusMethodNotAllowed
			w.Header().Set("Allow", "GET, HEAD, POST")
		}
		p.visit(r).apologize(w, status, "missing")
		return
	}
	p.mux.ServeHTTP(w, r)
}

// sameSite refuses forms that another site's page posts.
func sameSite(next http.Handler) http.Handler { return http.NewCrossOriginProtection().Handler(next) }

// guarded answers a panic with a page without details.
func (p *pages) guarded(next http.Handler) http.Handler {
	next = traffic.Guarded(next, p.config.Logger, func(w http.ResponseWriter, r *http.Request) {
		p.visit(r).apologize(w, http.StatusInternalServerError, "fault")
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header())
		next.ServeHTTP(w, r)
	})
}

// refuse shows what an error means to the person who pays.
func (v *visit) refuse(w http.ResponseWriter, err error) {
	switch kind := ferry.KindOf(err); {
	case v.gone():
		// Nobody is there to answer, and nothing went wrong.
	case kind == ferry.NotFound:
		v.apologize(w, http.StatusNotFound, "missing")
	case kind == ferry.Unavailable, errors.Is(err, store.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		v.apologize(w, http.StatusServiceUnavailable, "unavailable")
	case kind == ferry.RateLimited:
		v.later(w, err)
	case kind != ferry.Internal, errors.Is(err, money.ErrOverflow):
		v.apologize(w, http.StatusBadRequest, "refused")
	default:
		v.report(err)
		v.apologize(w, http.StatusInternalServerError, "fault")
	}
}

// report logs a fault, unless the client has gone.
func (v *visit) report(err error) {
	if !v.gone() {
		v.config.Logger.ErrorContext(v.http.Context(), "page failed", "path", v.http.URL.Path, "error", err)
	}
}
