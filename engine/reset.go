package engine

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

var (
	// ErrNoReset refuses to reset an engine that is no sandbox, or whose store is
	// no store.Resetter.
	ErrNoReset = ferry.NewError(ferry.Forbidden, "forbidden", "This server cannot be reset")
	// ErrNoDemo refuses to reset an engine without a demo business: no key would be
	// left.
	ErrNoDemo = ferry.NewError(ferry.Conflict, "invalid_state_transition", "There is no demo business to begin anew with")
)

// errReset ends the work that a reset overtakes.
var errReset = errors.New("engine: the sandbox was reset")

// Reset empties a sandbox: all rows of all businesses, the simulated world, and
// what was advanced of the clock. The demo businesses are there again as Bootstrap
// made them, with their ids, source accounts and credentials. Passes of workers,
// Advance and Drain that are under way end first; units of work wait until it is
// done. What a request began before, and goes on with after, finds nothing of
// its rows. On a real chain it is refused, as it would lose the keys of addresses. Errors:
// ErrNoReset, ErrNoDemo, ErrRealChain.
func (e *Engine) Reset(ctx context.Context) error {
	resetter, ok := e.backend.Backend.(store.Resetter)
	if e.production || !ok {
		return ErrNoReset
	}
	if e.realChain {
		return ErrRealChain.Saying("This sandbox runs on a real chain: a reset would lose the keys of its addresses")
	}
	demos := e.demos.all()
	if len(demos) == 0 {
		return ErrNoDemo
	}
	return e.standStill(ctx, func(ctx context.Context) error { return e.beginAnew(ctx, resetter, demos) })
}

// standStill ends passes of workers, Advance and Drain, and lets units wait until work is done. Work
// goes on when ctx ends, because half of it is of no use.
func (e *Engine) standStill(ctx context.Context, work func(context.Context) error) error {
	e.era.end()
	defer e.era.begin()
	e.advancing.Lock()
	defer e.advancing.Unlock()
	e.backend.gate.Lock()
	defer e.backend.gate.Unlock()
	return work(throughGate(context.WithoutCancel(ctx)))
}

func (e *Engine) beginAnew(ctx context.Context, resetter store.Resetter, demos []Tenant) error {
	if err := resetter.Reset(ctx); err != nil {
		return err
	}
	if err := e.World.Reset(ctx); err != nil {
		return err
	}
	e.noticeReset()
	if err := e.openSystemAccounts(ctx); err != nil {
		return err
	}
	for _, demo := range demos {
		if err := e.remake(ctx, demo); err != nil {
			return err
		}
	}
	return nil
}

// remake makes a demo business as it was made before.
func (e *Engine) remake(ctx context.Context, demo Tenant) error {
	again := newTenant{name: demoName, id: demo.Business.Scope.Business, given: demo.Credentials}
	if len(demo.Business.SourceAccounts) > 0 {
		again.source = demo.Business.SourceAccounts[0].ID
	}
	made, err := e.createTenant(ctx, ferry.Test, again)
	if err != nil {
		return err
	}
	return e.fund(ctx, made.Business, money.NGN(demoBalance), func(session string) (bool, error) {
		if err := e.BankFeed.Read(ctx, ferry.Test, e.clocks.Test.Now()); err != nil {
			return false, err
		}
		return e.BankFeed.Booked(ctx, ferry.Test, session)
	})
}

// noticeReset forgets what this process remembers of the rows of before, when
// the world was reset: by this process or by another one on its store.
func (e *Engine) noticeReset() {
	if !e.era.isNew(e.World.Resets()) {
		return
	}
	if backend, remembers := e.backend.Backend.(store.Forgetter); remembers {
		backend.Forget()
	}
	for _, d := range e.domains {
		if d.forget != nil {
			d.forget()
		}
	}
	for _, p := range e.workers {
		p.nudge.Wake() // each begins as when the process was started
	}
}

// AdoptDemo makes an existing business one that Reset makes again.
func (e *Engine) AdoptDemo(t Tenant) { e.demos.add(t) }

// demos are the businesses that Reset makes again.
type demos struct {
	mu    sync.Mutex
	known []Tenant
}

func (d *demos) add(t Tenant) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known = append(d.known, t)
}

func (d *demos) all() []Tenant {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]Tenant(nil), d.known...)
}

// era is the time between two resets.
type era struct {
	mu     sync.Mutex
	ctx    context.Context //nolint:containedctx // its end is what others wait for
	cancel context.CancelCauseFunc
	resets int // are waiting or under way
	number uint64
}

// end ends the work of the present era. What begins before the next era ends at
// once, too, so that the reset waits for nothing.
func (a *era) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.resets++
	a.present()
	a.cancel(errReset)
}

// begin begins the next era when no other reset is waiting.
func (a *era) begin() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.resets--; a.resets == 0 {
		a.ctx, a.cancel = nil, nil
	}
}

// present makes the context of the era unless it is there.
func (a *era) present() {
	if a.ctx == nil {
		a.ctx, a.cancel = context.WithCancelCause(context.Background())
	}
}

// isNew reports whether the world has begun another era than this process knew.
func (a *era) isNew(number uint64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.number
	a.number = number
	return number != known
}

// within returns a context that ends with ctx and with the present era.
func (a *era) within(ctx context.Context) (context.Context, context.CancelFunc) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.present()
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(a.ctx, func() { cancel(errReset) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// untilReset ends requests to receivers at a reset, so that a reset does not wait for a
// receiver that hangs. Otherwise an attempt outlasts the context of its pass.
type untilReset struct {
	era  *era
	next http.RoundTripper
}

func (u untilReset) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, end := u.era.within(r.Context())
	response, err := u.next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		end()
		return nil, err
	}
	response.Body = ending{response.Body, end}
	return response, nil
}

// ending is the body of a reply, with which something ends.
type ending struct {
	io.ReadCloser
	end func()
}

func (e ending) Close() error {
	defer e.end()
	return e.ReadCloser.Close()
}
