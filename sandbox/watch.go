package sandbox

import (
	"context"
	"fmt"
	"strings"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

func (c simChain) ChangeTokens(ctx context.Context, addresses []chain.Address) ([]chain.ChangeToken, error) {
	if len(addresses) > chain.MaxAddresses {
		return nil, fmt.Errorf("sandbox: %d addresses, at most %d", len(addresses), chain.MaxAddresses)
	}
	var tokens []chain.ChangeToken
	err := c.query(ctx, func(t *tip) error {
		slot, err := t.view()
		if err != nil {
			return err
		}
		tokens = make([]chain.ChangeToken, len(addresses))
		for i, address := range addresses {
			var a account
			if _, err := load(t, accountOf(address), &a); err != nil {
				return err
			}
			tokens[i] = chain.ChangeToken(ordered(a.finalRow(t.finalized(slot))))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return tokens, nil
}

func (c simChain) History(ctx context.Context, address chain.Address, after chain.Cursor, limit int) ([]chain.Movement, error) {
	if strings.Trim(string(after), "0123456789") != "" {
		return nil, fmt.Errorf("sandbox: %q is no cursor of a history", after)
	}
	var moves []chain.Movement
	err := c.query(ctx, func(t *tip) error {
		slot, err := t.view()
		if err != nil {
			return err
		}
		if moves, err = t.history(address, after, limit, t.finalized(slot)); err != nil {
			return err
		}
		if len(moves) == 0 {
			return nil
		}
		struck, err := t.strike(TargetChain, Duplicate)
		moves = repeatFirst(moves, struck == Duplicate, limit)
		return err
	})
	if err != nil {
		return nil, err
	}
	return moves, nil
}

// history returns the rows of an owner after a place that are final at a height.
func (t *tip) history(owner chain.Address, after chain.Cursor, limit int, finalized uint64) ([]chain.Movement, error) {
	prefix := historyOf(owner)
	docs, err := t.Scan(prefix, prefix+string(after), limit)
	if err != nil {
		return nil, err
	}
	var moves []chain.Movement
	for _, doc := range docs {
		var r row
		if err := decode(doc.Key, doc.Data, &r); err != nil {
			return nil, err
		}
		if r.Height > finalized {
			break
		}
		m, err := t.movement(r, chain.Cursor(strings.TrimPrefix(doc.Key, prefix)))
		if err != nil {
			return nil, err
		}
		moves = append(moves, m)
	}
	return moves, nil
}

func (c simChain) Holdings(ctx context.Context, addresses []chain.Address) (chain.Holdings, error) {
	if len(addresses) > chain.MaxAddresses {
		return chain.Holdings{}, fmt.Errorf("sandbox: %d addresses, at most %d", len(addresses), chain.MaxAddresses)
	}
	var held chain.Holdings
	err := c.query(ctx, func(t *tip) error {
		slot, err := t.view()
		if err != nil {
			return err
		}
		finalized := t.finalized(slot)
		held = chain.Holdings{Slot: t.finalSlot(slot), Amounts: make([]money.Amount, len(addresses))}
		for i, address := range addresses {
			if held.Amounts[i], err = t.holding(address, finalized); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return chain.Holdings{}, err
	}
	return held, nil
}

// finalSlot is the newest slot that is final as seen from a slot.
func (t *tip) finalSlot(from uint64) uint64 {
	finalized := t.finalized(from)
	for slot := from; ; slot-- {
		if t.height(slot) <= finalized {
			return slot
		}
	}
}

// holding is the USDC that an owner held at a height: what there is now without
// the rows of history that came later.
func (t *tip) holding(owner chain.Address, finalized uint64) (money.Amount, error) {
	var a account
	if _, err := load(t, accountOf(owner), &a); err != nil {
		return money.Amount{}, err
	}
	held := a.Balances[USDCMint]
	for n := a.Rows; n > 0; n-- {
		var r row
		if _, err := load(t, historyOf(owner)+ordered(n), &r); err != nil {
			return money.Amount{}, err
		}
		if r.Height <= finalized {
			break
		}
		if r.Mint == USDCMint {
			held -= r.Delta
		}
	}
	return money.USDC(held), nil
}

// Balance returns the USDC that an owner holds at the chain's tip.
func (w *World) Balance(ctx context.Context, owner chain.Address) (money.Amount, error) {
	var a account
	err := w.read(ctx, atTip(func(t *tip) error {
		a = account{}
		_, err := load(t, accountOf(owner), &a)
		return err
	}))
	return money.USDC(a.Balances[USDCMint]), err
}
