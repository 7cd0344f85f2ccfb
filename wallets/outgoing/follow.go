package outgoing

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// follow does what the status of a live attempt calls for. Only a finalized
// block ends it, or the proof that it can never be in one. In a hold its bytes
// are not sent again, because it is unknown whether they were sent before.
func (s *Service) follow(ctx context.Context, j job, seen statuses) error {
	status, answered := seen[j.live.Signature]
	switch {
	case !answered:
		return errLater
	case status.Found && status.Commitment.Rank() >= chain.Finalized.Rank():
		return s.conclude(ctx, j, status.Status)
	case status.Found:
		return errLater
	case j.live.outlived(status.height, s.config.Margin):
		return s.outlive(ctx, j)
	}
	c, err := s.config.Chains.In(j.transfer.Scope.Env)
	if err != nil {
		return errLater
	}
	err = s.mayLeave(ctx, j.transfer.Scope.Env)
	if errors.Is(err, ErrHeld) {
		return errLater
	}
	if err != nil {
		return err
	}
	s.send(ctx, c, j, *j.live)
	return errLater
}

// mayLeave returns ErrHeld while nothing may leave an environment.
func (s *Service) mayLeave(ctx context.Context, env ferry.Env) error {
	return s.units.In(env).Read(ctx, func(ctx context.Context, tx wallets.Tx) error { return s.config.MayLeave(ctx, tx, env) })
}
