package sqlstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

type ledgerStore struct{ *unit }

var _ ledger.Store = ledgerStore{}

// Ledger returns the port of the books.
func (u *unit) Ledger() ledger.Store { return ledgerStore{u} }

func (s ledgerStore) OpenAccount(ctx context.Context, v ledger.Account) error {
	if err := s.writable(); err != nil {
		return err
	}
	if _, own := s.books.opened[v.ID]; own {
		return fmt.Errorf("%w: %s", ledger.ErrAccountExists, v.ID)
	}
	if v.Control != "" {
		if err := s.putUnder(ctx, v); err != nil {
			return err
		}
	}
	s.do(sqldb.Refusal(fmt.Errorf("%w: %s", ledger.ErrAccountExists, v.ID)),
		`INSERT INTO accounts (id, env, business, asset, uncounted, control) VALUES (?, ?, ?, ?, ?, (SELECT no FROM accounts WHERE id = ?))
		ON CONFLICT (id) DO NOTHING`,
		string(v.ID), string(v.Scope.Env), string(v.Scope.Business), v.Asset.String(), v.Uncounted, string(v.Control))
	s.books.open(v)
	return nil
}

// putUnder makes a new account the subsidiary of a control account.
func (s ledgerStore) putUnder(ctx context.Context, v ledger.Account) error {
	fault := fmt.Errorf("sqlstore: account %s cannot be summed by %s", v.ID, v.Control)
	control, err := s.facts(ctx, v.Control)
	if err != nil {
		return err
	}
	if v.Uncounted || control.uncounted || control.control != "" || control.asset != v.Asset {
		return fault
	}
	s.do(sqldb.Refusal(fault), `UPDATE accounts SET is_control = TRUE WHERE id = ? AND (is_control
		OR NOT EXISTS (SELECT 1 FROM entries WHERE entries.account = accounts.no))`, string(v.Control))
	return nil
}

func (s ledgerStore) Account(ctx context.Context, id ledger.AccountID) (ledger.Account, error) {
	a, own := s.books.opened[id]
	if !own {
		var err error
		if a, err = s.storedAccount(ctx, id); err != nil {
			return ledger.Account{}, err
		}
	}
	return s.books.addTo(a)
}

// storedAccount returns an account as the snapshot has it. The unit commits only
// if the balances are still the same then.
func (s ledgerStore) storedAccount(ctx context.Context, id ledger.AccountID) (ledger.Account, error) {
	a, err := s.snapshotAccount(ctx, id)
	if err != nil {
		return ledger.Account{}, err
	}
	s.remember(rowKey{"accounts", string(id)}, "SELECT 1 FROM accounts WHERE id = ? AND posted = ? AND reserved = ?",
		string(id), a.Posted.Minor(), a.Reserved.Minor())
	return *a, nil
}

// snapshotAccount returns an account as the snapshot has it.
func (s ledgerStore) snapshotAccount(ctx context.Context, id ledger.AccountID) (found *ledger.Account, err error) {
	if _, ahead := s.ahead.accounts[id]; ahead {
		err = s.all(ctx)
		found = s.ahead.accounts[id]
	} else {
		err = s.all(ctx, accountsWhere(func(a ledger.Account) { found = &a }, "a.id = ?", string(id)))
	}
	if err == nil && found == nil {
		err = s.noAccount(id)
	}
	return found, err
}

// noAccount remembers that an account is not there and says so.
func (s ledgerStore) noAccount(id ledger.AccountID) error {
	s.remember(rowKey{"accounts", string(id)}, "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE id = ?)", string(id))
	return fmt.Errorf("%w: %s", ledger.ErrAccountNotFound, id)
}

// accountsWhere reads accounts.
func accountsWhere(each func(ledger.Account), where string, args ...any) sqldb.Query {
	return sqldb.Query{SQL: `SELECT a.id, a.env, a.business, a.asset, a.uncounted, c.id, a.posted, a.reserved
		FROM accounts a LEFT JOIN accounts c ON c.no = a.control WHERE ` + where, Args: args,
		Each: func(scan func(...any) error) error {
			var a ledger.Account
			err := scan(&a.ID, &a.Scope.Env, &a.Scope.Business, asset(&a.Asset), &a.Uncounted, optional(&a.Control),
				amount(&a.Posted, &a.Asset), amount(&a.Reserved, &a.Asset))
			each(a)
			return err
		}}
}

func (s ledgerStore) Accounts(ctx context.Context, env ferry.Env, after ledger.AccountID, limit int) (all []ledger.Account, err error) {
	err = s.all(ctx, accountsWhere(func(a ledger.Account) { all = append(all, a) },
		"a.env = ? AND a.id > ? ORDER BY a.id LIMIT ?", string(env), string(after), int64(limit)))
	return all, err
}

func (s ledgerStore) Totals(ctx context.Context, scope ferry.Scope) ([]ledger.Total, error) {
	var totals []ledger.Total
	err := s.query(ctx, `SELECT asset, CAST(sum(posted) AS BIGINT), CAST(sum(reserved) AS BIGINT) FROM accounts
		WHERE env = ? AND business = ? AND NOT uncounted AND NOT is_control GROUP BY asset`,
		[]any{string(scope.Env), string(scope.Business)},
		func(scan func(...any) error) error {
			var t ledger.Total
			err := scan(asset(&t.Asset), amount(&t.Posted, &t.Asset), amount(&t.Reserved, &t.Asset))
			totals = append(totals, t)
			return err
		})
	return totals, err
}

// Legs finds the legs of the unit's own postings without their balances, which the commit
// computes.
func (s ledgerStore) Legs(ctx context.Context, id ledger.PostingID) ([]ledger.Entry, error) {
	if own, posted := s.books.posted[id]; posted {
		return slices.Clone(own), nil
	}
	legs, err := s.snapshotLegs(ctx, id)
	if err == nil && len(legs) == 0 {
		s.remember(rowKey{"postings", string(id)}, "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM postings WHERE id = ?)", string(id))
	}
	return legs, err
}

// snapshotLegs returns the legs of a posting as the snapshot has them.
func (s ledgerStore) snapshotLegs(ctx context.Context, id ledger.PostingID) (legs []ledger.Entry, err error) {
	if _, ahead := s.ahead.legs[id]; ahead {
		err = s.all(ctx)
		return slices.Clone(s.ahead.legs[id]), err
	}
	err = s.all(ctx, entriesWhere(func(e ledger.Entry) { legs = append(legs, e) }, "p.id = ? ORDER BY e.leg", string(id)))
	return legs, err
}

// entriesWhere reads entries.
func entriesWhere(each func(ledger.Entry), where string, args ...any) sqldb.Query {
	return sqldb.Query{SQL: `SELECT p.id, e.leg, a.id, a.asset, e.amount, e.balance_after, coalesce(c.id, ''), e.control_after, p.kind, p.ref, p.at
		FROM entries e JOIN postings p ON p.no = e.posting JOIN accounts a ON a.no = e.account LEFT JOIN accounts c ON c.no = a.control WHERE ` + where, Args: args,
		Each: func(scan func(...any) error) error {
			var e ledger.Entry
			var unit money.Asset
			var balance, control *int64
			err := scan(&e.ID.Posting, &e.ID.Leg, &e.Account, asset(&unit), amount(&e.Amount, &unit), &balance, &e.Control, &control,
				&e.Kind, &e.Ref, instant(&e.At))
			if balance != nil {
				e.BalanceAfter = money.Of(unit, *balance)
			}
			if control != nil {
				e.ControlAfter = money.Of(unit, *control)
			}
			each(e)
			return err
		}}
}

func (s ledgerStore) Entries(ctx context.Context, id ledger.AccountID, after ledger.EntryID, limit int) (all []ledger.Entry, err error) {
	if _, err := s.facts(ctx, id); err != nil {
		return nil, err
	}
	var from int64
	if after != (ledger.EntryID{}) {
		found, err := s.row(ctx, `SELECT e.no FROM entries e JOIN postings p ON p.no = e.posting JOIN accounts a ON a.no = e.account
			WHERE p.id = ? AND e.leg = ? AND a.id = ?`, []any{string(after.Posting), int64(after.Leg), string(id)}, &from)
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, fmt.Errorf("%w: %s on %s", ledger.ErrEntryNotFound, after, id)
		}
	}
	err = s.all(ctx, entriesWhere(func(e ledger.Entry) { all = append(all, e) },
		"e.account = (SELECT no FROM accounts WHERE id = ?) AND e.no > ? ORDER BY e.no LIMIT ?", string(id), from, int64(limit)))
	return all, err
}
