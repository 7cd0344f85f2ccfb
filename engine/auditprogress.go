package engine

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
)

// AuditProgress is how far an audit has come.
type AuditProgress struct {
	Env ferry.Env
	// Domain is the domain that is being audited: number Part of Parts.
	Domain      string
	Part, Parts int
	// Checked is how many accounts of the ledger were recounted, out of Of. In any other domain
	// it is how many rows were read, and Of is 0: nobody counted them before.
	Checked, Of int
}

// AuditWatched is Audit, and calls watch while it goes on: when a domain begins, and after each
// account or page of rows. The accounts of the ledger are read once more, to count them.
func (e *Engine) AuditWatched(ctx context.Context, env ferry.Env, watch func(AuditProgress)) ([]ledger.Finding, error) {
	at := AuditProgress{Env: env}
	for _, d := range e.domains {
		if d.audit != nil {
			at.Parts++
		}
	}
	return e.audit(ctx, env, func(tx store.Tx, d domain) (_ store.Tx, err error) {
		at.Domain, at.Checked, at.Of = d.Name, 0, 0
		if at.Part++; at.Part == 1 { // the ledger
			at.Of, err = countAccounts(ctx, tx.Ledger(), env)
		}
		w := &auditWatch{at: &at, watch: watch}
		w.count(0)
		return watchedTx{tx, w}, err
	})
}

func countAccounts(ctx context.Context, books ledger.Store, env ferry.Env) (n int, err error) {
	all := ferry.WalkKeys(func(after ledger.AccountID, limit int) ([]ledger.Account, error) {
		return books.Accounts(ctx, env, after, limit)
	}, func(a ledger.Account) ledger.AccountID { return a.ID })
	for _, err := range all {
		if err != nil {
			return 0, err
		}
		n++
	}
	return n, nil
}

// auditWatch counts what the audit of a domain reads.
type auditWatch struct {
	at    *AuditProgress
	watch func(AuditProgress)
}

func (w *auditWatch) count(n int) {
	w.at.Checked += n
	w.watch(*w.at)
}

// watchedTx is a unit whose walks are counted.
type watchedTx struct {
	store.Tx
	*auditWatch
}

// Unwrap returns the unit that is watched.
func (t watchedTx) Unwrap() store.Ports { return t.Tx }

func (t watchedTx) Records() records.Store { return watchedRecords{t.Tx.Records(), t.auditWatch} }
func (t watchedTx) Ledger() ledger.Store   { return watchedLedger{t.Tx.Ledger(), t.auditWatch} }

type watchedRecords struct {
	records.Store
	*auditWatch
}

func (s watchedRecords) After(ctx context.Context, kind *records.Shape, q records.Query, after string, limit int) ([]any, error) {
	rows, err := s.Store.After(ctx, kind, q, after, limit)
	s.count(len(rows))
	return rows, err
}

type watchedLedger struct {
	ledger.Store
	*auditWatch
}

// Entries counts the account, with its first page, where accounts are counted, and else the rows.
func (s watchedLedger) Entries(ctx context.Context, account ledger.AccountID, after ledger.EntryID, limit int) ([]ledger.Entry, error) {
	rows, err := s.Store.Entries(ctx, account, after, limit)
	switch {
	case s.at.Of == 0:
		s.count(len(rows))
	case after == ledger.EntryID{}:
		s.count(1)
	}
	return rows, err
}
