package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/store"
)

// businessOf is the business of a scope, or the n-th that is none, as rows whose key it is need
// one each.
func businessOf(scope ferry.Scope, n int) ferry.Scope {
	if n > 1 {
		scope.Business += ferry.BusinessID(fmt.Sprintf("-%d", n))
	}
	return scope
}

var _ = caseOf(kindCase[ferry.BusinessID, outflow.Rules]{
	kind: outflow.RulesKind,
	row: func(scope ferry.Scope, n int) outflow.Rules {
		return outflow.Rules{
			Scope: businessOf(scope, n),
			Limits: outflow.Limits{
				NGN:  outflow.Limit{Operation: money.NGN(1), KeyDay: money.NGN(2), BusinessDay: money.NGN(3), Approval: money.NGN(8)},
				USDC: outflow.Limit{Operation: money.USDC(4), KeyDay: money.USDC(5), BusinessDay: money.USDC(6), Approval: money.USDC(9)},
			},
			ApprovalHours: 24, AllowList: true, Destinations: []outflow.Destination{{BankCode: "058", AccountNumber: "0123456780"}, {Address: "A1"}},
			ChangedBy: "key_1", UpdatedAt: after(n),
		}
	},
	change: func(r *outflow.Rules) {
		r.Limits.NGN.Operation, r.Limits.USDC.KeyDay = money.NGN(0), money.USDC(50)
		r.ApprovalHours = 0
		r.AllowList, r.Destinations, r.ChangedBy, r.UpdatedAt = false, nil, "", time.Time{}
	},
})

var _ = caseOf(kindCase[outflow.DayID, outflow.Day]{
	kind: outflow.DayKind,
	row: func(scope ferry.Scope, n int) outflow.Day {
		return outflow.Day{ID: outflow.DayID(idOf("2026-03-02/NGN/key_", n)), Scope: scope, Sum: money.NGN(7), Until: after(n)}
	},
	change: func(d *outflow.Day) { d.Sum = money.NGN(9) },
})

var _ = caseOf(kindCase[outflow.ApprovalID, outflow.Approval]{
	kind: outflow.ApprovalKind,
	row: func(scope ferry.Scope, n int) outflow.Approval {
		return outflow.Approval{
			ID: outflow.ApprovalID(idOf(outflow.ApprovalPrefix, n)), Scope: scope, Kind: outflow.Payout, Subject: idOf("pout_", n),
			Reference: "salaries", Amount: money.NGN(7), MadeBy: "key_1", Status: outflow.Pending,
			DecidedBy: "key_2", Note: "as agreed", DecidedAt: after(n + 1), ExpiresAt: after(n + 2), CreatedAt: after(n),
		}
	},
	change: func(a *outflow.Approval) {
		a.Amount = money.USDC(9)
		a.Status, a.DecidedBy, a.Note, a.DecidedAt = outflow.Approved, "", "", time.Time{}
	},
	vary: func(a *outflow.Approval, n int) {
		a.Status = []outflow.ApprovalStatus{outflow.Pending, outflow.Rejected, outflow.Withdrawn}[n%3]
	},
})

// dayUnit is a unit at an instant.
type dayUnit struct{ store.Ports }

func (dayUnit) Now() time.Time             { return start }
func (dayUnit) NewID(prefix string) string { return idOf(prefix, 1) }

func testOutflowDays(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("of 64 at once no more are admitted than a day allows", func(t *testing.T) {
		b := open(t)
		guard := outflow.Guard{Ceilings: outflow.Ceilings{home.Env: {NGN: outflow.Limit{BusinessDay: money.NGN(70), KeyDay: money.NGN(30)}}}}
		passed, business := 0, money.NGN(0)
		for _, err := range race(64, func(i int) error {
			ctx := outflow.By(t.Context(), fmt.Sprintf("key_%d", i%4))
			return b.Write(ctx, func(ctx context.Context, p store.Ports) error {
				_, err := guard.AdmitIn(ctx, dayUnit{p}, outflow.Order{Scope: home, Amount: money.NGN(10)})
				return err
			})
		}) {
			if errors.Is(err, outflow.ErrLimit) {
				continue
			}
			require.NoError(t, err)
			passed++
		}
		require.Equal(t, 7, passed)
		for _, key := range []string{"", "/key_0", "/key_1", "/key_2", "/key_3"} {
			day := look(t, b, func(ctx context.Context, p store.Ports) (outflow.Day, error) {
				return outflow.DayKind.GetOr(ctx, p, outflow.Day{Scope: home, ID: outflow.DayID("2026-03-01/NGN" + key), Sum: money.NGN(0)})
			})
			if key == "" {
				business = day.Sum
				continue
			}
			require.LessOrEqual(t, day.Sum.Minor(), int64(30))
		}
		require.Equal(t, money.NGN(70), business)
	})
}
