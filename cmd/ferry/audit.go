package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/client"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
	"github.com/ferrypay/ferry/store"
)

// Exit codes of audit and reconcile.
const (
	exitFindings   = 1
	exitCannotTell = 2
)

type auditCommand struct {
	remote
	storeChoice
}

var (
	errFindings = errors.New("the books have findings")
	errNoBooks  = errors.New("there are no books in it")
	// errNoHelpers is about servers of ferry serve, and about live keys.
	errNoHelpers = errors.New("this server audits nothing for this key: only ferry dev does, for a test key. " +
		"Audit the store itself: ferry audit --config FILE, on SQLite with the server stopped")
)

// report is what audit prints.
type report struct {
	Clean    bool          `json:"clean"`
	Findings []findingView `json:"findings"`
}

// Run prints {clean, findings[]}: of a server's test environment, or of a store.
func (c auditCommand) Run(ctx context.Context) error {
	found, err := c.report(ctx)
	return exitWith(orAsk(err), found.Clean, found)
}

// orAsk adds the other way to an error of a store that a server has open.
func orAsk(err error) error {
	if errors.Is(err, sqlite.ErrInUse) {
		return fmt.Errorf("%w, or ask it by --url and --key, without --store, --config and FERRY_STORE", err)
	}
	return err
}

func (c auditCommand) report(ctx context.Context) (found report, err error) {
	if !c.offline() {
		return c.ask(ctx)
	}
	err = c.inspect(ctx, func(e *engine.Engine) error {
		found, err = auditBooks(ctx, e, newProgress(os.Stderr))
		return err
	})
	return found, err
}

// ask lets a running server audit the test environment.
func (c auditCommand) ask(ctx context.Context) (found report, err error) {
	err = c.call(ctx, func(ctx context.Context, server *client.Client) error {
		audit, err := server.TestHelpers.Audit(ctx)
		if err != nil {
			return err
		}
		found = report{audit.Clean, []findingView{}}
		for _, f := range audit.Findings {
			found.Findings = append(found.Findings, findingView{Check: f.Check, Subject: f.Subject, Problem: f.Problem})
		}
		return nil
	})
	if r, ok := errors.AsType[*client.Error](err); ok && r.Status == http.StatusNotFound {
		err = errNoHelpers
	}
	return found, err
}

// lookInto opens the chosen store, which must have books, for a look at them. Its
// engine has no keys: it opens nothing that is sealed.
func (c storeChoice) inspect(ctx context.Context, look func(*engine.Engine) error) error {
	s, err := c.open(ctx)
	if err != nil {
		return err
	}
	test, err := onRecorded(ctx, s)
	if err == nil {
		err = lookInto(ctx, s, test, engine.Providers{}, look)
	}
	return errors.Join(err, closeStore(s))
}

func lookInto(ctx context.Context, s *sqlstore.Store, test, live engine.Providers, look func(*engine.Engine) error) error {
	if err := s.Read(ctx, func(ctx context.Context, tx store.Ports) error {
		used, err := hasBooks(ctx, tx)
		return errors.Join(err, onlyIf(err == nil && !used, errNoBooks))
	}); err != nil {
		return err
	}
	logger := warnings()
	e, err := engine.New(engine.Config{
		Store: s,
		World: sandbox.New(sandbox.Config{Store: s.World(), Logger: logger}),
		Test:  test, Live: live,
		Production: true, Sealer: seal.Ephemeral(), Pepper: make(business.Pepper, 32),
		Logger: logger,
	})
	if err != nil {
		return err
	}
	return look(e)
}

// findingView is a finding as it is printed.
type findingView struct {
	Environment ferry.Env `json:"environment,omitempty"` // a server says nothing of it
	Check       string    `json:"check"`
	Subject     string    `json:"subject"`
	Problem     string    `json:"problem"`
}

// environments are those whose books a store may have.
var environments = []ferry.Env{ferry.Test, ferry.Live}

// inspector opens a store for a look at it.
type inspector interface {
	inspect(context.Context, func(*engine.Engine) error) error
}

// gather is what a look at a store finds in all environments.
func gather[T any](ctx context.Context, c inspector, look func(*engine.Engine, ferry.Env) ([]T, error)) ([]T, error) {
	all := []T{}
	err := c.inspect(ctx, func(e *engine.Engine) error {
		for _, env := range environments {
			found, err := look(e, env)
			if err != nil {
				return err
			}
			all = append(all, found...)
		}
		return nil
	})
	return all, err
}

// wherever works in the environment of a store that knows what is meant; in others the
// work ends with unknown.
func wherever[T any](ctx context.Context, c inspector, unknown error, work func(*engine.Engine, ferry.Env) (T, error)) (done T, err error) {
	err = c.inspect(ctx, func(e *engine.Engine) (err error) {
		for _, env := range environments {
			if done, err = work(e, env); !errors.Is(err, unknown) {
				return err
			}
		}
		return err
	})
	return done, err
}

func auditBooks(ctx context.Context, e *engine.Engine, p *progress) (report, error) {
	defer p.end()
	all := []findingView{}
	for _, env := range environments {
		found, err := e.AuditWatched(ctx, env, func(at engine.AuditProgress) { p.say(viewProgress(at)) })
		if err != nil {
			return report{}, err
		}
		all = append(all, viewFindings(env, found)...)
	}
	return report{len(all) == 0, all}, nil
}

// viewProgress says what was checked of how much.
func viewProgress(at engine.AuditProgress) string {
	checked := fmt.Sprintf("%d rows", at.Checked)
	if at.Of > 0 {
		checked = fmt.Sprintf("%d of %d accounts", at.Checked, at.Of)
	}
	return fmt.Sprintf("audit of %s, part %d of %d (%s): %s", at.Env, at.Part, at.Parts, at.Domain, checked)
}

func viewFindings(env ferry.Env, found []ledger.Finding) []findingView {
	views := make([]findingView, 0, len(found))
	for _, f := range found {
		views = append(views, findingView{env, f.Check, f.Subject, f.Text})
	}
	return views
}

func exitCode(err error) int {
	if e, ok := errors.AsType[exitError](err); ok {
		return e.code
	}
	return 1
}
