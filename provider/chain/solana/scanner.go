package solana

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/ferrypay/ferry/provider/chain"
)

// Scanner is a Chain that reports activity: it reads every block, whatever the number of managed
// addresses. It is for a node of one's own, because the blocks of mainnet are megabytes each.
type Scanner struct {
	*Chain
	mu sync.Mutex
	// pending is who moved something in blocks that are confirmed and not final, by slot.
	pending map[uint64][]chain.Address
}

var _ chain.ActivityReporter = (*Scanner)(nil)

// Scanning returns the chain as one that reports activity.
func Scanning(c *Chain) *Scanner { return &Scanner{Chain: c, pending: map[uint64][]chain.Address{}} }

const (
	// maxScan is how many slots Activity goes back at most: about half an hour.
	maxScan = 5000
	// scanners is how many blocks are read at once.
	scanners = 8
)

// Activity reads the blocks after the cursor, which names a finalized slot, up to the newest
// confirmed one. Those that are not final are kept, and read once more when they are.
func (s *Scanner) Activity(ctx context.Context, since chain.Cursor) (chain.Activity, error) {
	final, err := ask(ctx, s.Chain, func(ctx context.Context, r *rpc.Client) (uint64, error) {
		return answered(r.GetSlot(ctx, rpc.CommitmentFinalized))
	})
	if err != nil {
		return chain.Activity{}, err
	}
	after := final
	if since != "" {
		if after, err = strconv.ParseUint(string(since), 10, 64); err != nil {
			return chain.Activity{}, fmt.Errorf("solana: %q is no cursor of activity", since)
		}
	}
	final = max(final, after) // the node that answers may lag
	if final-after > maxScan {
		return chain.Activity{}, fmt.Errorf("%w: %d slots have passed", chain.ErrCursorExpired, final-after)
	}
	slots, err := ask(ctx, s.Chain, func(ctx context.Context, r *rpc.Client) (rpc.BlocksResult, error) {
		slots, err := r.GetBlocks(ctx, after+1, nil, rpc.CommitmentConfirmed)
		if errors.Is(err, rpc.ErrNotFound) {
			return nil, nil
		}
		return slots, err
	})
	if err != nil {
		return chain.Activity{}, err
	}
	// What was not listed was not read: the node that lists may be behind the one that told final.
	if n := len(slots); n > 0 {
		final = min(final, max(after, slots[n-1]))
	} else {
		final = after
	}
	found, err := s.scan(ctx, slots, final)
	return chain.Activity{Addresses: found, Cursor: chain.Cursor(strconv.FormatUint(final, 10))}, err
}

// scan returns who moved something in some blocks, each once.
func (s *Scanner) scan(ctx context.Context, slots []uint64, final uint64) ([]chain.Address, error) {
	var all []chain.Address
	for some := range slices.Chunk(slots, scanners) {
		owners, failures := make([][]chain.Address, len(some)), make([]error, len(some))
		var reading sync.WaitGroup
		for i, slot := range some {
			reading.Go(func() { owners[i], failures[i] = s.block(ctx, slot, slot <= final) })
		}
		reading.Wait()
		if err := errors.Join(failures...); err != nil {
			return nil, err
		}
		all = append(all, slices.Concat(owners...)...)
	}
	s.mu.Lock()
	maps.DeleteFunc(s.pending, func(slot uint64, _ []chain.Address) bool { return slot <= final })
	s.mu.Unlock()
	slices.Sort(all)
	return slices.Compact(all), nil
}

// block returns who moved something in a block. One that is not final is kept until it is.
func (s *Scanner) block(ctx context.Context, slot uint64, final bool) ([]chain.Address, error) {
	s.mu.Lock()
	kept, known := s.pending[slot]
	s.mu.Unlock()
	if known && !final {
		return kept, nil
	}
	found, err := ask(ctx, s.Chain, func(ctx context.Context, r *rpc.Client) (*rpc.GetBlockResult, error) {
		newest, none, at := uint64(rpc.MaxSupportedTransactionVersion0), false, rpc.CommitmentConfirmed
		if final {
			at = rpc.CommitmentFinalized
		}
		return r.GetBlockWithOpts(ctx, slot, &rpc.GetBlockOpts{
			TransactionDetails: rpc.TransactionDetailsAccounts, Rewards: &none, Commitment: at, MaxSupportedTransactionVersion: &newest,
		})
	})
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal) && (refusal.Code == skipped || refusal.Code == longSkipped):
		return nil, nil // its fork was dropped meanwhile
	case errors.As(err, &refusal) && refusal.Code == cleanedUp:
		return nil, fmt.Errorf("%w: %s", chain.ErrCursorExpired, refusal.Message)
	case err != nil:
		return nil, err
	}
	owners := moversIn(found)
	if !final {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.pending[slot] = owners
	}
	return owners, nil
}

// moversIn is whose token accounts a block has changed, of any token program.
func moversIn(block *rpc.GetBlockResult) (owners []chain.Address) {
	for _, tx := range block.Transactions {
		if tx.Meta == nil || tx.Meta.Err != nil {
			continue
		}
		before := map[uint16]rpc.TokenBalance{}
		for _, b := range tx.Meta.PreTokenBalances {
			before[b.AccountIndex] = b
		}
		for _, b := range tx.Meta.PostTokenBalances {
			if old, was := before[b.AccountIndex]; !was || amountIn(old) != amountIn(b) {
				owners = append(owners, ownerIn(b))
			}
			delete(before, b.AccountIndex)
		}
		for _, b := range before { // their accounts were closed
			owners = append(owners, ownerIn(b))
		}
	}
	return owners
}

func amountIn(b rpc.TokenBalance) string {
	if b.UiTokenAmount == nil {
		return ""
	}
	return b.UiTokenAmount.Amount
}

func ownerIn(b rpc.TokenBalance) chain.Address {
	if b.Owner == nil {
		return chain.Address(sol.PublicKey{}.String())
	}
	return chain.Address(b.Owner.String())
}
