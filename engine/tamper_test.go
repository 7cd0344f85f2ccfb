package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
)

// tamper writes behind the back of the engine.
func (p *payroll) tamper(body func(context.Context, store.Tx) error) {
	p.Helper()
	require.NoError(p, p.Units(ferry.Test).Write(p.Context(), body))
}

// rewrite replaces a row behind the back of the engine.
func rewrite[K ~string, R any](p *payroll, kind *records.Kind[K, R], row R) {
	p.Helper()
	p.tamper(func(ctx context.Context, tx store.Tx) error { return kind.Update(ctx, tx, row) })
}

// add inserts a row behind the back of the engine.
func add[K ~string, R any](p *payroll, kind *records.Kind[K, R], row R) {
	p.Helper()
	p.tamper(func(ctx context.Context, tx store.Tx) error { return kind.Insert(ctx, tx, row) })
}

// read reads a row.
func read[K ~string, R any](p *payroll, kind *records.Kind[K, R], like R) (row R) {
	p.Helper()
	p.tamper(func(ctx context.Context, tx store.Tx) (err error) {
		row, err = kind.Anyones(ctx, tx, like)
		return err
	})
	return row
}

// embezzle moves a kobo from an account of the engine to that of what nobody owns.
func (p *payroll) embezzle(from ledger.System) {
	p.Helper()
	p.tamper(func(ctx context.Context, tx store.Tx) error {
		system := func(name ledger.System) ledger.AccountID {
			return ledger.SystemAccount(ferry.Test, name, money.AssetNGN)
		}
		return ledger.Post(ctx, tx.Ledger(), ledger.Move("embezzled", ferry.Test, "theft", "", system(from), system(ledger.Suspense), money.NGN(1), tx.Now()))
	})
}

// release gives back what was set aside under a name.
func (p *payroll) release(id ledger.ReservationID) {
	p.Helper()
	p.tamper(func(ctx context.Context, tx store.Tx) error { return ledger.Release(ctx, tx.Ledger(), id) })
}

// reserve sets money of an account aside under a name.
func (p *payroll) reserve(id ledger.ReservationID, account ledger.AccountID, amount money.Amount) {
	p.Helper()
	p.tamper(func(ctx context.Context, tx store.Tx) error {
		return ledger.Reserve(ctx, tx.Ledger(), ledger.Reservation{ID: id, Account: account, Amount: amount, At: tx.Now()})
	})
}

// account is that of the naira of the business.
func (p *payroll) account() ledger.AccountID { return ledger.BusinessAccount(p.scope, money.AssetNGN) }

// cleanBooks requires that an audit finds nothing.
func (p *payroll) cleanBooks() {
	p.Helper()
	found, err := p.Audit(p.Context(), ferry.Test)
	require.NoError(p, err)
	require.Empty(p, found)
}

// tells requires that an audit was clean, and that it finds what a fault makes wrong: the fault
// returns the subject of the finding.
func (p *payroll) tells(check, says string, fault func() (subject string)) {
	p.Helper()
	p.cleanBooks()
	subject := fault()
	found, err := p.Audit(p.Context(), ferry.Test)
	require.NoError(p, err)
	told := ""
	for _, f := range found {
		if f.Check == check && f.Subject == subject {
			told += f.Text + "\n"
		}
	}
	require.Contains(p, told, says, "%s: %v", subject, found)
}

// own runs a test of a payroll of its own.
func own(t *testing.T, name string, body func(*payroll)) {
	t.Run(name, func(t *testing.T) { body(newPayroll(t)) })
}
