package webhook

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/failpoint"
	"github.com/ferrypay/ferry/lease"
)

// lookAgain is how often a pass that waits for endpoints claims new work, in real time.
const lookAgain = 200 * time.Millisecond

// RunDue is one pass of the dispatcher. It claims due streams, as many as Config.Workers and
// Config.PerEndpoint allow. Each of them gets a turn: one attempt to deliver its next event.
// Streams beyond that stay unclaimed, for any process that can send them.
//
// RunDue returns how many turns have ended. It returns when nothing was due beside the turns
// that it claimed, and every turn is recorded. What was scheduled since then is for the next
// pass. It also returns after limit turns, but not while claimed turns wait to be sent: so a
// pass goes on through a backlog.
//
// Attempts that are under way when a pass returns go on, and the next pass counts them. So a
// slow endpoint delays no other between two passes. See Wait. When ctx ends, the pass begins
// no more attempts, and waits for those under way.
func (s *Service) RunDue(ctx context.Context, limit int) (done int, err error) {
	look := time.NewTicker(lookAgain)
	defer look.Stop()
	waiting, left := 0, true // left says that more may be due than was claimed
	for claim := true; ; {
		begins := func() bool { return claim && (done < limit || waiting > 0) && ctx.Err() == nil }
		if begins() {
			r, err := s.beginDue(ctx)
			done, left = done+r.ended, r.left
			if err != nil {
				s.turns.giveBack()
				return done, err
			}
			if claim = r.again; claim {
				continue
			}
		}
		if ctx.Err() != nil {
			s.turns.giveBack()
		}
		p := s.turns.progress()
		done, waiting = done+p.ended, p.waiting
		claim = p.due || p.room && (left || p.inHand > 0)
		switch {
		case p.err != nil:
			s.turns.giveBack()
			return done, p.err
		case begins():
			continue
		case p.inHand == 0:
			return done, nil
		case s.turns.queue.run():
			continue
		case done >= limit && ctx.Err() == nil && p.waiting == 0:
			return done, nil
		}
		select {
		case <-s.turns.changed:
		case <-look.C:
			claim = true
			s.turns.unblock()
		}
	}
}

// Wait returns when all attempts have ended and are recorded. A process that ends calls it
// after its last pass.
func (s *Service) Wait() {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for s.turns.progress().inHand > 0 {
		_, _ = s.RunDue(ended, 0) // errors are logged
	}
}

// round is what became of a round of claiming.
type round struct {
	ended int  // turns that have ended without an attempt
	again bool // more may be due at once: a turn has ended, or another process has claimed first
	left  bool // there was no room for all that was due
}

// beginDue claims due streams and lets their attempts begin.
func (s *Service) beginDue(ctx context.Context) (r round, failed error) {
	now := s.config.Clock.Now() // before the lease begins
	room, records := s.turns.room()
	offers, left, failed := lease.Offers(ctx, s.units, QueueStreams, room)
	r.left = left
	streams := map[ferry.Env][]stream{}
	for _, o := range offers {
		st := stream{offer: o, claimed: now}
		var err error
		if st.scope, st.resource, err = lease.ParseRecordKey(o.Key); err != nil {
			failed = errors.Join(failed, s.putOff(context.WithoutCancel(ctx), st, s.take, err))
			r.ended++
			continue
		}
		streams[st.scope.Env] = append(streams[st.scope.Env], st)
	}
	work := context.WithoutCancel(ctx) // an attempt that was made is recorded
	for env, all := range streams {
		for some := range slices.Chunk(all, batch) {
			asked := len(some)
			if some = s.turns.fitting(some); len(some) < asked {
				r.left = true
			}
			loaded, err := s.load(work, env, some)
			if errors.Is(err, lease.ErrLost) {
				r.again = true
				continue
			}
			failed = errors.Join(failed, err)
			r.ended += len(some) - len(loaded)
			for _, o := range loaded {
				o.pass = ctx
			}
			s.turns.begin(loaded, elapsed(now, s.config.Clock.Now()), records)
		}
	}
	r.again = r.again || r.ended > 0
	return r, failed
}

// send makes the attempt of a turn. It makes none when the pass had ended before, or when this
// process stood still for so long that another one may have made the attempt.
func (s *Service) send(o *outcome) {
	defer func() {
		if err := recovered(recover()); err != nil {
			s.config.Logger.Error("webhook stream failed", "stream", o.offer.Claim.Key, "error", err)
			o.wait = faultDelay
		}
	}()
	if !o.begun || !s.mayBegin(o.stream) {
		return
	}
	answer := s.attempt(context.WithoutCancel(o.pass), o.turn)
	failpoint.Hit(failpoint.AfterPost)
	o.answer = &answer
}

// inUnit runs a unit. It returns a panic as an error, because a panic must not end the process.
func (s *Service) inUnit(ctx context.Context, env ferry.Env, body func(context.Context, Tx) error) (err error) {
	defer func() { err = errors.Join(err, recovered(recover())) }()
	return s.units.In(env).Write(ctx, body)
}

// recovered returns the value of a panic as an error, or nil when there was none.
func recovered(r any) error {
	if r == nil {
		return nil
	}
	return fmt.Errorf("webhook: panic: %v\n%s", r, debug.Stack())
}

// alone works on one stream in a unit of its own, so that a fault of the engine delays no other
// stream. It begins with hold, which claims the stream or checks the claim. After a fault it
// gives the stream back for later. A lost claim is no fault.
func (s *Service) alone(ctx context.Context, st stream, hold func(context.Context, Tx, stream) error, body func(context.Context, Tx) error) (done bool, err error) {
	err = s.inUnit(ctx, st.scope.Env, func(ctx context.Context, tx Tx) error {
		if err := hold(ctx, tx, st); err != nil {
			return err
		}
		return body(ctx, tx)
	})
	if err == nil || errors.Is(err, lease.ErrLost) {
		return err == nil, nil
	}
	return false, s.putOff(ctx, st, hold, err)
}

// putOff logs the fault of a stream, and gives the stream back for later.
func (s *Service) putOff(ctx context.Context, st stream, hold func(context.Context, Tx, stream) error, fault error) error {
	s.config.Logger.Error("webhook stream failed", "stream", st.offer.Claim.Key, "error", fault)
	return lease.IgnoreLost(s.inUnit(ctx, st.offer.Claim.Queue.Env(), func(ctx context.Context, tx Tx) error {
		if err := hold(ctx, tx, st); err != nil {
			return err
		}
		return tx.Leases().Retry(ctx, st.offer.Claim, tx.Now().Add(faultDelay))
	}))
}

// take claims a stream.
func (s *Service) take(ctx context.Context, tx Tx, st stream) error {
	return tx.Leases().Take(ctx, st.offer, s.config.lease())
}

// check makes sure that the claim of a stream holds.
func (s *Service) check(ctx context.Context, tx Tx, st stream) error {
	return tx.Leases().Check(ctx, st.offer.Claim)
}
