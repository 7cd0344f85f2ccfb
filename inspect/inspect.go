package inspect

import (
	"cmp"
	"context"
	"html/template"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/worker"
)

// Config says what an inspector shows.
type Config struct {
	// API answers /v1, and everything else that is no page of the inspector: it is the server.
	// Required.
	API http.Handler
	// Tenant is the business that is shown. Required.
	Tenant engine.Tenant
	// Recorder has seen the requests. Required.
	Recorder *Recorder
	// Prefix is the path under which the handler is mounted. It begins and ends with a slash. Default: /.
	Prefix string
	// Place says where the sandbox keeps its data. Default: memory.
	Place string
	// Token lets who has it in from anywhere, by ?token= once. Without it only programs on this
	// machine may look.
	Token string
	// Seed fills an empty sandbox with a shop in which much has happened, for a press. Default: there is no
	// such button.
	Seed func(ctx context.Context) error
	// Logger logs faults of pages. Default: no log.
	Logger *slog.Logger
}

// Inspector is the pages over one engine, and what they know of it, before the server of the engine. It
// is safe for concurrent use.
type Inspector struct {
	engine *engine.Engine
	config Config
	api    api // recorded
	quiet  api // not recorded: what pages ask
	*Recorder
	follower  *follower
	templates *template.Template
	mux       *http.ServeMux
	books     atomic.Pointer[booksState]
	audits    worker.Nudge
	life      context.Context // ends with that of Run
	end       context.CancelFunc
	looked    atomic.Int64 // when somebody looked last, in Unix seconds
}

// pageTemplates are those that were compiled in.
var pageTemplates = sync.OnceValue(func() *template.Template { return parseTemplates("templates/*.html") })

// New returns an inspector over an engine. It shows requests and deliveries at once, and the rest
// while Run runs.
func New(e *engine.Engine, c Config) *Inspector {
	c.Prefix, c.Place = cmp.Or(c.Prefix, "/"), cmp.Or(c.Place, "memory")
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	c.Recorder.clock, c.Recorder.refusals.resets = e.Clock(ferry.Test), e.World.Resets
	c.Recorder.turns.resets, c.Recorder.turns.restores = e.World.Resets, e.World.Restores
	c.Recorder.turns.knownResets, c.Recorder.turns.knownRestores = e.World.Resets(), e.World.Restores() // those of before have no lines
	i := &Inspector{
		engine: e, config: c, Recorder: c.Recorder, mux: http.NewServeMux(),
		api:   api{c.Recorder.Requests(c.API), c.Tenant.SecretKey},
		quiet: api{c.API, c.Tenant.SecretKey},
	}
	i.life, i.end = context.WithCancel(context.Background())
	i.follower = &follower{Inspector: i}
	c.Recorder.catchUp = i.follower.catchUp
	i.templates = template.Must(pageTemplates().Clone()).Funcs(template.FuncMap{
		"prefix": func() string { return c.Prefix }, "goOf": func(a Act) string { return a.Go(c.Tenant.PublicKey) },
	})
	i.show("GET /{$}", "timeline", i.timeline)
	i.show("GET /things/{id}", "thing", i.thing)
	i.show("GET /lists/{kind}", "list", i.list)
	i.show("GET /requests", "requests", i.requestList)
	i.show("GET /requests/{seq}", "exchange", i.exchange(&i.requests))
	i.show("GET /deliveries/{seq}", "exchange", i.exchange(&i.deliveries))
	i.show("GET /webhooks", "webhooks", i.webhooks)
	i.show("GET /rails", "rails", i.rails)
	i.show("GET /faults", "faults", i.faults)
	i.show("GET /clock", "clock", i.clockPage)
	i.show("GET /books", "books", i.booksPage)
	i.show("GET /api", "api", i.operations)
	i.show("POST /keys", "keys", i.keys)
	i.show("GET /record", "record", i.record)
	i.mux.HandleFunc("GET /live", i.live)
	i.mux.HandleFunc("POST /do", i.do)
	i.mux.HandleFunc("POST /faults", i.armAPI)
	i.mux.HandleFunc("POST /seed", i.seed)
	i.mux.HandleFunc("POST /snapshot", i.aside(i.engine.Snapshot))
	i.mux.HandleFunc("POST /restore", i.aside(i.engine.Restore))
	i.mux.HandleFunc("POST /inbox", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	i.mux.HandleFunc("GET /inspect/{name}", serveAsset)
	return i
}

// serves reports whether a path is one of the inspector's.
func (i *Inspector) serves(path string) bool {
	rest, below := strings.CutPrefix(path, i.config.Prefix)
	if !below {
		return false
	}
	switch first, _, _ := strings.Cut(rest, "/"); first {
	case "", "live", "things", "lists", "requests", "deliveries", "webhooks", "rails", "faults", "clock", "books", "api", "keys", "record", "do", "seed", "snapshot", "restore", "inbox", "inspect":
		return true
	}
	return false
}

// ServeHTTP answers the pages, to who may see them, and records what Config.API answers.
func (i *Inspector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !i.serves(r.URL.Path) {
		i.api.handler.ServeHTTP(w, r)
		return
	}
	secure(w.Header())
	if !i.admit(w, r) {
		return
	}
	i.look()
	http.StripPrefix(strings.TrimSuffix(i.config.Prefix, "/"), i.mux).ServeHTTP(w, r)
}

// look notes that somebody watches. The first look has the books audited.
func (i *Inspector) look() {
	first := !i.watched()
	i.looked.Store(time.Now().Unix())
	if first {
		i.audits.Wake()
	}
}

// watched reports whether somebody has looked lately.
func (i *Inspector) watched() bool {
	return time.Now().Unix()-i.looked.Load() <= int64(watchedFor/time.Second)
}

// problem is an answer of a page that cannot be shown.
type problem struct {
	Status int    `json:"status"`
	Text   string `json:"message"`
}

func (p problem) Error() string { return p.Text }

// missing says that there is no such page.
func missing(text string) error { return problem{http.StatusNotFound, text} }

// view makes the data of a page.
type view func(ctx context.Context, r *http.Request) (any, error)

// show registers a page, which is HTML or JSON as the request prefers.
func (i *Inspector) show(pattern, name string, v view) {
	method, path, _ := strings.Cut(pattern, " ")
	i.mux.HandleFunc(method+" "+path, func(w http.ResponseWriter, r *http.Request) {
		data, err := v(r.Context(), r)
		if err != nil {
			i.sorry(w, r, err)
			return
		}
		i.write(w, r, http.StatusOK, name, data)
	})
}

// seqOf is the number that ends the path.
func seqOf(r *http.Request) int64 {
	seq, err := strconv.ParseInt(r.PathValue("seq"), 10, 64)
	if err != nil {
		return -1
	}
	return seq
}
