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
	j := journal{Posting: p, taken: taken}
	var err error
	if j.moves, err = s.movements(ctx, moves); err != nil {
		return err
	}
	for i := range p.Legs {
		if err := s.enter(ctx, &j, i); err != nil {
			return err
		}
	}
	s.batch.steps = append(s.batch.steps, s.store.db.post(j)...)
	s.books.post(p)
	return nil
}

// journal is a posting as it is written: what it moves, and its entries.
type journal struct {
	ledger.Posting
	taken   error // when the id is
	moves   []movement
	entries []entry
}

// movement is what is added to one account.
type movement struct {
	account ledger.AccountID
	asset   money.Asset
	move
	control bool // it sums others: no posting names it
}

// entry is a leg as it is written. The accounts have their final balances by
// then, so the legs that follow are taken off again.
type entry struct {
	account, control    ledger.AccountID
	uncounted           bool
	minor               int64
	later, controlLater int64
}

// move adds the steps that move accounts outside a posting.
func (s ledgerStore) move(ctx context.Context, moves map[ledger.AccountID]move) error {
	movements, err := s.movements(ctx, moves)
	if err != nil {
		return err
	}
	for _, m := range movements {
		s.batch.steps = append(s.batch.steps, m.step())
	}
	return nil
}

// movements returns what is added to accounts and to their control accounts, in
// order of id, and notes it as done.
func (s ledgerStore) movements(ctx context.Context, moves map[ledger.AccountID]move) ([]movement, error) {
	all := make([]movement, 0, 2*len(moves))
	controls := map[ledger.AccountID]movement{}
	for _, id := range slices.Sorted(maps.Keys(moves)) {
		m := moves[id]
		f, err := s.facts(ctx, id)
		if err != nil {
			return nil, err
		}
		all = append(all, movement{account: id, asset: f.asset, move: m})
		if f.control != "" {
			sum, err := controls[f.control].plus(m, f.asset)
			if err != nil {
				return nil, err
			}
			controls[f.control] = movement{account: f.control, asset: f.asset, move: sum, control: true}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(controls)) {
		if c := controls[id]; c.move != (move{}) {
			all = append(all, c)
		}
	}
	for _, m := range all {
		s.books.move(m.account, m.move)
	}
	return all, nil
}

// statement returns the conditional update that moves an account.
func (m movement) statement() (sql string, args []any) {
	if m.control {
		return "UPDATE accounts SET posted = posted + ?, reserved = reserved + ? WHERE id = ? AND posted <= ?",
			[]any{m.posted, m.reserved, string(m.account), m.most()}
	}
	return `UPDATE accounts SET posted = posted + ?, reserved = reserved + ?
		WHERE id = ? AND NOT is_control AND posted <= ? AND posted + ? >= reserved + ?`,
		[]any{m.posted, m.reserved, string(m.account), m.most(), m.posted, m.reserved}
}

// step moves an account.
func (m movement) step() step {
	sql, args := m.statement()
	return step{sql: sql, args: args, refuse: m.refuse}
}

// refuse explains why an account did not move; nil if it can.
func (m movement) refuse(ctx context.Context, a asker) error {
	if m.control {
		return m.sumTooGreat(ctx, a)
	}
	return m.shortage(ctx, a)
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
func (m movement) sumTooGreat(ctx context.Context, a asker) error {
	var posted int64
	found, err := one(ctx, a, "SELECT posted FROM accounts WHERE id = ?", []any{string(m.account)}, &posted)
	switch {
	case err != nil:
		return err
	case !found:
		return errNoControl
	case posted > m.most():
		return fmt.Errorf("%w: on %s", money.ErrOverflow, m.account)
	}
	return nil
}

// shortage explains why an account did not move: it has too little or too much,
// or nothing may be posted to it.
func (m movement) shortage(ctx context.Context, a asker) error {
	var posted, reserved int64
	var isControl bool
	found, err := one(ctx, a, "SELECT posted, reserved, is_control FROM accounts WHERE id = ?", []any{string(m.account)}, &posted, &reserved, &isControl)
	switch {
	case err != nil:
		return err
	case !found:
		return fmt.Errorf("%w: %s", ledger.ErrAccountNotFound, m.account)
	case isControl:
		return fmt.Errorf("sqlstore: nothing is posted to the control account %s itself", m.account)
	case posted > m.most():
		return fmt.Errorf("%w: on %s", money.ErrOverflow, m.account)
	case posted+m.posted >= reserved+m.reserved:
		return nil
	case m.posted < 0: // a settlement frees what it held before it posts
		return ledger.Insufficient(m.account, money.Of(m.asset, posted-reserved-m.reserved), money.Of(m.asset, -m.posted))
	}
	return ledger.Insufficient(m.account, money.Of(m.asset, posted-reserved), money.Of(m.asset, m.reserved))
}

// enter adds the entry of a leg.
func (s ledgerStore) enter(ctx context.Context, j *journal, i int) error {
	leg := j.Legs[i]
	f, err := s.facts(ctx, leg.Account)
	if err != nil {
		return err
	}
	e := entry{account: leg.Account, control: f.control, uncounted: f.uncounted, minor: leg.Amount.Minor()}
	for _, leg := range j.Legs[i+1:] {
		other, err := s.facts(ctx, leg.Account)
		if err != nil {
			return err
		}
		if leg.Account == e.account {
			e.later += leg.Amount.Minor()
		}
		if f.control != "" && other.control == f.control {
			e.controlLater += leg.Amount.Minor()
		}
	}
	j.entries = append(j.entries, e)
	return nil
}

// putPosting inserts a posting.
const putPosting = "INSERT INTO postings (id, kind, ref, at) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"

func (j journal) putPostingArgs() []any { return []any{string(j.ID), j.Kind, j.Ref, j.At.UnixMicro()} }
