package solana

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/ferrypay/ferry/provider/chain"
)

// Statuses asks all nodes. A transaction is Found when one of them found it. It is finalized when
// all that answered say so, and with an error when two of several did. FinalizedHeight is the lowest that they name; it is 0, at which
// nothing is dead, when only one of several answered, or when one searched an older state than
// that of its height.
func (c *Chain) Statuses(ctx context.Context, signatures []chain.Signature) (chain.StatusReport, error) {
	if len(signatures) > chain.MaxStatuses {
		return chain.StatusReport{}, fmt.Errorf("solana: %d signatures, at most %d", len(signatures), chain.MaxStatuses)
	}
	asked := make([]sol.Signature, len(signatures))
	for i, s := range signatures {
		var err error
		if asked[i], err = sol.SignatureFromBase58(string(s)); err != nil {
			return chain.StatusReport{}, fmt.Errorf("solana: %q is no signature", s)
		}
	}
	heard, err := c.hear(ctx, asked)
	if err != nil {
		return chain.StatusReport{}, err
	}
	report := chain.StatusReport{FinalizedHeight: c.agreedHeight(heard)}
	for i := range asked {
		status, split := agreed(heard, i, NeededNodes(len(c.nodes)))
		if split {
			c.config.Logger.WarnContext(ctx, "nodes contradict each other about a transaction", "signature", signatures[i])
		}
		if err := c.dated(ctx, &status); err != nil {
			return chain.StatusReport{}, err
		}
		report.Statuses = append(report.Statuses, status)
	}
	return report, nil
}

// testimony is what one node knows.
type testimony struct {
	// height is the finalized block height that was read before the statuses, or 0 when the
	// statuses are older than that.
	height   uint64
	statuses []chain.Status
}

// hear asks all nodes at once. It fails when none answered.
func (c *Chain) hear(ctx context.Context, signatures []sol.Signature) ([]testimony, error) {
	all, failures := askAll(ctx, c, func(ctx context.Context, n *node) (testimony, error) { return n.testify(ctx, signatures) })
	var heard []testimony
	for i, err := range failures {
		if err == nil {
			heard = append(heard, all[i])
		}
	}
	if len(heard) == 0 {
		return nil, errors.Join(failures...)
	}
	return heard, nil
}

// testify asks one node: for its finalized height first, then for the statuses.
func (n *node) testify(ctx context.Context, signatures []sol.Signature) (t testimony, err error) {
	final, err := call(ctx, n, func(ctx context.Context, r *rpc.Client) (rpc.GetEpochInfoResult, error) {
		info, err := r.GetEpochInfo(ctx, rpc.CommitmentFinalized)
		if err != nil || info == nil || info.AbsoluteSlot == 0 {
			return rpc.GetEpochInfoResult{}, orNoAnswer(err)
		}
		return *info, nil
	})
	if err != nil || len(signatures) == 0 {
		return testimony{height: final.BlockHeight}, err
	}
	found, err := call(ctx, n, func(ctx context.Context, r *rpc.Client) (*rpc.GetSignatureStatusesResult, error) {
		found, err := r.GetSignatureStatuses(ctx, true, signatures...)
		if err != nil || len(found.Value) != len(signatures) {
			return nil, orNoAnswer(err)
		}
		return found, nil
	})
	if err != nil {
		return t, err
	}
	if found.Context.Slot >= final.AbsoluteSlot {
		t.height = final.BlockHeight
	}
	for _, s := range found.Value {
		t.statuses = append(t.statuses, statusOf(s))
	}
	return t, nil
}

// orNoAnswer is an error, or errNoAnswer when there is none.
func orNoAnswer(err error) error {
	if err == nil {
		return errNoAnswer
	}
	return err
}

// statusOf is a status without its time.
func statusOf(s *rpc.SignatureStatusesResult) chain.Status {
	if s == nil {
		return chain.Status{}
	}
	return chain.Status{Found: true, Commitment: chain.Commitment(s.ConfirmationStatus), Slot: s.Slot, Err: errorText(s.Err)}
}

// errorText is the error of a transaction, as a node writes it.
func errorText(err any) string {
	if err == nil {
		return ""
	}
	text, _ := json.Marshal(err)
	return string(text)
}

// agreedHeight is the height at which all that is said holds.
func (c *Chain) agreedHeight(heard []testimony) uint64 {
	if len(heard) < NeededNodes(len(c.nodes)) {
		return 0
	}
	height := heard[0].height
	for _, t := range heard {
		height = min(height, t.height)
	}
	return height
}

// agreed joins what nodes say of one signature, and reports whether one calls final what another
// does not find, or finds with another result. That a payment failed for good gives its money
// back, so it takes as many witnesses as that it is dead.
func agreed(heard []testimony, i, witnesses int) (status chain.Status, split bool) {
	for _, t := range heard {
		if s := t.statuses[i]; s.Found && s.Commitment.Rank() >= status.Commitment.Rank() {
			status = s
		}
	}
	if status.Commitment != chain.Finalized {
		return status, false
	}
	if status.Err != "" && len(heard) < witnesses {
		status.Commitment = chain.Confirmed
	}
	for _, t := range heard {
		switch s := t.statuses[i]; {
		case !s.Found || s.Err != status.Err || s.Slot != status.Slot:
			status.Commitment, split = chain.Confirmed, true
		case s.Commitment != chain.Finalized:
			status.Commitment = chain.Confirmed
		}
	}
	return status, split
}

// maxTimes is how many times of final blocks are kept.
const maxTimes = 10_000

// dated adds the time of its block to a status. That of a block that is not final may not be
// known.
func (c *Chain) dated(ctx context.Context, s *chain.Status) error {
	if !s.Found {
		return nil
	}
	at, known := c.times.get(s.Slot)
	if !known {
		found, err := ask(ctx, c, func(ctx context.Context, r *rpc.Client) (sol.UnixTimeSeconds, error) {
			at, err := r.GetBlockTime(ctx, s.Slot)
			if err != nil || at == nil {
				return 0, orNoAnswer(err)
			}
			return *at, nil
		})
		if s.Commitment != chain.Finalized {
			if err == nil {
				s.At = found.Time().UTC()
			}
			return nil
		}
		var refusal *Refusal
		if errors.As(err, &refusal) {
			return nil // the node has cleaned up the block, and its time is lost
		}
		if err != nil {
			return err
		}
		c.times.put(s.Slot, found, maxTimes)
		at = found
	}
	s.At = at.Time().UTC()
	return nil
}
