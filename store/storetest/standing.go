package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/store"
)

// standings are sessions of every stored status, dialect and way to run out, with
// their payments.
func standings() (sessions []checkout.Session, paid map[payments.ID]payments.Payment) {
	paid = map[payments.ID]payments.Payment{}
	add := func(change func(*checkout.Session, *payments.Payment)) {
		row := session(home, len(sessions)+1)
		p := payment(home, len(sessions)+1)
		row.Mismatch, row.Credited, row.ExpiresAt = business.Strict, money.USDC(0), after(50)
		p.ID, p.Method, p.PendingUntil = row.Payment, payments.Card, time.Time{}
		change(&row, &p)
		sessions, paid[p.ID] = append(sessions, row), p
	}
	for _, variant := range []business.Dialect{business.DialectA, business.DialectB} {
		for _, status := range []checkout.Status{checkout.Completed, checkout.Failed, checkout.Cancelled, checkout.Expired} {
			add(func(s *checkout.Session, _ *payments.Payment) { s.Variant, s.Status = variant, status })
		}
	}
	for _, method := range []payments.Method{payments.Card, payments.USDC} {
		add(func(_ *checkout.Session, p *payments.Payment) { p.Method, p.PendingUntil = method, after(40) })
		add(func(_ *checkout.Session, p *payments.Payment) { p.Method, p.PendingUntil = method, after(60) })
	}
	for _, expiry := range []time.Time{after(50), after(60)} {
		for _, policy := range []business.MismatchPolicy{business.Strict, business.Accept} {
			for _, credited := range []money.Amount{money.USDC(0), money.USDC(3)} {
				add(func(s *checkout.Session, _ *payments.Payment) {
					s.ExpiresAt, s.Mismatch, s.Credited = expiry, policy, credited
				})
			}
		}
	}
	return sessions, paid
}

func testSessionStandings(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	sessions, paid := standings()
	for _, row := range sessions {
		write(t, b, func(ctx context.Context, p store.Ports) error {
			if err := p.Payments().Insert(ctx, paid[row.Payment]); err != nil {
				return err
			}
			return p.Checkout().Insert(ctx, row)
		})
	}
	for _, status := range []checkout.Status{checkout.Pending, checkout.Completed, checkout.Failed, checkout.Cancelled, checkout.Expired} {
		t.Run("a list of "+string(status)+" sessions has those that stand so at the instant", func(t *testing.T) {
			for _, at := range []time.Time{{}, after(30), after(50), after(60)} {
				filter := checkout.Filter{Status: status, At: at}
				want := []string{}
				for i := len(sessions) - 1; i >= 0; i-- {
					if filter.Matches(sessions[i], paid[sessions[i].Payment]) {
						want = append(want, sessions[i].TrxID)
					}
				}
				got := []string{}
				for number := 1; ; number++ {
					page := look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[checkout.Session], error) {
						return p.Checkout().List(ctx, home, filter, ferry.Page{Number: number, Limit: 2})
					})
					require.Equal(t, len(want), page.Total)
					if len(page.Data) == 0 {
						break
					}
					for _, row := range page.Data {
						got = append(got, row.TrxID)
					}
				}
				require.Equal(t, want, got, "at %s", at)
			}
		})
	}
}
