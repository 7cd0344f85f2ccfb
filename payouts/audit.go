package payouts

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
)

// Audit compares the payouts of one environment with their items and with the books: what is
// reserved for each, of the naira of its business, is what its open items cost, and its counts are
// those of its items (check "payout"). It reads within one unit, so that it sees one state.
func Audit(ctx context.Context, tx Tx, env ferry.Env) ([]ledger.Finding, error) {
	a := audit{tx: tx, items: map[ID]*sums{}, open: map[ledger.ReservationID]bool{}}
	if err := a.readItems(ctx, env); err != nil {
		return nil, err
	}
	for p, err := range Kind.Walk(ctx, tx, records.Where(records.Is("env", env))) {
		if err == nil {
			err = a.check(ctx, p)
		}
		if err != nil {
			return nil, err
		}
	}
	err := a.checkOthers(ctx, env)
	return a.findings, err
}

type audit struct {
	tx       Tx
	items    map[ID]*sums
	open     map[ledger.ReservationID]bool // reservations that there must be
	findings []ledger.Finding
}

// sums are what the items of a payout come to.
type sums struct {
	counts Counts
	open   money.Amount
}

func (a *audit) find(subject, text string, args ...any) {
	a.findings = append(a.findings, ledger.Finding{Check: "payout", Subject: subject, Text: fmt.Sprintf(text, args...)})
}

func (a *audit) readItems(ctx context.Context, env ferry.Env) error {
	for i, err := range ItemKind.Walk(ctx, a.tx, records.Where(records.Is("env", env))) {
		if err != nil {
			return err
		}
		s := a.items[i.Payout]
		if s == nil {
			s = &sums{open: money.NGN(0)}
			a.items[i.Payout] = s
		}
		*s.counts.in(i.Status)++
		if ItemLifecycle.Final(i.Status) {
			continue
		}
		slice, err := i.Slice()
		if err != nil {
			return err
		}
		if s.open, err = s.open.Add(slice); err != nil {
			return err
		}
	}
	return nil
}

// check compares one payout with its items and with its reservation.
func (a *audit) check(ctx context.Context, p Payout) error {
	of := a.items[p.ID]
	if of == nil {
		of = &sums{open: money.NGN(0)}
	}
	if p.Counts != of.counts || p.Status != of.counts.Status() {
		a.find(string(p.ID), "%s with counts %+v, its items come to %s with %+v", p.Status, p.Counts, of.counts.Status(), of.counts)
	}
	if p.Reserved != of.open {
		a.find(string(p.ID), "%s is set aside, its open items cost %s", p.Reserved, of.open)
	}
	if p.Reserved.IsZero() {
		return nil
	}
	a.open[p.reservation()] = true
	r, err := a.tx.Ledger().Reservation(ctx, p.reservation())
	switch {
	case errors.Is(err, ledger.ErrReservationNotFound):
		a.find(string(p.ID), "%s is set aside, but nothing is reserved", p.Reserved)
	case err != nil:
		return err
	case r.State != ledger.Open || r.Amount.Minor() != p.Reserved.Minor():
		a.find(string(p.ID), "%s is set aside, the reservation over %s is %s", p.Reserved, r.Amount, r.State)
	case r.Account != ledger.BusinessAccount(p.Scope, money.AssetNGN):
		a.find(string(p.ID), "%s is set aside, and it is reserved on %s", p.Reserved, r.Account)
	}
	return nil
}

// checkOthers looks for reservations of payouts that have no open items.
func (a *audit) checkOthers(ctx context.Context, env ferry.Env) error {
	open := ferry.WalkKeys(func(after ledger.ReservationID, limit int) ([]ledger.Reservation, error) {
		return a.tx.Ledger().OpenReservations(ctx, env, after, limit)
	}, func(r ledger.Reservation) ledger.ReservationID { return r.ID })
	for r, err := range open {
		if err != nil {
			return err
		}
		if strings.HasPrefix(string(r.ID), Prefix) && !a.open[r.ID] {
			a.find(string(r.ID), "%s is reserved, but the payout has no open items", r.Amount)
		}
	}
	return nil
}
