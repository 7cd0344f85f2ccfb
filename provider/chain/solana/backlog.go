package solana

import (
	"context"
	"fmt"
	"slices"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/ferrypay/ferry/provider/chain"
)

// listed is one signature of the list of an account.
type listed struct {
	signature sol.Signature
	slot      uint64
	failed    bool
}

// place is a signature in the list of an account.
type place struct {
	account   sol.PublicKey
	signature sol.Signature
}

// backlog is what follows a saved place: rest was listed and not read yet, and before it all up to
// after was read and moved nothing. A place is saved with a movement only, so without this a
// transaction that moved nothing would be read again and again.
type backlog struct {
	after sol.Signature
	rest  []listed
}

const (
	// maxBacklogs is how many lists are remembered, and maxRest how much of each.
	maxBacklogs, maxRest = 4096, 10_000
	// pageLength is how many signatures a node lists at once.
	pageLength = 1000
	// maxPages bounds the pages of one list that are read at once.
	maxPages = 1000
)

// follow lists what follows a place, oldest first.
func (c *Chain) follow(ctx context.Context, at place) ([]listed, error) {
	known, ok := c.lists.get(at)
	if !ok {
		known.after = at.signature
	}
	until := known.after
	if n := len(known.rest); n > 0 {
		until = known.rest[n-1].signature
	}
	newer, err := askNode(ctx, c, func(ctx context.Context, n *node) ([]listed, error) { return n.list(ctx, at.account, until) })
	return append(slices.Clip(known.rest), newer...), err
}

// note remembers that a list was read after the place was saved: all of it up to after, and rest
// is left.
func (c *Chain) note(saved place, after sol.Signature, rest []listed) {
	c.lists.put(saved, backlog{after, rest[:min(len(rest), maxRest)]}, maxBacklogs)
}

// list asks one node for the finalized transactions that name an account, after one of them,
// oldest first. Nodes list them newest first, and nothing at all below a signature that they do
// not know. So each page begins with the end of the page before, and a node that does not know
// that one has not answered.
func (n *node) list(ctx context.Context, account sol.PublicKey, until sol.Signature) ([]listed, error) {
	var all []*rpc.TransactionSignature
	length := pageLength
	for range maxPages {
		opts := &rpc.GetSignaturesForAddressOpts{Limit: &length, Until: until, Commitment: rpc.CommitmentFinalized}
		if len(all) > 1 {
			opts.Before = all[len(all)-2].Signature
		}
		page, err := call(ctx, n, func(ctx context.Context, r *rpc.Client) ([]*rpc.TransactionSignature, error) {
			page, err := r.GetSignaturesForAddressWithOpts(ctx, account, opts)
			if slices.Contains(page, nil) {
				err = errNoAnswer
			}
			return page, err
		})
		if err != nil {
			return nil, err
		}
		full := len(page) == length
		if len(all) > 0 {
			if len(page) == 0 || page[0].Signature != all[len(all)-1].Signature {
				return nil, fmt.Errorf("%w: %s does not go on with the list of %s", chain.ErrUnavailable, n.host, account)
			}
			page = page[1:]
		}
		all = append(all, page...)
		if !full {
			return oldestFirst(all), nil
		}
	}
	return nil, fmt.Errorf("%w: the list of %s is longer than %d", chain.ErrUnavailable, account, maxPages*pageLength)
}

func oldestFirst(all []*rpc.TransactionSignature) []listed {
	slices.Reverse(all)
	list := make([]listed, len(all))
	for i, s := range all {
		list[i] = listed{s.Signature, s.Slot, s.Err != nil}
	}
	return list
}
