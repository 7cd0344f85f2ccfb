package bankfeed

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/bank"
)

// readPage is how many credits are read at once.
const readPage = 100

// Forget drops what this process remembers of the feeds: bank and store begin anew.
func (s *Service) Forget() {
	s.read.Clear()
	s.reached.Clear()
	s.failing.Clear()
}

// Read books the credits of an environment's bank up to an instant: it reads the feed to
// its end, unless this process has done so since then. Errors: that of a bank that does not
// answer, ErrWaits when a credit waits, bank.ErrNone without a bank.
func (s *Service) Read(ctx context.Context, env ferry.Env, before time.Time) error {
	b, err := ferry.Provider(s.config.Banks, env, bank.ErrNone)
	if err != nil {
		return err
	}
	if last, known := s.read.Load(env); known && !last.(time.Time).Before(before) {
		return nil
	}
	began, err := ferry.Now(ctx, s.units.In(env))
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
			s.read.Store(env, began)
			return nil
		}
	}
}
