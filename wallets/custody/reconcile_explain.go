package custody

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// explainer finds out what addresses should hold: what was booked, what the
// history has after the place up to which it was read, and what live attempts
// have moved that is booked when they settle.
type explainer struct {
	*Service
	chain chain.Chain
	env   ferry.Env
	// live are the live attempts by the addresses on which they move
	// something; nil before it is needed.
	live map[wallets.AddressID][]outgoing.Attempt
}

// explainTries is how often an address is looked at before it is said to drift:
// it may move on while it is looked at.
const explainTries = 3

func (e *explainer) explain(ctx context.Context, id wallets.AddressID) (Drift, error) {
	for try := 1; ; try++ {
		found, err := e.compare(ctx, id)
		if err != nil {
			return found, err
		}
		now, err := wallets.ReadCustody(ctx, e.units, e.env, id)
		steady := now.Version == found.Version
		if err != nil || steady && found.Holds.Minor() == found.Expected.Minor() {
			return found, err
		}
		if try == explainTries {
			if !steady {
				found.Expected = found.Holds // it moves all the time: the next pass will see
			}
			return found, nil
		}
		e.live = nil
	}
}

// compare compares one address with the chain, at one slot.
func (e *explainer) compare(ctx context.Context, id wallets.AddressID) (found Drift, err error) {
	if found.Custody, err = wallets.ReadCustody(ctx, e.units, e.env, id); err != nil {
		return found, err
	}
	held, err := e.holdings(ctx, []wallets.Custody{found.Custody})
	if err != nil {
		return found, err
	}
	found.Slot, found.Holds = held.Slot, held.Amounts[0]
	unread, err := e.unread(ctx, found.Custody, found.Slot)
	if err != nil {
		return found, err
	}
	late, err := e.late(ctx, id, unread, found.Slot)
	if err != nil {
		return found, err
	}
	found.Expected, err = e.expect(ctx, found.Custody, unread, late)
	return found, err
}

// unread are the movements of USDC up to a slot that had no effect on custody
// yet, by signature.
func (e *explainer) unread(ctx context.Context, custody wallets.Custody, slot uint64) (map[chain.Signature]money.Amount, error) {
	moves := map[chain.Signature]money.Amount{}
	for m, err := range chain.Movements(ctx, e.chain, custody.Address, custody.Cursor) {
		if err != nil {
			return nil, wallets.ErrUnavailable.Because(err)
		}
		if m.Supported && m.Slot <= slot {
			moves[m.Signature] = m.Delta
		}
	}
	return moves, nil
}

// late are the live attempts on an address that stand in a final block up to a
// slot although their movements were read before.
func (e *explainer) late(ctx context.Context, id wallets.AddressID, unread map[chain.Signature]money.Amount, slot uint64) ([]outgoing.Attempt, error) {
	if e.live == nil {
		var err error
		if e.live, err = e.liveByAddress(ctx); err != nil {
			return nil, err
		}
	}
	var late []outgoing.Attempt
	for _, a := range e.live[id] {
		if _, found := unread[a.Signature]; found {
			continue
		}
		seen, err := e.chain.Statuses(ctx, []chain.Signature{a.Signature})
		if err != nil || len(seen.Statuses) != 1 {
			return nil, wallets.ErrUnavailable.Because(err)
		}
		status := seen.Statuses[0]
		if status.Found && status.Commitment == chain.Finalized && status.Err == "" && status.Slot <= slot {
			late = append(late, a)
		}
	}
	return late, nil
}

// liveByAddress reads all live attempts.
func (e *explainer) liveByAddress(ctx context.Context) (map[wallets.AddressID][]outgoing.Attempt, error) {
	return ferry.InRead(ctx, e.units.In(e.env), func(ctx context.Context, tx wallets.Tx) (map[wallets.AddressID][]outgoing.Attempt, error) {
		live := map[wallets.AddressID][]outgoing.Attempt{}
		for a, err := range outgoing.LiveAttempts(ctx, tx, e.env) {
			if err != nil {
				return nil, err
			}
			for _, source := range a.Sources {
				live[source.ID] = append(live[source.ID], a)
			}
			if a.To != "" {
				live[a.To] = append(live[a.To], a)
			}
		}
		return live, nil
	})
}

// expect sums up what an address should hold. What an unread movement moved for
// an attempt that has settled is booked already.
func (e *explainer) expect(ctx context.Context, custody wallets.Custody, unread map[chain.Signature]money.Amount, late []outgoing.Attempt) (money.Amount, error) {
	return ferry.InRead(ctx, e.units.In(e.env), func(ctx context.Context, tx wallets.Tx) (money.Amount, error) {
		sum := custody.OnChain
		for signature, delta := range unread {
			booked, err := bookedOn(ctx, tx, custody, signature)
			if err == nil {
				delta, err = delta.Sub(booked)
			}
			if err == nil {
				sum, err = sum.Add(delta)
			}
			if err != nil {
				return sum, err
			}
		}
		for _, a := range late {
			effect, err := a.EffectOn(custody.ID)
			if err == nil {
				sum, err = sum.Add(effect)
			}
			if err != nil {
				return sum, err
			}
		}
		return sum, nil
	})
}

// bookedOn is what an attempt of ours that has settled changed on an address.
func bookedOn(ctx context.Context, tx wallets.Tx, custody wallets.Custody, signature chain.Signature) (money.Amount, error) {
	a, err := outgoing.AttemptBy(ctx, tx, custody.Scope.Env, signature)
	if errors.Is(err, outgoing.ErrAttemptNotFound) || err == nil && a.State != outgoing.AttemptLanded {
		return money.Of(wallets.Asset, 0), nil
	}
	if err != nil {
		return money.Amount{}, err
	}
	return a.EffectOn(custody.ID)
}
