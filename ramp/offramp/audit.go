package offramp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// Audit holds the offramps of one environment against the books (check "offramp"):
//
//   - each order whose naira are on their way to an account has them set aside, and no other order has;
//   - the newest bill of each order that pays one is open, delivered or refused as the order is, and
//     costs what the order has given; each earlier one was refused;
//   - the platform has given the naira of those orders and of the successful ones, and no others;
//   - what an order has received is the sum of its deposits that count, and those are held while
//     it is open and taken when it was paid; no other deposit is held or taken;
//   - each deposit that is not taken and not sent has itself set aside, and no other deposit has;
//   - each deposit on its way back stands where its transfer stands, which was made for it, and one
//     that is to be sent again has a transfer that moved nothing;
//   - each order says the address that custody says.
//
// It reads within one unit, so that it sees one state.
func Audit(ctx context.Context, tx Tx, env ferry.Env) ([]ledger.Finding, error) {
	a := audit{
		ctx: ctx, tx: tx, env: env, given: money.NGN(0),
		aside: map[ledger.ReservationID]ledger.Reservation{}, counted: map[ID]money.Amount{}, orders: map[ID]Order{},
	}
	for _, check := range []func() error{a.readOrders, a.readBills, a.readDeposits, a.checkReceived, a.checkReservations, a.checkGiven} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return a.findings, nil
}

type audit struct {
	ctx context.Context
	tx  Tx
	env ferry.Env
	// aside is what must be set aside, given the naira that the platform must have given, and
	// counted the USDC that came for an order and counts.
	aside    map[ledger.ReservationID]ledger.Reservation
	given    money.Amount
	counted  map[ID]money.Amount
	orders   map[ID]Order
	findings []ledger.Finding
}

func (a *audit) find(subject, text string, args ...any) {
	a.findings = append(a.findings, ledger.Finding{Check: "offramp", Subject: subject, Text: fmt.Sprintf(text, args...)})
}

func (a *audit) readOrders() error {
	for o, err := range Kind.Walk(a.ctx, a.tx, records.Where(records.Is("env", a.env))) {
		if err == nil {
			err = a.readOrder(o)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readOrder notes what an order must have set aside, and compares its address with custody.
func (a *audit) readOrder(o Order) (err error) {
	a.orders[o.ID], a.counted[o.ID] = o, money.USDC(0)
	if o.Status != statusOf(o.Stage) {
		a.find(string(o.ID), "it is %s in the stage %s", o.Status, o.Stage)
	}
	if o.Pays == ToBill {
		if err := a.compareBill(o); err != nil {
			return err
		}
	} else if o.open() {
		a.aside[o.reservation()] = ledger.Reservation{
			ID: o.reservation(), Account: ledger.BusinessAccount(o.Scope, money.AssetNGN), Amount: o.Amount,
		}
	}
	if o.open() || o.Stage == ramp.Done {
		if a.given, err = a.given.Add(o.Amount); err != nil {
			return err
		}
	}
	c, err := wallets.CustodyKind.Anyones(a.ctx, a.tx, wallets.Custody{ID: o.Address})
	switch {
	case errors.Is(err, ferry.NotFound):
		a.find(string(o.ID), "custody has no address %s", o.Address)
		return nil
	case err == nil && (c.Address != o.Deposit || c.Scope != platform(o.Scope.Env)):
		a.find(string(o.ID), "custody says %s of %q, the order %s", c.Address, c.Scope.Business, o.Deposit)
	}
	return err
}

// compareBill compares an order that pays a bill with its newest bill, which holds the naira.
func (a *audit) compareBill(o Order) error {
	if o.Bill == "" {
		if o.open() || o.Stage == ramp.Done {
			a.find(string(o.ID), "it is in the stage %s, and has no bill", o.Stage)
		}
		return nil
	}
	b, err := bills.Kind.Anyones(a.ctx, a.tx, bills.Bill{ID: o.Bill})
	if errors.Is(err, ferry.NotFound) {
		a.find(string(o.ID), "its bill %s is not there", o.Bill)
		return nil
	}
	if err != nil {
		return err
	}
	want := map[ramp.Stage]bills.Status{
		ramp.FundsReceived: bills.Pending, ramp.PaymentSubmitted: bills.Processing, ramp.Done: bills.Successful,
		ramp.PurchaseRefused: bills.Failed, ramp.Refunded: bills.Failed,
	}[o.Stage]
	cost, err := b.Cost()
	if err == nil && (b.Scope != o.Scope || b.PaidBy != string(o.ID) || b.Status != want || cost != o.Amount) {
		a.find(string(o.ID), "it is in the stage %s over %s, its bill %s, paid by %q, is %s and costs %s", o.Stage, o.Amount, b.ID, b.PaidBy, b.Status, cost)
	}
	return err
}

// readBills finds bills that were made for an order, are not its newest and were not refused.
func (a *audit) readBills() error {
	for b, err := range bills.Kind.Walk(a.ctx, a.tx, records.Where(records.Is("env", a.env))) {
		if err != nil {
			return err
		}
		if b.PaidBy == "" {
			continue
		}
		if o, found := a.orders[ID(b.PaidBy)]; !found || o.Bill != b.ID && b.Status != bills.Failed {
			a.find(string(b.ID), "it is %s, and is not the newest bill of %s", b.Status, b.PaidBy)
		}
	}
	return nil
}

func (a *audit) readDeposits() error {
	for d, err := range DepositKind.Walk(a.ctx, a.tx, records.Where(records.Is("env", a.env))) {
		if err == nil {
			err = a.readDeposit(d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readDeposit notes what a deposit must have set aside, and counts it for its order.
func (a *audit) readDeposit(d Deposit) (err error) {
	o, found := a.orders[d.Order]
	if !found || o.Scope != d.Scope || o.Address != d.Address {
		a.find(string(d.ID), "it is of %s, which is no order of that business with the address %s", d.Order, d.Address)
		return nil
	}
	if d.Rate != "" {
		if a.counted[d.Order], err = a.counted[d.Order].Add(d.Amount); err != nil {
			return err
		}
	}
	if !d.standsRight(o) {
		a.find(string(d.ID), "it is %s, and its order is in the stage %s", d.State, o.Stage)
	}
	if d.setAside() {
		r := d.reservation(d.CreatedAt)
		a.aside[r.ID] = r
	}
	return a.compareTransfer(d)
}

// standsRight reports whether a deposit is held, taken or neither, as its order has it.
func (d Deposit) standsRight(o Order) bool {
	switch {
	case d.Rate != "" && o.holds():
		return d.State == Held
	case d.Rate != "" && o.Stage == ramp.Done:
		return d.State == Taken
	}
	return d.State != Held && d.State != Taken
}

// compareTransfer compares a deposit with its newest transfer. One that was never sent has none.
func (a *audit) compareTransfer(d Deposit) error {
	if d.Transfer == "" && d.State != Sending && d.State != Returned {
		return nil
	}
	want := map[DepositState]wallets.TransferStatus{
		Sending: wallets.Pending, Returned: wallets.Success, Due: wallets.Failed, Kept: wallets.Failed,
	}[d.State]
	t, err := outgoing.TransferKind.Anyones(a.ctx, a.tx, outgoing.Transfer{ID: d.Transfer})
	switch {
	case errors.Is(err, ferry.NotFound):
		a.find(string(d.ID), "it is %s, and its transfer %s is not there", d.State, d.Transfer)
		return nil
	case err != nil:
		return err
	}
	total, err := t.Total()
	elsewhere := t.Status != wallets.Failed && t.To != d.backTo() // a person may send it on after it bounced
	if err == nil && (t.Origin != d.origin() || t.Status != want || total != d.Amount || elsewhere) {
		a.find(string(d.ID), "it is %s with %s of %s, its transfer %s, made for %q, is %s with %s to %s",
			d.State, d.Amount, d.backTo(), t.ID, t.Origin.ID, t.Status, total, t.To)
	}
	return err
}

// checkReceived compares what orders say that they have received with their deposits.
func (a *audit) checkReceived() error {
	for _, id := range slices.Sorted(maps.Keys(a.orders)) {
		o := a.orders[id]
		if o.Received.Minor() != a.counted[id].Minor() {
			a.find(string(id), "it has received %s, its deposits come to %s", o.Received, a.counted[id])
		}
	}
	return nil
}

// checkReservations compares what must be set aside with what is.
func (a *audit) checkReservations() error {
	open := ferry.WalkKeys(func(after ledger.ReservationID, limit int) ([]ledger.Reservation, error) {
		return a.tx.Ledger().OpenReservations(a.ctx, a.env, after, limit)
	}, func(r ledger.Reservation) ledger.ReservationID { return r.ID })
	for r, err := range open {
		if err != nil {
			return err
		}
		want, due := a.aside[r.ID]
		switch {
		case due && want.Account == r.Account && want.Amount.Minor() == r.Amount.Minor():
		case due:
			a.find(string(r.ID), "%s is reserved on %s instead of %s on %s", r.Amount, r.Account, want.Amount, want.Account)
		case strings.HasPrefix(string(r.ID), Prefix), strings.HasPrefix(string(r.ID), reservationPrefix):
			a.find(string(r.ID), "%s is reserved, and nothing needs it", r.Amount)
		}
		delete(a.aside, r.ID)
	}
	for _, id := range slices.Sorted(maps.Keys(a.aside)) {
		a.find(string(id), "%s is to be set aside, and nothing is reserved", a.aside[id].Amount)
	}
	return nil
}

// checkGiven compares the naira that the platform has given with the orders.
func (a *audit) checkGiven() error {
	booked, err := ledger.Sum(a.ctx, a.tx.Ledger(), platformNaira(a.env))
	if err == nil && booked.Minor() != -a.given.Minor() {
		a.find(string(platformNaira(a.env)), "orders came to %s, the books say %s", a.given, money.NGN(-booked.Minor()))
	}
	return err
}
