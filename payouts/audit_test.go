package payouts_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/store"
)

// audited are the findings of the audit, each without its subject when that is the payout.
func (o *office) audited(of payouts.ID) (texts []string) {
	o.Helper()
	require.NoError(o, o.in(func(ctx context.Context, tx store.Tx) error {
		found, err := payouts.Audit(ctx, tx, ferry.Test)
		for _, f := range found {
			require.Equal(o, "payout", f.Check)
			if f.Subject != string(of) {
				f.Text = f.Subject + ": " + f.Text
			}
			texts = append(texts, f.Text)
		}
		return err
	}))
	return texts
}

func TestTheAuditTellsOfAPayoutThatDoesNotAgreeWithItsItemsOrTheBooks(t *testing.T) {
	change := func(of func(*payouts.Payout)) func(*office, payouts.Payout) {
		return func(o *office, p payouts.Payout) {
			of(&p)
			require.NoError(o, o.in(func(ctx context.Context, tx store.Tx) error { return payouts.Kind.Update(ctx, tx, p) }))
		}
	}
	release := func(o *office, p payouts.Payout) {
		require.NoError(o, o.in(func(ctx context.Context, tx store.Tx) error {
			return ledger.Release(ctx, tx.Ledger(), ledger.ReservationID(string(p.ID)+":1"))
		}))
	}
	reserve := func(id string, kobo int64) func(*office, payouts.Payout) {
		return func(o *office, p payouts.Payout) {
			require.NoError(o, o.in(func(ctx context.Context, tx store.Tx) error {
				return ledger.Reserve(ctx, tx.Ledger(), ledger.Reservation{
					ID: ledger.ReservationID(string(p.ID) + id), Account: ledger.BusinessAccount(o.scope(), money.AssetNGN), Amount: money.NGN(kobo), At: tx.Now(),
				})
			}))
		}
	}
	for name, c := range map[string]struct {
		plant func(*office, payouts.Payout)
		says  []string
	}{
		"a count is wrong": {change(func(p *payouts.Payout) { p.Counts.Successful = 0 }), []string{"its items come to processing"}},
		"the status does not follow from the items": {
			change(func(p *payouts.Payout) { p.Status = payouts.Pending }), []string{"pending with counts"},
		},
		"less is noted than open items cost": {
			change(func(p *payouts.Payout) { p.Reserved = money.NGN(99_99) }),
			[]string{"99.99 NGN is set aside, its open items cost", "the reservation over"},
		},
		"nothing is noted": {
			change(func(p *payouts.Payout) { p.Reserved = money.NGN(0) }), []string{"its open items cost", ":1: "},
		},
		"what it needs was given back":   {release, []string{"is released"}},
		"another reservation is named":   {change(func(p *payouts.Payout) { p.Slices++ }), []string{"but nothing is reserved", ":1: "}},
		"money is set aside for no item": {reserve(":9", 7), []string{":9: "}},
		"less is set aside": {func(o *office, p payouts.Payout) {
			reserve(":2", 99_99)(o, p)
			change(func(p *payouts.Payout) { p.Slices++ })(o, p)
			release(o, p)
		}, []string{"the reservation over"}},
		"it is set aside on another account": {func(o *office, p payouts.Payout) {
			other := ledger.BusinessAccount(must(o.CreateTenant(o.Context(), ferry.Test, "Other")).Business.Scope, money.AssetNGN)
			require.NoError(o, o.in(func(ctx context.Context, tx store.Tx) error {
				return ledger.Post(ctx, tx.Ledger(), ledger.Move("by mistake", ferry.Test, "test", "",
					ledger.BusinessAccount(o.scope(), money.AssetNGN), other, p.Reserved, tx.Now()))
			}))
			require.NoError(o, o.in(func(ctx context.Context, tx store.Tx) error {
				return ledger.Reserve(ctx, tx.Ledger(), ledger.Reservation{
					ID: ledger.ReservationID(string(p.ID) + ":2"), Account: other, Amount: p.Reserved, At: tx.Now(),
				})
			}))
			change(func(p *payouts.Payout) { p.Slices++ })(o, p)
			release(o, p)
		}, []string{"it is reserved on"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			made := o.make(paid, staysPending)
			require.Empty(t, o.audited(made.ID))
			o.pass(time.Minute)
			require.Empty(t, o.audited(made.ID))
			c.plant(o, o.found().Payout)
			texts := o.audited(made.ID)
			require.Len(t, texts, len(c.says), "%q", texts)
			for n, says := range c.says {
				require.Contains(t, texts[n], says)
			}
		})
	}
}
