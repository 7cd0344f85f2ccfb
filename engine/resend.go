package engine

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/payouts/transfers"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/ramp/onramp"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// ResendNewestIn sends the newest event again of the records that a name leads to,
// within a unit, and returns its id. They are the record with this id, in either
// form, and the payment, transfers, collection accounts, payout, refund, bill, onramp, offramp and crypto bill
// with this reference.
// Errors: webhook.ErrEventNotFound, webhook.ErrNoURL.
func (e *Engine) ResendNewestIn(ctx context.Context, tx store.Tx, scope ferry.Scope, name string) (eventID string, err error) {
	resources := []string{name}
	for _, prefix := range []string{
		payments.Prefix, statement.Prefix, payouts.Prefix, transfers.Prefix, refunds.Prefix, bills.Prefix, onramp.Prefix, offramp.Prefix, "addr_", "cus_", "vacc_", "racc_",
	} {
		if id, ok := ferry.CanonicalID(prefix, name); ok {
			resources = append(resources, id)
		}
	}
	for _, find := range byReference {
		id, err := find(ctx, tx, scope, name)
		if err != nil && !errors.Is(err, ferry.NotFound) {
			return "", err
		}
		if err == nil {
			resources = append(resources, id)
		}
	}
	return e.Webhooks.ResendNewestIn(ctx, tx, scope, resources...)
}

// byReference find the ids of records by their references.
var byReference = []func(ctx context.Context, tx store.Tx, scope ferry.Scope, reference string) (id string, err error){
	func(ctx context.Context, tx store.Tx, scope ferry.Scope, reference string) (string, error) {
		p, err := statement.Named(reference, func(n statement.Name) (payments.Payment, error) {
			return payments.PaymentKind.Find(ctx, tx, payments.ByName, payments.PaymentNamed(scope, n))
		})
		return string(p.ID), err
	},
	func(ctx context.Context, tx store.Tx, scope ferry.Scope, reference string) (string, error) {
		t, err := outgoing.TransferByReference(ctx, tx, scope, reference)
		return string(t.ID), err
	},
	func(ctx context.Context, tx store.Tx, scope ferry.Scope, reference string) (string, error) {
		p, err := payouts.Kind.Find(ctx, tx, payouts.ByReference, payouts.Payout{Scope: scope, Reference: reference})
		return string(p.ID), err
	},
	func(ctx context.Context, tx store.Tx, scope ferry.Scope, reference string) (string, error) {
		t, err := transfers.Kind.Find(ctx, tx, transfers.ByReference, transfers.Transfer{Scope: scope, Reference: reference})
		return string(t.ID), err
	},
	func(ctx context.Context, tx store.Tx, scope ferry.Scope, reference string) (string, error) {
		r, err := refunds.Kind.Find(ctx, tx, refunds.ByReference, refunds.Refund{Scope: scope, Reference: reference})
		return string(r.ID), err
	},
	func(ctx context.Context, tx store.Tx, scope ferry.Scope, reference string) (string, error) {
		b, err := bills.Kind.Find(ctx, tx, bills.ByReference, bills.Bill{Scope: scope, Reference: reference})
		return string(b.ID), err
	},
	func(ctx context.Context, tx store.Tx, scope ferry.Scope, reference string) (string, error) {
		o, err := onramp.Kind.Find(ctx, tx, onramp.ByReference, onramp.Order{Scope: scope, Reference: reference})
		return string(o.ID), err
	},
	func(ctx context.Context, tx store.Tx, scope ferry.Scope, reference string) (string, error) {
		o, err := offramp.Kind.Find(ctx, tx, offramp.ByReference, offramp.Order{Scope: scope, Reference: reference})
		return string(o.ID), err
	},
	func(ctx context.Context, tx store.Tx, scope ferry.Scope, reference string) (string, error) {
		a, err := accounts.AccountKind.Find(ctx, tx, accounts.ByReference, accounts.Referred(scope, accounts.Virtual, reference))
		return string(a.ID), err
	},
	func(ctx context.Context, tx store.Tx, scope ferry.Scope, reference string) (string, error) {
		a, err := accounts.AccountKind.Find(ctx, tx, accounts.ByReference, accounts.Referred(scope, accounts.Reserved, reference))
		return string(a.ID), err
	},
}
