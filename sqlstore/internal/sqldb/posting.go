package sqldb

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
)

// Move is what is added to an account, in minor units.
type Move struct{ Posted, Reserved int64 }

// Journal is a posting as it is written: what it moves, and its entries.
type Journal struct {
	ledger.Posting
	Taken   error // when the id is
	Moves   []Movement
	Entries []Entry
}

// Movement is what is added to one account.
type Movement struct {
	Account ledger.AccountID
	Asset   money.Asset
	Move
	Control bool // it sums others: no posting names it
}

// Entry is a leg as it is written. The accounts have their final balances by
// then, so the legs that follow are taken off again.
type Entry struct {
	Account, Control    ledger.AccountID
	Uncounted           bool
	Minor               int64
	Later, ControlLater int64
}

// Statement returns the conditional update that moves an account.
func (m Movement) Statement() (sql string, args []any) {
	if m.Control {
		return "UPDATE accounts SET posted = posted + ?, reserved = reserved + ? WHERE id = ? AND posted <= ?",
			[]any{m.Posted, m.Reserved, string(m.Account), m.Most()}
	}
	return `UPDATE accounts SET posted = posted + ?, reserved = reserved + ?
		WHERE id = ? AND NOT is_control AND posted <= ? AND posted + ? >= reserved + ?`,
		[]any{m.Posted, m.Reserved, string(m.Account), m.Most(), m.Posted, m.Reserved}
}

// Step moves an account.
func (m Movement) Step() Step {
	sql, args := m.Statement()
	return Step{SQL: sql, Args: args, Refuse: m.Refuse}
}

// Refuse explains why an account did not move; nil if it can.
func (m Movement) Refuse(ctx context.Context, a Asker) error {
	if m.Control {
		return m.sumTooGreat(ctx, a)
	}
	return m.shortage(ctx, a)
}

// Most is the greatest balance that can take a move.
func (m Move) Most() int64 { return math.MaxInt64 - max(m.Posted, 0) }

// Plus adds another move of the same asset.
func (m Move) Plus(n Move, unit money.Asset) (Move, error) {
	posted, err := money.Of(unit, m.Posted).Add(money.Of(unit, n.Posted))
	if err != nil {
		return Move{}, err
	}
	reserved, err := money.Of(unit, m.Reserved).Add(money.Of(unit, n.Reserved))
	return Move{posted.Minor(), reserved.Minor()}, err
}

var errNoControl = errors.New("sqlstore: a control account is missing")

// sumTooGreat explains why a control account did not move.
func (m Movement) sumTooGreat(ctx context.Context, a Asker) error {
	var posted int64
	found, err := One(ctx, a, "SELECT posted FROM accounts WHERE id = ?", []any{string(m.Account)}, &posted)
	switch {
	case err != nil:
		return err
	case !found:
		return errNoControl
	case posted > m.Most():
		return fmt.Errorf("%w: on %s", money.ErrOverflow, m.Account)
	}
	return nil
}

// shortage explains why an account did not move: it has too little or too much,
// or nothing may be posted to it.
func (m Movement) shortage(ctx context.Context, a Asker) error {
	var posted, reserved int64
	var isControl bool
	found, err := One(ctx, a, "SELECT posted, reserved, is_control FROM accounts WHERE id = ?", []any{string(m.Account)}, &posted, &reserved, &isControl)
	switch {
	case err != nil:
		return err
	case !found:
		return fmt.Errorf("%w: %s", ledger.ErrAccountNotFound, m.Account)
	case isControl:
		return fmt.Errorf("sqlstore: nothing is posted to the control account %s itself", m.Account)
	case posted > m.Most():
		return fmt.Errorf("%w: on %s", money.ErrOverflow, m.Account)
	case posted+m.Posted >= reserved+m.Reserved:
		return nil
	case m.Posted < 0: // a settlement frees what it held before it posts
		return ledger.Insufficient(m.Account, money.Of(m.Asset, posted-reserved-m.Reserved), money.Of(m.Asset, -m.Posted))
	}
	return ledger.Insufficient(m.Account, money.Of(m.Asset, posted-reserved), money.Of(m.Asset, m.Reserved))
}

// PutPosting inserts a posting.
const PutPosting = "INSERT INTO postings (id, kind, ref, at) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"

func (j Journal) PutPostingArgs() []any { return []any{string(j.ID), j.Kind, j.Ref, j.At.UnixMicro()} }
