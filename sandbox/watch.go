package sandbox

import (
	"context"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

func (c simChain) ChangeTokens(ctx context.Context, addresses []chain.Address) ([]chain.ChangeToken, error) {
	tokens, _, err := viewedEach(ctx, c, addresses, func(t *tip, slot uint64, owner chain.Address) (chain.ChangeToken, error) {
		var a account
		_, err := load(t, accountOf(owner), &a)
		return chain.ChangeToken(ordered(a.finalRow(t.finalized(slot)))), err
	})
	return tokens, err
}

func (c simChain) History(ctx context.Context, address chain.Address, after chain.Cursor, limit int) ([]chain.Movement, error) {
	if err := checkCursor(after, "a history"); err != nil {
		return nil, err
	}
	return viewed(ctx, c, func(t *tip, slot uint64) ([]chain.Movement, error) {
		moves, err := t.history(address, after, limit, t.finalized(slot))
		return mayRepeat(t, moves, limit, err)
	})
}

// mayRepeat repeats the first element of a list when that fault is armed.
func mayRepeat[T any](t *tip, list []T, limit int, err error) ([]T, error) {
	if err != nil || len(list) == 0 {
		return nil, err
	}
	struck, err := t.strike(TargetChain, Duplicate)
	return repeatFirst(list, struck == Duplicate, limit), err
}

// history returns the rows of an owner after a place that are final at a height.
func (t *tip) history(owner chain.Address, after chain.Cursor, limit int, finalized uint64) ([]chain.Movement, error) {
	rows, err := scan[row](t, historyOf(owner), string(after), limit)
	if err != nil {
		return nil, err
	}
	var moves []chain.Movement
	for _, r := range rows {
		if r.doc.Height > finalized {
			break
		}
		m, err := t.movement(r.doc, chain.Cursor(r.place))
		if err != nil {
			return nil, err
		}
		moves = append(moves, m)
	}
	return moves, nil
}

func (c simChain) Holdings(ctx context.Context, addresses []chain.Address) (chain.Holdings, error) {
	amounts, final, err := viewedEach(ctx, c, addresses, (*tip).holding)
	if err != nil {
		return chain.Holdings{}, err
	}
	return chain.Holdings{Slot: final, Amounts: amounts}, nil
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

// holding is the USDC that an owner held at the height that is final at a slot: what there
// is now without the rows of history that came later.
func (t *tip) holding(slot uint64, owner chain.Address) (money.Amount, error) {
	var a account
	if _, err := load(t, accountOf(owner), &a); err != nil {
		return money.Amount{}, err
	}
	held, finalized := a.Balances[USDCMint], t.finalized(slot)
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
	a, err := answered(ctx, w.read, atTip(func(t *tip) (a account, err error) {
		_, err = load(t, accountOf(owner), &a)
		return a, err
	}))
	return money.USDC(a.Balances[USDCMint]), err
}
