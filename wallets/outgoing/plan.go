package outgoing

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/internal/memo"
)

// plan is how an attempt is to be paid: which addresses give how much.
type plan struct {
	sources []Source
	keys    []wallets.SealedKey
	memo    string
}

var (
	// errNoFunds says that what the pool holds is committed to others for now.
	errNoFunds = errors.New("wallets: funds are promised to other attempts")
	// errFragments says that the funds lie on more addresses than one
	// transaction can draw from.
	errFragments = errors.New("wallets: funds lie on too many addresses")
	// errNothingToGather says that a treasury transfer is no longer needed.
	errNothingToGather = errors.New("wallets: nothing to gather")
)

// maxSources bounds the sources of one transaction, whatever the chain allows.
const maxSources = 16

// maxCandidates is how many addresses with a surplus are considered.
const maxCandidates = 64

// plan chooses the sources of the next attempt of a transfer, reads their keys
// and makes the memo unique. What it reads may be old: commitIn reads it again.
func (s *Service) plan(ctx context.Context, c chain.Chain, t Transfer) (p plan, err error) {
	unique, err := s.marks.Write(t.Scope.Env, memo.Mark{Transfer: string(t.ID), Attempt: t.Attempts + 1})
	if err != nil {
		return plan{}, err
	}
	err = ferry.MayBeOld(ctx, func(ctx context.Context) error {
		return s.units.In(t.Scope.Env).Read(ctx, func(ctx context.Context, tx wallets.Tx) error {
			p = plan{memo: memo.Unique(t.Memo, unique)}
			return s.planIn(ctx, tx, &p, t, sourcesFor(c, p.memo))
		})
	})
	return p, err
}

// planIn chooses at most limit sources of a plan, and reads their keys.
func (s *Service) planIn(ctx context.Context, tx wallets.Tx, p *plan, t Transfer, limit int) error {
	if err := s.config.MayLeave(ctx, tx, t.Scope.Env); err != nil {
		return err
	}
	if err := checkSender(ctx, tx, t); err != nil {
		return err
	}
	if err := awaitGathering(ctx, tx, t); err != nil {
		return err
	}
	candidates, err := findCandidates(ctx, tx, t)
	if err != nil {
		return err
	}
	if p.sources, err = chooseSigning(ctx, tx, t, candidates, limit); err != nil {
		return err
	}
	p.keys, err = sourceKeys(ctx, tx, candidates, p.sources)
	return err
}

// sourcesFor is how many sources leave room for the memo.
func sourcesFor(c chain.Chain, memo string) int {
	n := 1
	for n < maxSources && c.MaxMemo(n+1) >= len(memo) {
		n++
	}
	return n
}

// candidates are the addresses that could pay, in two orders.
type candidates struct {
	// near begins with the sender's own address, then has those of its
	// business, then all others; each part with the greatest surplus first.
	near []wallets.Custody
	// great has the greatest surplus first, of any owner.
	great []wallets.Custody
}

// findCandidates looks no further than the sender's own address when that has enough.
func findCandidates(ctx context.Context, tx wallets.Tx, t Transfer) (candidates, error) {
	var own wallets.Custody
	if t.Kind != Treasury {
		var err error
		if own, err = wallets.CustodyOf(ctx, tx, t.Scope.Env, t.FromID); err != nil {
			return candidates{}, err
		}
		if own.Surplus().Minor() >= t.Amount.Minor() {
			return candidates{near: []wallets.Custody{own}}, nil
		}
	}
	great, err := tx.Wallets().Surpluses(ctx, ferry.Scope{Env: t.Scope.Env}, maxCandidates)
	if err != nil || t.Kind == Treasury {
		return candidates{great: without(great, t.ToID)}, err
	}
	siblings, err := tx.Wallets().Surpluses(ctx, t.Scope, maxCandidates)
	if err != nil {
		return candidates{}, err
	}
	return candidates{near: nearest(own, siblings, great), great: great}, nil
}

// nearest joins the sender's own address and lists, each address once.
func nearest(own wallets.Custody, lists ...[]wallets.Custody) []wallets.Custody {
	joined := []wallets.Custody{own}
	seen := map[wallets.AddressID]bool{own.ID: true}
	for _, list := range lists {
		for _, custody := range list {
			if !seen[custody.ID] {
				seen[custody.ID] = true
				joined = append(joined, custody)
			}
		}
	}
	return joined
}

func without(list []wallets.Custody, id wallets.AddressID) []wallets.Custody {
	var rest []wallets.Custody
	for _, custody := range list {
		if custody.ID != id {
			rest = append(rest, custody)
		}
	}
	return rest
}

// choose picks at most limit sources: the nearest when they suffice, else the
// greatest. A treasury transfer takes all that the greatest have.
func choose(t Transfer, from candidates, limit int) ([]Source, error) {
	if t.Kind == Treasury {
		return gatherAll(from.great, limit)
	}
	if sources, enough := pick(from.near, t.Amount.Minor(), limit); enough {
		return sources, nil
	}
	if sources, enough := pick(from.great, t.Amount.Minor(), limit); enough {
		return sources, nil
	}
	if len(from.great) > limit {
		return nil, errFragments
	}
	return nil, errNoFunds
}

// pick takes what is needed, in minor units, in the order given.
func pick(from []wallets.Custody, need int64, limit int) (sources []Source, enough bool) {
	for _, custody := range from {
		if need == 0 || len(sources) == limit {
			break
		}
		part := min(custody.Surplus().Minor(), need)
		if part <= 0 {
			continue
		}
		sources = append(sources, sourceOf(custody, part))
		need -= part
	}
	return sources, need == 0
}

func gatherAll(from []wallets.Custody, limit int) ([]Source, error) {
	var sources []Source
	for _, custody := range from[:min(limit, len(from))] {
		sources = append(sources, sourceOf(custody, custody.Surplus().Minor()))
	}
	if len(sources) == 0 {
		return nil, errNothingToGather
	}
	return sources, nil
}

// sourceKeys reads the sealed keys of the chosen sources.
func sourceKeys(ctx context.Context, tx wallets.Tx, from candidates, sources []Source) ([]wallets.SealedKey, error) {
	owners := map[wallets.AddressID]ferry.Scope{}
	for _, list := range [][]wallets.Custody{from.near, from.great} {
		for _, custody := range list {
			owners[custody.ID] = custody.Scope
		}
	}
	keys := make([]wallets.SealedKey, len(sources))
	for i, source := range sources {
		var err error
		if keys[i], err = wallets.SealedKeyKind.Get(ctx, tx, owners[source.ID], source.ID); err != nil {
			return nil, err
		}
	}
	return keys, nil
}
