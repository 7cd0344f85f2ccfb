package bankfeed

import (
	"context"
	"sync"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/bank"
)

// readPage is how many credits are read at once.
const readPage = 100

// readings remember when each bank's feed was last read to its end.
type readings struct {
	mu    sync.Mutex
	began map[ferry.Env]time.Time
}

// since reports whether a reading that came to the end began at an instant or later.
func (r *readings) since(env ferry.Env, at time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	began, known := r.began[env]
	return known && !began.Before(at)
}

func (r *readings) note(env ferry.Env, began time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.began == nil {
		r.began = map[ferry.Env]time.Time{}
	}
	r.began[env] = began
}

func (r *readings) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.began)
}

// Forget drops what this process remembers of the feeds: bank and store begin anew.
func (s *Service) Forget() {
	s.read.forget()
	s.failing.clear()
}

// Read books the credits of an environment's bank up to an instant: it reads the feed to
// its end, unless this process has done so since then. Errors: that of a bank that does not
// answer, ErrWaits when a credit waits, bank.ErrNone without a bank.
func (s *Service) Read(ctx context.Context, env ferry.Env, before time.Time) error {
	b, err := ferry.Provider(s.config.Banks, env, bank.ErrNone)
	if err != nil || s.read.since(env, before) {
		return err
	}
	began, err := ferry.InRead(ctx, s.units.In(env), func(_ context.Context, tx Tx) (time.Time, error) { return tx.Now(), nil })
	if err != nil {
		return err
	}
	for {
		done, waits, err := s.readFeed(ctx, env, b, readPage)
		switch {
		case err != nil:
			return err
		case done == 0 && waits:
			return ErrWaits
		case done == 0:
			s.read.note(env, began)
			return nil
		}
	}
}
