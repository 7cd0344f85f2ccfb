package outgoing

import (
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// sightings are what the chains showed of the live attempts of some jobs.
// Attempts of a chain that did not answer are missing.
type sightings map[chain.Signature]sighting

type sighting struct {
	chain.Status
	// height was finalized before the status was searched.
	height uint64
}

// look asks each chain for the live attempts of the jobs.
func (s *Service) look(ctx context.Context, jobs []job) sightings {
	wanted := map[ferry.Env][]chain.Signature{}
	for _, j := range jobs {
		if j.live != nil {
			env := j.transfer.Scope.Env
			wanted[env] = append(wanted[env], j.live.Signature)
		}
	}
	seen := sightings{}
	for env, signatures := range wanted {
		for len(signatures) > 0 {
			n := min(chain.MaxLook, len(signatures))
			err := s.lookInto(ctx, seen, env, signatures[:n])
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

func (s *Service) lookInto(ctx context.Context, seen sightings, env ferry.Env, signatures []chain.Signature) error {
	c, err := s.chain(env)
	if err != nil {
		return err
	}
	answer, err := c.Look(ctx, signatures)
	if err != nil {
		return err
	}
	if len(answer.Statuses) != len(signatures) {
		return fmt.Errorf("wallets: %d statuses for %d signatures", len(answer.Statuses), len(signatures))
	}
	for i, signature := range signatures {
		seen[signature] = sighting{answer.Statuses[i], answer.FinalizedHeight}
	}
	return nil
}
