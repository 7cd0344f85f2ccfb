package outgoing

import (
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// statuses are what the chains showed of the live attempts of some jobs.
// Attempts of a chain that did not answer are missing.
type statuses map[chain.Signature]status

type status struct {
	chain.Status
	// height was finalized before the status was searched.
	height uint64
}

// statuses asks each chain for the live attempts of the jobs.
func (s *Service) statuses(ctx context.Context, jobs []job) statuses {
	wanted := map[ferry.Env][]chain.Signature{}
	for _, j := range jobs {
		if j.live != nil {
			env := j.transfer.Scope.Env
			wanted[env] = append(wanted[env], j.live.Signature)
		}
	}
	seen := statuses{}
	for env, signatures := range wanted {
		for len(signatures) > 0 {
			n := min(chain.MaxStatuses, len(signatures))
			err := s.addStatuses(ctx, seen, env, signatures[:n])
			if errors.Is(err, wallets.ErrNoChain) {
				break
			}
			if err != nil {
				s.config.Logger.WarnContext(ctx, "the chain was not seen", "env", env, "error", err)
				break
			}
			signatures = signatures[n:]
		}
	}
	return seen
}

func (s *Service) addStatuses(ctx context.Context, seen statuses, env ferry.Env, signatures []chain.Signature) error {
	c, err := s.config.Chains.In(env)
	if err != nil {
		return err
	}
	answer, err := c.Statuses(ctx, signatures)
	if err != nil {
		return err
	}
	if len(answer.Statuses) != len(signatures) {
		return fmt.Errorf("wallets: %d statuses for %d signatures", len(answer.Statuses), len(signatures))
	}
	for i, signature := range signatures {
		seen[signature] = status{answer.Statuses[i], answer.FinalizedHeight}
	}
	return nil
}
