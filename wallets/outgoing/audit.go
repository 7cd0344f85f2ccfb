package outgoing

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/wallets"
)

// Audit compares the transfers of one environment with the books: every pending
// external transfer has its reservation, and no other transfer has one (check
// "transfer_reservation"). It reads within one unit, so that it sees one state.
func Audit(ctx context.Context, tx wallets.Tx, env ferry.Env) ([]ledger.Finding, error) {
	a := transferAudit{tx: tx, env: env, open: map[ledger.ReservationID]bool{}}
	for t, err := range TransferKind.Walk(ctx, tx, PendingIn(env)) {
		if err == nil && t.Kind != Treasury {
			err = a.checkReservation(ctx, t)
		}
		if err != nil {
			return nil, err
		}
	}
	err := a.checkOthers(ctx)
	return a.findings, err
}

type transferAudit struct {
	tx       wallets.Tx
	env      ferry.Env
	open     map[ledger.ReservationID]bool // reservations that there must be
	findings []ledger.Finding
}

func (a *transferAudit) find(subject, text string, args ...any) {
	a.findings = append(a.findings, ledger.Finding{Check: "transfer_reservation", Subject: subject, Text: fmt.Sprintf(text, args...)})
}

func (a *transferAudit) checkReservation(ctx context.Context, t Transfer) error {
	a.open[t.reservation()] = true
	total, err := t.Total()
	if err != nil {
		return err
	}
	r, err := a.tx.Ledger().Reservation(ctx, t.reservation())
	switch {
	case errors.Is(err, ledger.ErrReservationNotFound):
		a.find(string(t.ID), "pending, but nothing is reserved")
	case err != nil:
		return err
	case r.State != ledger.Open || r.Amount.Minor() != total.Minor():
		a.find(string(t.ID), "pending over %s, the reservation over %s is %s", total, r.Amount, r.State)
	}
	return nil
}

// checkOthers looks for reservations of transfers that are not pending.
func (a *transferAudit) checkOthers(ctx context.Context) error {
	open := ferry.WalkKeys(func(after ledger.ReservationID, limit int) ([]ledger.Reservation, error) {
		return a.tx.Ledger().OpenReservations(ctx, a.env, after, limit)
	}, func(r ledger.Reservation) ledger.ReservationID { return r.ID })
	for r, err := range open {
		if err != nil {
			return err
		}
		if strings.HasPrefix(string(r.ID), "trx_") && !a.open[r.ID] {
			a.find(string(r.ID), "%s is reserved, but the transfer is not pending", r.Amount)
		}
	}
	return nil
}
