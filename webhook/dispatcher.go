package webhook

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/failpoint"
	"github.com/ferrypay/ferry/lease"
)

// lookAgain is how often a pass that waits for endpoints looks for new work, in
// real time.
const lookAgain = 200 * time.Millisecond

// RunDue is one pass of the dispatcher. It claims the streams that are due and
// that there is room for, gives each of them one turn, which is one attempt, and
// returns how many turns have ended: when nothing is due and none is in hand, or
// after limit of them, when none waits for a place: a pass goes on while a backlog
// keeps the places busy. Due streams beyond the room stay unclaimed, for the first
// process with room.
//
// Attempts that are under way at the end of a pass go on, and the next pass counts
// them: a slow endpoint keeps no other waiting between two passes. See Wait. When
// ctx ends, the pass begins no more attempts and waits for those under way.
func (s *Service) RunDue(ctx context.Context, limit int) (done int, err error) {
	look := time.NewTicker(lookAgain)
	defer look.Stop()
	waiting := 0
	for claim := true; ; {
		begins := func() bool { return claim && (done < limit || waiting > 0) && ctx.Err() == nil }
		if begins() {
			n, err := s.beginDue(ctx)
			done += n
			if err != nil {
				s.turns.giveBack()
				return done, err
			}
			if claim = n > 0; claim { // what ended without an attempt may be due again
				continue
			}
		}
		if ctx.Err() != nil {
			s.turns.giveBack()
		}
		p := s.turns.progress()
		done, claim, waiting = done+p.ended, p.room, p.waiting
		switch {
		case p.err != nil:
			s.turns.giveBack()
			return done, p.err
		case begins():
			continue
		case p.inHand == 0, done >= limit && ctx.Err() == nil && p.waiting == 0:
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

// Wait returns when no turn is in hand. A process that ends calls it after its
// last pass.
func (s *Service) Wait() {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for s.turns.progress().inHand > 0 {
		_, _ = s.RunDue(ended, 0) // errors are logged
	}
}

// beginDue claims what is due and there is room for, and lets the attempts begin. It
// returns how many turns have ended without one.
func (s *Service) beginDue(ctx context.Context) (ended int, err error) {
	now := s.config.Clock.Now() // before the lease begins
	room, records := s.turns.room()
	claims, failed := lease.ClaimShares(ctx, s.units, QueueStreams, s.config.lease(), room)
	streams := map[ferry.Env][]stream{}
	for _, c := range claims {
		st := stream{claim: c, claimed: now}
		if st.scope, st.resource, err = lease.ParseRecordKey(c.Key); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		streams[st.scope.Env] = append(streams[st.scope.Env], st)
	}
	work := context.WithoutCancel(ctx) // an attempt that was made is recorded
	for env, some := range streams {
		loaded, err := s.load(work, env, some)
		failed = errors.Join(failed, err)
		ended += len(some) - len(loaded)
		s.turns.begin(loaded, elapsed(now, s.config.Clock.Now()), records, func(o *outcome) { s.send(ctx, o) })
	}
	return ended, failed
}

// send makes the attempt of a turn. A process that stood still for so long that another
// one may have made it makes none, nor does a pass whose ctx has ended.
func (s *Service) send(ctx context.Context, o *outcome) {
	defer func() {
		if err := recovered(recover()); err != nil {
			s.config.Logger.Error("webhook stream failed", "stream", o.claim.Key, "error", err)
			o.wait = faultDelay
		}
	}()
	if ctx.Err() != nil || !s.mayBegin(o.stream) {
		return
	}
	answer := s.attempt(context.WithoutCancel(ctx), o.turn)
	failpoint.Hit(failpoint.AfterPost)
	o.answer = &answer
}

// inUnit runs a unit. It returns a panic as an error: it must not end the process.
func (s *Service) inUnit(ctx context.Context, env ferry.Env, body func(context.Context, Tx) error) (err error) {
	defer func() { err = errors.Join(err, recovered(recover())) }()
	return s.units.In(env).Write(ctx, body)
}

// recovered returns what a panic was as an error, or nil.
func recovered(r any) error {
	if r == nil {
		return nil
	}
	return fmt.Errorf("webhook: panic: %v\n%s", r, debug.Stack())
}

// alone works on a stream in a unit of its own, and gives it back for later when that
// meets a fault of the engine, so that it keeps no other. A claim that was lost is no
// fault.
func (s *Service) alone(ctx context.Context, st stream, body func(context.Context, Tx) error) (done bool, err error) {
	env := st.scope.Env
	err = s.inUnit(ctx, env, func(ctx context.Context, tx Tx) error {
		if err := tx.Leases().Check(ctx, st.claim); err != nil {
			return err
		}
		return body(ctx, tx)
	})
	if err == nil || errors.Is(err, lease.ErrLost) {
		return err == nil, nil
	}
	s.config.Logger.Error("webhook stream failed", "stream", st.claim.Key, "error", err)
	return false, lease.IgnoreLost(s.inUnit(ctx, env, func(ctx context.Context, tx Tx) error {
		return tx.Leases().Retry(ctx, st.claim, tx.Now().Add(faultDelay))
	}))
}
