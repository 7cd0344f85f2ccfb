package onramp

import (
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// Audit holds the onramps of one environment against the books (check "onramp"):
//
//   - the account of onramps holds what came for orders and did not go back;
//   - each order holds what its stage says: less than its amount while it waits, all of it while
//     USDC are to be sent, the amount when they were, and nothing when it failed; an order from
//     which the bank recalled naira may hold less once USDC are on their way;
//   - what went back of a credit is what its return says;
//   - the transfer of an order was made for it, stands where the order stands, and sends its USDC to
//     its address; an order that has sent nothing has none;
//   - each transfer that was made for an onramp is that of the order.
//
// It reads within one unit, so that it sees one state.
func Audit(ctx context.Context, tx Tx, env ferry.Env) ([]ledger.Finding, error) {
	a := audit{ctx: ctx, tx: tx, env: env, orders: map[ID]Order{}, back: map[string]int64{}}
	for _, check := range []func() error{a.readOrders, a.checkReturns, a.checkTransfers, a.checkBooks} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return a.findings, nil
}

type audit struct {
	ctx    context.Context
	tx     Tx
	env    ferry.Env
	orders map[ID]Order
	// booked is what the books must hold, and back what must have gone back of bank sessions.
	booked   int64
	back     map[string]int64
	findings []ledger.Finding
}

func (a *audit) find(subject, text string, args ...any) {
	a.findings = append(a.findings, ledger.Finding{Check: "onramp", Subject: subject, Text: fmt.Sprintf(text, args...)})
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

// readOrder notes what an order must have brought, and looks whether it agrees with itself.
func (a *audit) readOrder(o Order) error {
	a.orders[o.ID] = o
	a.booked += o.booked()
	var counted int64
	for _, c := range o.Credits {
		a.back[c.Session] = c.Back
		if !c.Recalled {
			counted += c.Minor
		}
	}
	if o.Received.Minor() != counted {
		a.find(string(o.ID), "it has received %s, its credits come to %s", o.Received, money.NGN(counted))
	}
	if o.Status != statusOf(o.Stage) {
		a.find(string(o.ID), "it is %s in the stage %s", o.Status, o.Stage)
	}
	if !o.holdsRight() {
		a.find(string(o.ID), "it holds %s in the stage %s", money.NGN(o.booked()), o.Stage)
	}
	return a.checkTransferOf(o)
}

// holdsRight reports whether an order holds what its stage says, of the credits that were not
// recalled. What the bank recalls while USDC are on their way, or later, is missing for good.
func (o Order) holdsRight() bool {
	amount, held, recalled := o.Amount.Minor(), int64(0), false
	for _, c := range o.Credits {
		if c.Recalled {
			recalled = true
		} else {
			held += c.Minor - c.Back
		}
	}
	switch o.Stage {
	case ramp.AwaitingFunds:
		return held < amount
	case ramp.FundsReceived:
		return held >= amount
	case ramp.PaymentSubmitted:
		return held >= amount || recalled
	case ramp.Done:
		return held == amount || recalled && held < amount
	}
	return held == 0
}

// checkTransferOf compares an order with its transfer.
func (a *audit) checkTransferOf(o Order) error {
	wanted := map[ramp.Stage]wallets.TransferStatus{ramp.PaymentSubmitted: wallets.Pending, ramp.Done: wallets.Success}[o.Stage]
	if o.Stage == ramp.Refunded && o.Transfer != "" {
		wanted = wallets.Failed
	}
	if wanted == "" {
		if o.Transfer != "" {
			a.find(string(o.ID), "it is in the stage %s, and its transfer %s is made", o.Stage, o.Transfer)
		}
		return nil
	}
	t, err := outgoing.TransferKind.Anyones(a.ctx, a.tx, outgoing.Transfer{ID: o.Transfer})
	switch {
	case errors.Is(err, ferry.NotFound):
		a.find(string(o.ID), "it is in the stage %s, and its transfer %q is not there", o.Stage, o.Transfer)
		return nil
	case err == nil && (t.Origin != o.origin() || t.Status != wanted || t.Amount.Minor() != o.Crypto.Minor() || t.To != o.Address):
		a.find(string(o.ID), "it is in the stage %s with %s to %s, its transfer %s, made for %q, is %s with %s to %s",
			o.Stage, o.Crypto, o.Address, t.ID, t.Origin.ID, t.Status, t.Amount, t.To)
	}
	return err
}

// checkReturns compares what went back of credits with the returns.
func (a *audit) checkReturns() error {
	for r, err := range payments.ReturnKind.Walk(a.ctx, a.tx, records.Where(records.Is("env", a.env))) {
		if err != nil {
			return err
		}
		if back, ours := a.back[r.Session]; ours && back != r.Amount.Minor() {
			a.find(string(r.ID), "%s go back of session %s, its order says %s", r.Amount, r.Session, money.NGN(back))
		}
		delete(a.back, r.Session)
	}
	for session, back := range a.back {
		if back == 0 {
			continue
		}
		a.find(session, "%s are to go back, and there is no return", money.NGN(back))
	}
	return nil
}

// checkTransfers finds transfers that were made for an onramp and are not that of the order.
func (a *audit) checkTransfers() error {
	for t, err := range outgoing.TransferKind.Walk(a.ctx, a.tx, outgoing.OfOnrampsIn(a.env)) {
		if err != nil {
			return err
		}
		if o, found := a.orders[ID(t.Origin.ID)]; !found || o.Transfer != t.ID {
			a.find(string(t.ID), "it was made for %s, whose transfer is %q", t.Origin.ID, o.Transfer)
		}
	}
	return nil
}

// checkBooks compares the account of onramps with the orders.
func (a *audit) checkBooks() error {
	booked, err := ledger.Sum(a.ctx, a.tx.Ledger(), naira(a.env))
	if err == nil && booked.Minor() != a.booked {
		a.find(string(naira(a.env)), "orders hold %s, the books say %s", money.NGN(a.booked), booked)
	}
	return err
}
