package offramp_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
)

// tamper writes behind the back of the engine.
func (s *stage) tamper(body func(context.Context, store.Tx) error) {
	s.Helper()
	require.NoError(s, s.Units(ferry.Test).Write(s.Context(), body))
}

// plant inserts a row behind the back of the engine.
func plant[K ~string, R any](s *stage, kind *records.Kind[K, R], row R) {
	s.Helper()
	s.tamper(func(ctx context.Context, tx store.Tx) error { return kind.Insert(ctx, tx, row) })
}

// Package engine tests the audit as well, by wrong rows of other kinds.
func TestTheAuditTellsOfRowsThatNoOrderExplains(t *testing.T) {
	// again is a second row of the first deposit of an order.
	again := func(change func(*offramp.Deposit)) func(*stage, offramp.Details, offramp.Details) string {
		return func(s *stage, rent, _ offramp.Details) string {
			d := rent.Deposits[0]
			d.ID, d.Version = "odp_again", 0
			change(&d)
			plant(s, offramp.DepositKind, d)
			return string(d.ID)
		}
	}
	// excess is the second deposit, which went back.
	excess := func(change func(*offramp.Deposit)) func(*stage, offramp.Details, offramp.Details) string {
		return func(s *stage, rent, _ offramp.Details) string {
			d := rent.Deposits[1]
			change(&d)
			s.tamper(func(ctx context.Context, tx store.Tx) error { return offramp.DepositKind.Update(ctx, tx, d) })
			return string(d.ID)
		}
	}
	// kept is a deposit of 2 millionths that is kept, of which something else is set aside.
	kept := func(micro int64, on func(rent, bill offramp.Details) offramp.Details) func(*stage, offramp.Details, offramp.Details) string {
		return func(s *stage, rent, bill offramp.Details) string {
			again(func(d *offramp.Deposit) {
				d.State, d.Rate, d.Transfer, d.Amount = offramp.Kept, "", "", money.USDC(2)
			})(s, rent, bill)
			s.tamper(func(ctx context.Context, tx store.Tx) error {
				return ledger.Reserve(ctx, tx.Ledger(), ledger.Reservation{
					ID: "offramp:odp_again", Account: ledger.AddressAccount(string(on(rent, bill).Address)), Amount: money.USDC(micro), At: tx.Now(),
				})
			})
			return "offramp:odp_again"
		}
	}
	for name, c := range map[string]struct {
		plant func(s *stage, rent, bill offramp.Details) (subject string)
		says  string
	}{
		"an order is to buy a bill, and has none": {func(s *stage, _, bill offramp.Details) string {
			o := bill.Order
			o.ID, o.Reference, o.Address, o.Version = "ofr_again", "again", "addr_again", 0
			o.Stage, o.Status, o.Bill = ramp.FundsReceived, ramp.Processing, ""
			plant(s, offramp.Kind, o)
			return string(o.ID)
		}, "has no bill"},
		"custody does not know the address of an order that was paid": {func(s *stage, rent, _ offramp.Details) string {
			o := rent.Order
			o.ID, o.Reference, o.Address, o.Version = "ofr_again", "again", "addr_again", 0
			plant(s, offramp.Kind, o)
			return string(o.ID)
		}, "custody has no address"},
		"less of a deposit is set aside":          {kept(1, func(rent, _ offramp.Details) offramp.Details { return rent }), "is reserved on"},
		"a deposit is set aside at another place": {kept(2, func(_, bill offramp.Details) offramp.Details { return bill }), "is reserved on"},
		"a bill of no order was refused": {func(s *stage, _, bill offramp.Details) string {
			b := s.allBills()[0]
			require.Equal(s, bill.Bill, b.ID)
			b.ID, b.Reference, b.Version, b.PaidBy, b.Status = "bill_again", "again", 0, "ofr_gone", bills.Failed
			plant(s, bills.Kind, b)
			return string(b.ID)
		}, "is not the newest bill"},
		"a deposit is of another business":       {again(func(d *offramp.Deposit) { d.Scope.Business = "biz_other" }), "is no order of that business"},
		"a deposit came to another address":      {again(func(d *offramp.Deposit) { d.Address = "addr_other" }), "is no order of that business"},
		"an excess is held":                      {excess(func(d *offramp.Deposit) { d.State = offramp.Held }), "its order is in the stage"},
		"an excess came back without a transfer": {excess(func(d *offramp.Deposit) { d.Transfer = "" }), "is not there"},
		"an excess is on its way without a transfer": {excess(func(d *offramp.Deposit) {
			d.State, d.Transfer = offramp.Sending, ""
		}), "is not there"},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			rent, bill := s.create(cashout("rent", paysOut)), s.bought(delivers)
			s.deposit(rent, money.USDC(12_500_000))
			s.pass(time.Minute)
			subject := c.plant(s, s.is(rent, ramp.Done, ramp.Successful), s.is(bill, ramp.Done, ramp.Successful))
			findings, err := s.Audit(t.Context(), ferry.Test)
			require.NoError(t, err)
			told := ""
			for _, f := range findings {
				if f.Check == "offramp" && f.Subject == subject {
					told += f.Text + "\n"
				}
			}
			require.Contains(t, told, c.says, "%v", findings)
		})
	}
}
