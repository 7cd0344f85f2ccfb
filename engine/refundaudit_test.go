package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
)

// miscount changes the sums of refunds of the order.
func miscount(change func(*statement.Refunds)) func(refunder, refunds.Refund) {
	return func(r refunder, _ refunds.Refund) {
		line := r.line()
		change(&line.Refunds)
		r.tamper(func(ctx context.Context, tx store.Tx) error { return statement.Kind.Update(ctx, tx, line) })
	}
}

// setAside reserves naira of the business under a name.
func (r refunder) setAside(id ledger.ReservationID, kobo int64) {
	r.Helper()
	r.tamper(func(ctx context.Context, tx store.Tx) error {
		return ledger.Reserve(ctx, tx.Ledger(), ledger.Reservation{
			ID: id, Account: ledger.BusinessAccount(r.scope, money.AssetNGN), Amount: money.NGN(kobo), At: tx.Now(),
		})
	})
}

// added inserts another refund of the order like an open one, without a look at what is left.
func (r refunder) added(open refunds.Refund, kobo int64) refunds.Refund {
	r.Helper()
	another := open
	another.ID, another.Reference, another.Version = refunds.ID(refunds.Prefix+"0"), "another", 0
	another.Amount = money.NGN(kobo)
	r.tamper(func(ctx context.Context, tx store.Tx) error { return refunds.Kind.Insert(ctx, tx, another) })
	miscount(func(of *statement.Refunds) { of.Open += kobo })(r, open)
	return another
}

func TestTheAuditTellsOfRefundsThatDoNotAgreeWithTheirTransactionOrTheBooks(t *testing.T) {
	const ofLine, ofRefund = "line", "refund"
	for name, c := range map[string]struct {
		plant   func(refunder, refunds.Refund)
		subject string
		says    string
	}{
		"less is on its way back than is asked for": {miscount(func(of *statement.Refunds) { of.Open-- }), ofLine, "they come to"},
		"more is on its way back than is asked for": {miscount(func(of *statement.Refunds) { of.Open++ }), ofLine, "they come to"},
		"more went back than was paid":              {miscount(func(of *statement.Refunds) { of.Done++ }), ofLine, "they come to"},
		"more is asked for than came in": {func(r refunder, open refunds.Refund) {
			r.setAside(ledger.ReservationID(r.added(open, paidKobo).ID), paidKobo)
		}, ofLine, "it is of"},
		"a refund was made and nothing set aside": {func(r refunder, open refunds.Refund) {
			r.added(open, 100)
		}, "another", "nothing is reserved"},
		"less is set aside than a refund needs": {func(r refunder, open refunds.Refund) {
			r.setAside(ledger.ReservationID(r.added(open, 100).ID), 99)
		}, "another", "it needs"},
		"what an open refund needs was given back": {func(r refunder, open refunds.Refund) {
			r.tamper(func(ctx context.Context, tx store.Tx) error {
				return ledger.Release(ctx, tx.Ledger(), ledger.ReservationID(open.ID))
			})
		}, ofRefund, "it needs"},
		"money is set aside for a refund that is over": {func(r refunder, open refunds.Refund) {
			r.setAside(ledger.ReservationID(open.ID+":fee"), 1)
		}, "fee", "is not open"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRefunder(t, "0123456780")
			open := r.refunded(5_000_00, nil)
			done := r.refunded(1_000_00, automatic)
			r.pass(refunds.DefaultDelay * 2)
			require.Equal(t, refunds.Successful, r.found(done).Status)
			r.clean()

			c.plant(r, open)
			found, err := r.Audit(t.Context(), ferry.Test)
			require.NoError(t, err)
			require.Len(t, found, 1)
			require.Equal(t, "refund", found[0].Check)
			require.Contains(t, found[0].Text, c.says)
			require.Equal(t, map[string]string{
				ofLine: string(r.line().ID), ofRefund: string(open.ID), "fee": string(open.ID) + ":fee", "another": refunds.Prefix + "0",
			}[c.subject], found[0].Subject)
		})
	}
}
