package engine

import (
	"context"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
	"github.com/ferrypay/ferry/webhook"
)

// Listener is called with a fact, in the unit of work of the fact, after its rows were
// written. What the listener writes through tx is committed with them, or not at all. An
// error of a listener takes the unit back. The engine repeats background work later, so a
// listener that always fails stops the money.
//
// The unit may run again before it commits, and the listener with it. So a listener must
// change nothing but tx. It reads as the unit does (ferry.Units). It must not wait for a
// network and must not open a unit.
type Listener[T any] func(ctx context.Context, tx store.Tx, of T) error

// Listeners are those of a program, by fact. Those of one fact are called in turn, after
// the engine's own. docs/embedding.md shows one.
type Listeners struct {
	// DepositArrived is called with USDC that was credited to an address: from outside,
	// or from another address of the engine.
	DepositArrived []Listener[wallets.Transaction]
	// TransferSucceeded and TransferFailed are called at the end of transfers.
	TransferSucceeded, TransferFailed []Listener[outgoing.Transfer]

	// These are called with the events of payments, with the payment as the unit leaves it
	// (docs/api.md, "Event catalogue").
	PaymentSucceeded, PaymentFailed, PaymentPending, PaymentLate, PaymentReversed []Listener[payments.Payment]

	// These are called at the end of identity verifications.
	CustomerVerified, VerificationFailed []Listener[customers.Customer]

	// Event is called with every event, those above and webhook.TestType included. The
	// event has no Sequence and Cursor yet.
	Event []Listener[webhook.Event]
}

// ofPayments are the listeners of the events of payments.
func (l Listeners) ofPayments() map[string][]Listener[payments.Payment] {
	return map[string][]Listener[payments.Payment]{
		payments.EventSuccess:  l.PaymentSucceeded,
		payments.EventFailed:   l.PaymentFailed,
		payments.EventPending:  l.PaymentPending,
		payments.EventLate:     l.PaymentLate,
		payments.EventReversed: l.PaymentReversed,
	}
}

// ofCustomers are the listeners of the events of customers.
func (l Listeners) ofCustomers() map[string][]Listener[customers.Customer] {
	return map[string][]Listener[customers.Customer]{
		customers.EventVerified:           l.CustomerVerified,
		customers.EventVerificationFailed: l.VerificationFailed,
	}
}

// listening are units that call listeners with the events of a body, after the body has
// returned: before the commit, when all rows of the body are written.
type listening struct {
	ferry.Units[store.Tx]
	all       Listeners
	payments  map[string][]Listener[payments.Payment]
	customers map[string][]Listener[customers.Customer]
}

// listenedTo returns units that call listeners with events. Without listeners it returns the
// given units.
func listenedTo(units ferry.EnvUnits[store.Tx], l Listeners) ferry.EnvUnits[store.Tx] {
	heard := &listening{all: l, payments: l.ofPayments(), customers: l.ofCustomers()}
	if heard.none() {
		return units
	}
	of := func(env ferry.Env) ferry.Units[store.Tx] {
		in := *heard
		in.Units = units.In(env)
		return &in
	}
	return ferry.UnitsOf(of(ferry.Live), of(ferry.Test))
}

// none reports whether there is no listener to events.
func (l *listening) none() bool {
	count := len(l.all.Event)
	for _, list := range l.payments {
		count += len(list)
	}
	for _, list := range l.customers {
		count += len(list)
	}
	return count == 0
}

func (l *listening) Write(ctx context.Context, body func(context.Context, store.Tx) error) error {
	return l.Units.Write(ctx, func(ctx context.Context, tx store.Tx) error {
		heard := &listenedTx{Tx: tx}
		if err := body(ctx, heard); err != nil {
			return err
		}
		for len(heard.events) > 0 { // listeners may insert more
			event := heard.events[0]
			heard.events = slices.Delete(heard.events, 0, 1)
			if err := l.tell(ctx, heard, event); err != nil {
				return err
			}
		}
		return nil
	})
}

// tell calls every listener with an event.
func (l *listening) tell(ctx context.Context, tx store.Tx, event webhook.Event) error {
	if err := tellOfRow(ctx, tx, payments.PaymentKind, l.payments[event.Type], event); err != nil {
		return err
	}
	if err := tellOfRow(ctx, tx, customers.CustomerKind, l.customers[event.Type], event); err != nil {
		return err
	}
	return tellEach(ctx, tx, l.all.Event, event)
}

// tellOfRow calls listeners with the row that an event is about.
func tellOfRow[K ~string, R any](ctx context.Context, tx store.Tx, kind *records.Kind[K, R], listeners []Listener[R], event webhook.Event) error {
	if len(listeners) == 0 {
		return nil
	}
	row, err := kind.Get(ctx, tx, event.Scope, K(event.Resource))
	if err != nil {
		return err
	}
	return tellEach(ctx, tx, listeners, row)
}

func tellEach[T any](ctx context.Context, tx store.Tx, listeners []Listener[T], of T) error {
	return ferry.CallEach(listeners, func(hear Listener[T]) error { return hear(ctx, tx, of) })
}

// listenedTx is a unit that notes the events that are inserted.
type listenedTx struct {
	store.Tx
	events []webhook.Event
}

// Unwrap returns the unit that is listened to.
func (t *listenedTx) Unwrap() store.Ports { return t.Tx }

func (t *listenedTx) Outbox() webhook.Outbox { return listenedOutbox{t.Tx.Outbox(), t} }

type listenedOutbox struct {
	webhook.Outbox
	tx *listenedTx
}

func (o listenedOutbox) Insert(ctx context.Context, event webhook.Event) error {
	if err := o.Outbox.Insert(ctx, event); err != nil {
		return err
	}
	o.tx.events = append(o.tx.events, event)
	return nil
}
