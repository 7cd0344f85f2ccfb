package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
)

// Money moves by conditional updates and not by reading balances first, so that
// units on one busy account do not make each other run again. The balances that
// entries carry are computed where they are known: in the commit.

func (s ledgerStore) Post(ctx context.Context, p ledger.Posting) error {
	if err := s.writable(); err != nil {
		return err
	}
	moves, err := s.movesOf(ctx, p)
	if err != nil {
		return err
	}
	return s.post(ctx, p, moves)
}

// movesOf returns what a posting adds to each of its counted accounts.
func (s ledgerStore) movesOf(ctx context.Context, p ledger.Posting) (map[ledger.AccountID]move, error) {
	moves := map[ledger.AccountID]move{}
	for _, leg := range p.Legs {
		f, err := s.facts(ctx, leg.Account)
		if err != nil {
			return nil, err
		}
		if f.asset != leg.Amount.Asset() || f.env != p.Env {
			return nil, fmt.Errorf("sqlstore: a posting of %s cannot move %s on %s", p.Env, leg.Amount, leg.Account)
		}
		if f.uncounted {
			continue
		}
		sum, err := money.Of(f.asset, moves[leg.Account].posted).Add(leg.Amount)
		if err != nil {
			return nil, err
		}
		moves[leg.Account] = move{posted: sum.Minor()}
	}
	return moves, nil
}

// post adds the steps of a posting that moves its accounts so.
func (s ledgerStore) post(ctx context.Context, p ledger.Posting, moves map[ledger.AccountID]move) error {
	taken := fmt.Errorf("%w: %s", ledger.ErrPosted, p.ID)
	if s.books.posted[p.ID] {
		return taken
	}
	s.do(refusal(taken), "INSERT INTO postings (id, kind, ref, at) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
		string(p.ID), p.Kind, p.Ref, p.At.UnixMicro())
	if err := s.move(ctx, moves); err != nil {
		return err
	}
	for i := range p.Legs {
		if err := s.enter(ctx, p, i); err != nil {
			return err
		}
	}
	s.books.post(p)
	return nil
}

// move adds the steps that move accounts and their control accounts, in order of
// id so that no two commits wait for each other.
func (s ledgerStore) move(ctx context.Context, moves map[ledger.AccountID]move) error {
	controls := map[ledger.AccountID]move{}
	for _, id := range slices.Sorted(maps.Keys(moves)) {
		m := moves[id]
		f, err := s.facts(ctx, id)
		if err != nil {
			return err
		}
		s.do(shortage(id, f.asset, m), `UPDATE accounts SET posted = posted + ?, reserved = reserved + ?
			WHERE id = ? AND NOT is_control AND posted <= ? AND posted + ? >= reserved + ?`,
			m.posted, m.reserved, string(id), m.most(), m.posted, m.reserved)
		s.books.move(id, m)
		if f.control != "" {
			if controls[f.control], err = controls[f.control].plus(m, f.asset); err != nil {
				return err
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(controls)) {
		m := controls[id]
		if m != (move{}) {
			s.do(sumTooGreat(id, m), "UPDATE accounts SET posted = posted + ?, reserved = reserved + ? WHERE id = ? AND posted <= ?",
				m.posted, m.reserved, string(id), m.most())
			s.books.move(id, m)
		}
	}
	return nil
}

// most is the greatest balance that can take a move.
func (m move) most() int64 { return math.MaxInt64 - max(m.posted, 0) }

// plus adds another move of the same asset.
func (m move) plus(n move, unit money.Asset) (move, error) {
	posted, err := money.Of(unit, m.posted).Add(money.Of(unit, n.posted))
	if err != nil {
		return move{}, err
	}
	reserved, err := money.Of(unit, m.reserved).Add(money.Of(unit, n.reserved))
	return move{posted.Minor(), reserved.Minor()}, err
}

var errNoControl = errors.New("sqlstore: a control account is missing")

// sumTooGreat explains why a control account did not move.
func sumTooGreat(id ledger.AccountID, m move) func(context.Context, asker) error {
	return func(ctx context.Context, a asker) error {
		var posted int64
		found, err := one(ctx, a, "SELECT posted FROM accounts WHERE id = ?", []any{string(id)}, &posted)
		switch {
		case err != nil:
			return err
		case found && posted > m.most():
			return fmt.Errorf("%w: on %s", money.ErrOverflow, id)
		}
		return errNoControl
	}
}

// shortage explains why an account did not move: it has too little or too much,
// or nothing may be posted to it.
func shortage(id ledger.AccountID, unit money.Asset, m move) func(context.Context, asker) error {
	return func(ctx context.Context, a asker) error {
		var posted, reserved int64
		var isControl bool
		found, err := one(ctx, a, "SELECT posted, reserved, is_control FROM accounts WHERE id = ?", []any{string(id)}, &posted, &reserved, &isControl)
		switch {
		case err != nil:
			return err
		case !found:
			return fmt.Errorf("%w: %s", ledger.ErrAccountNotFound, id)
		case isControl:
			return fmt.Errorf("sqlstore: nothing is posted to the control account %s itself", id)
		case posted > m.most():
			return fmt.Errorf("%w: on %s", money.ErrOverflow, id)
		case m.posted < 0: // a settlement frees what it held before it posts
			return ledger.Insufficient(id, money.Of(unit, posted-reserved-m.reserved), money.Of(unit, -m.posted))
		}
		return ledger.Insufficient(id, money.Of(unit, posted-reserved), money.Of(unit, m.reserved))
	}
}

// enter adds the step that appends the entry of a leg. The accounts have their
// final balances by then, so the legs that follow are taken off again.
func (s ledgerStore) enter(ctx context.Context, p ledger.Posting, i int) error {
	account := p.Legs[i].Account
	f, err := s.facts(ctx, account)
	if err != nil {
		return err
	}
	var later, controlLater int64
	for _, leg := range p.Legs[i+1:] {
		other, err := s.facts(ctx, leg.Account)
		if err != nil {
			return err
		}
		if leg.Account == account {
			later += leg.Amount.Minor()
		}
		if f.control != "" && other.control == f.control {
			controlLater += leg.Amount.Minor()
		}
	}
	s.do(refusal(fmt.Errorf("sqlstore: posting %s cannot be entered on %s", p.ID, account)),
		`INSERT INTO entries (posting, leg, account, amount, balance_after, control_after)
		SELECT p.no, ?, a.no, ?, CASE WHEN NOT a.uncounted THEN a.posted - ? END, c.posted - ?
		FROM postings p CROSS JOIN accounts a LEFT JOIN accounts c ON c.no = a.control
		WHERE p.id = ? AND a.id = ? AND NOT a.is_control`,
		int64(i), p.Legs[i].Amount.Minor(), later, controlLater, string(p.ID), string(account))
	return nil
}
