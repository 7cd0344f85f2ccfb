package inspect

import (
	"cmp"
	"context"
	"crypto/rand"
	"html/template"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/internal/traffic"
)

// OperatorConfig says who may look at what an operator sees. Somebody has to be able to: Tokens, UserHeader or both.
type OperatorConfig struct {
	// API answers /v1 with requests of httpapi.Reading: it is the server. Required.
	API http.Handler
	// Tokens are the names of people by the digest of their token, as TokenDigest makes it.
	Tokens map[string]string
	// UserHeader is the header in which a proxy of the operator names the person whom it has let in. It is
	// believed from this machine and from Proxies. Default: none.
	UserHeader string
	// Proxies are the networks of such proxies beside this machine.
	Proxies []netip.Prefix
	// Hosts are the names by which people reach the view, beside those of this machine: a page of a
	// stranger could have its own name lead here.
	Hosts []string
	// Logger logs faults of pages, and tokens that nobody has. Default: no log.
	Logger *slog.Logger
}

// Operator is what the operator's people see of all businesses: pages that read. They show no secret and no
// identity number, and no body of a request. Whoever opens a list or a resource is noted in the store
// (package operatorlog) before it is shown. What can be done is to send events again, with a reason that is noted,
// too. It is an http.Handler of its own, to be served at an address of its own, and safe for concurrent use.
type Operator struct {
	engine    *engine.Engine
	config    OperatorConfig
	proxies   traffic.Proxies
	api       api
	templates *template.Template
	mux       *http.ServeMux
	sign      [32]byte // of the cookies of this process
}

// operatorTemplates are those that were compiled in.
var operatorTemplates = sync.OnceValue(func() *template.Template { return parseTemplates("templates/operator/*.html") })

// NewOperator returns the operator's view over an engine.
func NewOperator(e *engine.Engine, c OperatorConfig) *Operator {
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	o := &Operator{engine: e, config: c, proxies: c.Proxies, api: api{handler: c.API}, templates: operatorTemplates(), mux: http.NewServeMux()}
	_, _ = rand.Read(o.sign[:]) // it does not fail
	o.show("GET /{$}", "businesses", o.businesses)
	o.show("GET /search", "search", o.search)
	o.show("GET /{env}/{business}", "business", o.business)
	o.show("GET /{env}/{business}/lists/{kind}", "list", o.list)
	o.show("GET /{env}/{business}/things/{id}", "thing", o.thing)
	o.show("GET /{env}/{business}/events", "events", o.events)
	o.show("GET /{env}/{business}/events/{id}", "event", o.event)
	o.show("GET /{env}/{business}/deliveries", "deliveries", o.deliveries)
	o.show("GET /{env}/{business}/log", "log", o.log)
	o.act("POST /{env}/{business}/resend", o.resend)
	o.act("POST /{env}/{business}/replay", o.replay)
	o.mux.HandleFunc("GET /inspect/{name}", serveAsset)
	return o
}

// ServeHTTP answers the pages, to who may see them.
func (o *Operator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	if !o.isHere(w, r) {
		return
	}
	switch {
	case r.URL.Path == "/login":
		o.login(w, r)
		return
	case r.URL.Path == "/logout" && r.Method == http.MethodPost:
		o.logout(w, r)
		return
	}
	who, known := o.person(r)
	if !known && !strings.HasPrefix(r.URL.Path, "/inspect/") { // a stranger's page has its looks, too
		o.stranger(w, r)
		return
	}
	o.mux.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), personKey{}, who)))
}

// personKey is the key of the name of who looks in a context.
type personKey struct{}

func personOf(ctx context.Context) string {
	who, _ := ctx.Value(personKey{}).(string)
	return who
}

// look is a view of a page of a business, or of all when scope is empty.
type look func(ctx context.Context, scope ferry.Scope, r *http.Request) (any, error)

// show registers a page, which is HTML or JSON as the request prefers.
func (o *Operator) show(pattern, name string, v look) {
	o.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		scope, err := o.scopeOf(r)
		var data any
		if err == nil {
			data, err = v(httpapi.Reading(r.Context(), scope), scope, r)
		}
		if err != nil {
			o.sorry(w, r, err)
			return
		}
		if to, is := data.(leads); is {
			http.Redirect(w, r, string(to), http.StatusSeeOther)
			return
		}
		o.write(w, r, http.StatusOK, name, data)
	})
}

// leads is a page that leads on to another one.
type leads string

// act registers something that is done, and leads on to the page that it names.
func (o *Operator) act(pattern string, do func(ctx context.Context, scope ferry.Scope, r *http.Request) (to leads, err error)) {
	o.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		scope, err := o.scopeOf(r)
		if err == nil {
			err = readable(r)
		}
		var to leads
		if err == nil {
			to, err = do(r.Context(), scope, r)
		}
		if err != nil {
			o.sorry(w, r, err)
			return
		}
		http.Redirect(w, r, string(to), http.StatusSeeOther)
	})
}

// readable refuses a form that cannot be read.
func readable(r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return problem{http.StatusBadRequest, "The form cannot be read: " + err.Error()}
	}
	return nil
}

// scopeOf is the business that a path names, or none where it names none.
func (o *Operator) scopeOf(r *http.Request) (ferry.Scope, error) {
	env := ferry.Env(r.PathValue("env"))
	if env == "" {
		return ferry.Scope{}, nil
	}
	id, ok := ferry.CanonicalID("biz_", r.PathValue("business"))
	if !ok || env != ferry.Test && env != ferry.Live {
		return ferry.Scope{}, missing("There is no such page. A page of a business begins with /test/biz_… or /live/biz_…")
	}
	return ferry.Scope{Env: env, Business: ferry.BusinessID(id)}, nil
}
