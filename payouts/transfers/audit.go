package transfers

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/records"
)

// Audit compares the transfers of one environment with the books: each that is open has its
// cost set aside, and no other has (check "fiat transfer"). It reads within one unit, so that
// it sees one state.
func Audit(ctx context.Context, tx Tx, env ferry.Env) (findings []ledger.Finding, err error) {
	find := func(subject, text string, args ...any) {
		findings = append(findings, ledger.Finding{Check: "fiat transfer", Subject: subject, Text: fmt.Sprintf(text, args...)})
	}
	open := map[ledger.ReservationID]bool{}
	for t, err := range Kind.Walk(ctx, tx, records.Where(records.Is("env", env))) {
		if err != nil {
			return nil, err
		}
		if !t.open() {
			continue
		}
		open[t.reservation()] = true
		cost, err := t.booked().Cost()
		if err != nil {
			return nil, err
		}
		r, err := tx.Ledger().Reservation(ctx, t.reservation())
		switch {
		case errors.Is(err, ledger.ErrReservationNotFound):
			find(string(t.ID), "it is %s, but nothing is reserved", t.Status)
		case err != nil:
			return nil, err
		case r.State != ledger.Open || r.Amount != cost:
			find(string(t.ID), "it is %s and costs %s, the reservation over %s is %s", t.Status, cost, r.Amount, r.State)
		}
	}
	reserved := ferry.WalkKeys(func(after ledger.ReservationID, limit int) ([]ledger.Reservation, error) {
		return tx.Ledger().OpenReservations(ctx, env, after, limit)
	}, func(r ledger.Reservation) ledger.ReservationID { return r.ID })
	for r, err := range reserved {
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(string(r.ID), Prefix) && !open[r.ID] {
			find(string(r.ID), "%s is reserved, but no transfer is open", r.Amount)
		}
	}
	return findings, nil
}
