package webhook

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/ferrypay/ferry/lease"
)

// lookAgain is how often a pass that waits for endpoints looks for new work, in
// real time.
const lookAgain = 200 * time.Millisecond

// RunDue is one pass of the dispatcher. It claims the streams that are due and
// that there is room for, gives each of them one turn, which is one attempt, and
// returns how many turns have ended: when nothing is due and none is under way,
// or after limit of them. Due streams beyond the room stay unclaimed, for the
// first process with room.
//
// Turns that are under way when limit is reached go on, and the next pass counts
// them: a slow endpoint keeps no other waiting between two passes. See Wait. When
// ctx ends, the pass begins no more turns and waits for those under way.
func (s *Service) RunDue(ctx context.Context, limit int) (done int, err error) {
	look := time.NewTicker(lookAgain)
	defer look.Stop()
	for done < limit || ctx.Err() != nil {
		if err := s.beginDue(ctx); err != nil {
			return done, err
		}
		if s.turns.none() {
			return done, nil
		}
		select {
		case e := <-s.turns.ended:
			n, err := s.turns.end(e)
			if done += n; err != nil {
				return done, err
			}
		case <-look.C:
		}
	}
	return done, nil
}

// Wait returns when no turn is under way. A process that ends calls it after its
// last pass.
func (s *Service) Wait() {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for !s.turns.none() {
		_, _ = s.RunDue(ended, 0) // takeTurn has logged errors
	}
}

// beginDue begins turns until nothing is due, or there is no room for it.
func (s *Service) beginDue(ctx context.Context) error {
	return s.turns.begin(func(room lease.Room) ([]stream, error) {
		if ctx.Err() != nil {
			return nil, nil
		}
		now := s.config.Clock.Now() // before the lease begins
		claims, err := lease.ClaimShares(ctx, s.units, QueueStreams, s.config.lease(), room)
		streams := make([]stream, len(claims))
		for i, c := range claims {
			streams[i] = stream{claim: c, claimed: now}
		}
		return streams, err
	}, func(st stream) error { return s.takeTurn(ctx, st) })
}

// takeTurn delivers, and gives a stream that met a fault of the engine back for
// later, so that it keeps no other.
func (s *Service) takeTurn(ctx context.Context, st stream) error {
	err := lease.IgnoreLost(s.deliverSafely(ctx, st))
	if err == nil {
		return nil
	}
	s.config.Logger.Error("webhook stream failed", "stream", st.claim.Key, "error", err)
	return lease.IgnoreLost(s.giveBack(context.WithoutCancel(ctx), st, faultDelay))
}

// deliverSafely returns a panic as an error: it must not end the process.
func (s *Service) deliverSafely(ctx context.Context, st stream) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("webhook: panic: %v\n%s", r, debug.Stack())
		}
	}()
	return s.deliver(ctx, st)
}
