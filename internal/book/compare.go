package book

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
)

// Compared says which rows Compare compares.
type Compared struct {
	// Check is the check of its findings, and Noun what one row is called, as in "transfer".
	Check, Noun string
	// Prefix begins the ids of the rows, which are those of their reservations.
	Prefix string
}

// Compare compares rows of one environment with the books: each that is open has its cost set aside
// of the naira of its business, in a reservation of its own, and no other has. Of returns the payment of a row, its status, and
// whether it is open. It reads within one unit, so that it sees one state.
func Compare[R any](
	ctx context.Context, tx Tx, env ferry.Env, as Compared, rows iter.Seq2[R, error], of func(R) (p Payment, status string, open bool),
) (findings []ledger.Finding, err error) {
	find := func(subject, text string, args ...any) {
		findings = append(findings, ledger.Finding{Check: as.Check, Subject: subject, Text: fmt.Sprintf(text, args...)})
	}
	opened := map[ledger.ReservationID]bool{}
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		p, status, open := of(row)
		if !open {
			continue
		}
		id := ledger.ReservationID(p.ID)
		opened[id] = true
		cost, err := p.Cost()
		if err != nil {
			return nil, err
		}
		r, err := tx.Ledger().Reservation(ctx, id)
		switch {
		case errors.Is(err, ledger.ErrReservationNotFound):
			find(p.ID, "it is %s, but nothing is reserved", status)
		case err != nil:
			return nil, err
		case r.State != ledger.Open || r.Amount != cost:
			find(p.ID, "it is %s and costs %s, the reservation over %s is %s", status, cost, r.Amount, r.State)
		case r.Account != p.account():
			find(p.ID, "it is reserved on %s instead of %s", r.Account, p.account())
		}
	}
	reserved := ferry.WalkKeys(func(after ledger.ReservationID, limit int) ([]ledger.Reservation, error) {
		return tx.Ledger().OpenReservations(ctx, env, after, limit)
	}, func(r ledger.Reservation) ledger.ReservationID { return r.ID })
	for r, err := range reserved {
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(string(r.ID), as.Prefix) && !opened[r.ID] {
			find(string(r.ID), "%s is reserved, but no %s is open", r.Amount, as.Noun)
		}
	}
	return findings, nil
}
