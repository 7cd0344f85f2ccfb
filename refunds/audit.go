package refunds

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// Audit compares the refunds of one environment with the sums of their transactions and with
// the books: what is set aside for each open refund is what it needs, all refunds of a
// transaction together are not more than the transaction, and one that goes back on the chain
// stands where its transfer stands (check "refund"). It reads within one unit, so that it sees
// one state.
func Audit(ctx context.Context, tx Tx, env ferry.Env) ([]ledger.Finding, error) {
	a := audit{tx: tx, sums: map[statement.ID]statement.Refunds{}, owners: map[statement.ID]ferry.Scope{}, open: map[ledger.ReservationID]bool{}}
	for r, err := range Kind.Walk(ctx, tx, records.Where(records.Is("env", env))) {
		if err == nil {
			err = a.read(ctx, r)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(a.sums)) {
		if err := a.check(ctx, id); err != nil {
			return nil, err
		}
	}
	err := a.checkOthers(ctx, env)
	return a.findings, err
}

type audit struct {
	tx       Tx
	sums     map[statement.ID]statement.Refunds
	owners   map[statement.ID]ferry.Scope
	open     map[ledger.ReservationID]bool // reservations that there must be
	findings []ledger.Finding
}

func (a *audit) find(subject, text string, args ...any) {
	a.findings = append(a.findings, ledger.Finding{Check: "refund", Subject: subject, Text: fmt.Sprintf(text, args...)})
}

// read counts a refund, and compares an open one with its reservation.
func (a *audit) read(ctx context.Context, r Refund) error {
	sum := a.sums[r.Transaction]
	a.owners[r.Transaction] = r.Scope
	switch r.Status {
	case Successful:
		sum.Done += r.Amount.Minor()
	case Pending, Processing:
		sum.Open += r.Amount.Minor()
	}
	a.sums[r.Transaction] = sum
	if err := a.compareTransfer(ctx, r); err != nil {
		return err
	}
	if !r.holds() {
		return nil
	}
	held, err := r.held()
	if err != nil {
		return err
	}
	needed := held.Amount
	a.open[held.ID] = true
	found, err := a.tx.Ledger().Reservation(ctx, held.ID)
	switch {
	case errors.Is(err, ledger.ErrReservationNotFound):
		a.find(string(r.ID), "it needs %s, but nothing is reserved", needed)
	case err != nil:
		return err
	case found.State != ledger.Open || found.Account != held.Account || found.Amount.Minor() != needed.Minor():
		a.find(string(r.ID), "it needs %s, the reservation over %s is %s", needed, found.Amount, found.State)
	}
	return nil
}

// sentAs says how the transfer of a refund stands.
var sentAs = map[Status]wallets.TransferStatus{Processing: wallets.Pending, Successful: wallets.Success, Failed: wallets.Failed}

// compareTransfer compares a refund that goes back on the chain with its transfer.
func (a *audit) compareTransfer(ctx context.Context, r Refund) error {
	if r.Transfer == "" {
		return nil
	}
	t, err := outgoing.TransferKind.Get(ctx, a.tx, r.Scope, r.Transfer)
	switch {
	case errors.Is(err, wallets.ErrTransactionNotFound):
		a.find(string(r.ID), "its transfer %s is not there", r.Transfer)
	case err != nil:
		return err
	case t.Status != sentAs[r.Status] || t.Amount != r.Amount || string(t.To) != r.To.AccountNumber:
		a.find(string(r.ID), "it is %s with %s to %s, its transfer %s is %s with %s to %s",
			r.Status, r.Amount, r.To.AccountNumber, t.ID, t.Status, t.Amount, t.To)
	}
	return nil
}

// check compares the sums of a transaction with its refunds.
func (a *audit) check(ctx context.Context, id statement.ID) error {
	line, err := statement.Kind.Get(ctx, a.tx, a.owners[id], id)
	if err != nil {
		return err
	}
	if line.Refunds != a.sums[id] {
		a.find(string(id), "it counts %+v of refunds, they come to %+v", line.Refunds, a.sums[id])
	}
	if a.sums[id].Open+a.sums[id].Done > line.Amount.Minor() {
		a.find(string(id), "its refunds come to %+v, it is of %s", a.sums[id], line.Amount)
	}
	return nil
}

// checkOthers looks for reservations of refunds that are not open.
func (a *audit) checkOthers(ctx context.Context, env ferry.Env) error {
	open := ferry.WalkKeys(func(after ledger.ReservationID, limit int) ([]ledger.Reservation, error) {
		return a.tx.Ledger().OpenReservations(ctx, env, after, limit)
	}, func(r ledger.Reservation) ledger.ReservationID { return r.ID })
	for r, err := range open {
		if err != nil {
			return err
		}
		if strings.HasPrefix(string(r.ID), Prefix) && !a.open[r.ID] {
			a.find(string(r.ID), "%s is reserved, but the refund is not open", r.Amount)
		}
	}
	return nil
}
