package sqlstore

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
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
func (s ledgerStore) movesOf(ctx context.Context, p ledger.Posting) (map[ledger.AccountID]sqldb.Move, error) {
	moves := map[ledger.AccountID]sqldb.Move{}
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
		sum, err := money.Of(f.asset, moves[leg.Account].Posted).Add(leg.Amount)
		if err != nil {
			return nil, err
		}
		moves[leg.Account] = sqldb.Move{Posted: sum.Minor()}
	}
	return moves, nil
}

// post adds the steps of a posting that moves its accounts so.
func (s ledgerStore) post(ctx context.Context, p ledger.Posting, moves map[ledger.AccountID]sqldb.Move) error {
	taken := fmt.Errorf("%w: %s", ledger.ErrPosted, p.ID)
	if s.books.posted[p.ID] != nil {
		return taken
	}
	j := sqldb.Journal{Posting: p, Taken: taken}
	var err error
	if j.Moves, err = s.movements(ctx, moves); err != nil {
		return err
	}
	for i := range p.Legs {
		if err := s.enter(ctx, &j, i); err != nil {
			return err
		}
	}
	s.batch.Steps = append(s.batch.Steps, s.store.db.Post(j)...)
	s.books.post(p)
	return nil
}

// move adds the steps that move accounts outside a posting.
func (s ledgerStore) move(ctx context.Context, moves map[ledger.AccountID]sqldb.Move) error {
	movements, err := s.movements(ctx, moves)
	if err != nil {
		return err
	}
	for _, m := range movements {
		s.batch.Steps = append(s.batch.Steps, m.Step())
	}
	return nil
}

// movements returns what is added to accounts and to their control accounts, in
// order of id, and notes it as done.
func (s ledgerStore) movements(ctx context.Context, moves map[ledger.AccountID]sqldb.Move) ([]sqldb.Movement, error) {
	all := make([]sqldb.Movement, 0, 2*len(moves))
	controls := map[ledger.AccountID]sqldb.Movement{}
	for _, id := range slices.Sorted(maps.Keys(moves)) {
		m := moves[id]
		f, err := s.facts(ctx, id)
		if err != nil {
			return nil, err
		}
		all = append(all, sqldb.Movement{Account: id, Asset: f.asset, Move: m})
		if f.control != "" {
			sum, err := controls[f.control].Plus(m, f.asset)
			if err != nil {
				return nil, err
			}
			controls[f.control] = sqldb.Movement{Account: f.control, Asset: f.asset, Move: sum, Control: true}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(controls)) {
		if c := controls[id]; c.Move != (sqldb.Move{}) {
			all = append(all, c)
		}
	}
	for _, m := range all {
		s.books.move(m.Account, m.Move)
	}
	return all, nil
}

// enter adds the entry of a leg.
func (s ledgerStore) enter(ctx context.Context, j *sqldb.Journal, i int) error {
	leg := j.Legs[i]
	f, err := s.facts(ctx, leg.Account)
	if err != nil {
		return err
	}
	e := sqldb.Entry{Account: leg.Account, Control: f.control, Uncounted: f.uncounted, Minor: leg.Amount.Minor()}
	for _, leg := range j.Legs[i+1:] {
		other, err := s.facts(ctx, leg.Account)
		if err != nil {
			return err
		}
		if leg.Account == e.Account {
			e.Later += leg.Amount.Minor()
		}
		if f.control != "" && other.control == f.control {
			e.ControlLater += leg.Amount.Minor()
		}
	}
	j.Entries = append(j.Entries, e)
	return nil
}
