package storefault

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"

	"github.com/ferrypay/ferry/store"
)

// Lossy is a backend that commits a unit and reports an error. It is safe for
// concurrent use.
type Lossy struct {
	store.Backend
	fault   error
	nth     int64
	commits atomic.Int64
}

var _ store.Backend = (*Lossy)(nil)

// LoseReply returns backend with a fault: its n-th write unit that commits,
// counted from 1, returns err although it has committed. The caller has to look into the
// store to know.
func LoseReply(backend store.Backend, n int, err error) *Lossy {
	return &Lossy{Backend: backend, fault: err, nth: int64(n)}
}

// Commits is the number of write units that were committed.
func (l *Lossy) Commits() int { return int(l.commits.Load()) }

// Write runs body and may lose the good news.
func (l *Lossy) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
	if err := l.Backend.Write(ctx, body); err != nil {
		return err
	}
	if l.commits.Add(1) == l.nth {
		return l.fault
	}
	return nil
}

// Rerun returns backend, but every write body runs twice: first in a unit that is taken
// back, then in one that commits.
func Rerun(backend store.Backend) store.Backend { return rerun{backend} }

type rerun struct{ store.Backend }

var errTakeBack = errors.New("storefault: the first of two runs")

// Write runs body twice. The error of the first run is forgotten: the second
// one meets it too.
func (r rerun) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
	err := r.Backend.Write(ctx, func(ctx context.Context, p store.Ports) error {
		_ = body(ctx, p)
		return errTakeBack
	})
	if !errors.Is(err, errTakeBack) {
		return err
	}
	return r.Backend.Write(ctx, body)
}

// Late returns backend, but a write never fails when it is called: its error is
// kept and returned when the body has ended, and nothing of the unit remains.
func Late(backend store.Backend) store.Backend { return late{backend} }

type late struct{ store.Backend }

// Write runs body and returns the first error of its writes, or else its own.
func (l late) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
	return l.Backend.Write(ctx, func(ctx context.Context, p store.Ports) error {
		var first error
		err := body(ctx, hooked{p, hooks{
			before: func(string) error { return nil },
			after: func(err error) error {
				first = cmp.Or(first, err)
				return nil
			},
		}})
		return cmp.Or(first, err)
	})
}
