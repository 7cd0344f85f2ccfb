package offramp_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/sandbox"
)

// Whatever order deposits, prices, answers of the biller, retries, stops and time come in: each unit
// of money is in exactly one place, a bill is delivered at most once for an order, and never while
// its USDC goes back.
func TestTheMoneyOfABillIsInOnePlaceWhateverHappens(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := &billWorld{world: world{stage: setup(t), ends: map[offramp.ID]ramp.Stage{}, sent: map[offramp.ID]int64{}}}
		for n := range 2 {
			meter := rapid.SampledFrom([]string{delivers, isNotServed, answersNot, sellsNothing, staysOpen, deliversLater}).Draw(rt, "meter")
			w.orders = append(w.orders, w.createBill(power(fmt.Sprint("order-", n), meter)))
		}
		for range rapid.IntRange(1, 14).Draw(rt, "steps") {
			w.stepBill(rt)
			w.checkBills(rt)
		}
		require.NoError(rt, w.Custody.ResumeOutflows(t.Context(), ferry.Test))
		w.pass(26 * time.Hour)
		w.checkBills(rt)
		require.Equal(rt, w.told, w.back().Minor(), "the payer has what the orders say")
	})
}

type billWorld struct{ world }

func (w *billWorld) stepBill(rt *rapid.T) {
	o := w.orders[rapid.IntRange(0, len(w.orders)-1).Draw(rt, "order")]
	switch rapid.SampledFrom([]string{"pay", "biller", "retry", "retry", "other"}).Draw(rt, "which") {
	case "pay":
		w.deposit(o, money.USDC(10_000_000))
		w.sent[o.ID] += 10_000_000
	case "biller":
		w.wills(o.Number, rapid.SampledFrom(sandbox.BillOutcomes()).Draw(rt, "outcome"))
		w.pass(time.Second)
	case "retry":
		before := w.get(o)
		if err := w.retry(o); before.Stage == ramp.PurchaseRefused {
			require.NoError(rt, err)
		} else {
			require.ErrorIs(rt, err, ferry.ErrInvalidTransition)
		}
		w.pass(time.Second)
	case "other":
		w.step(rt)
	}
}

func (w *billWorld) checkBills(rt *rapid.T) {
	w.check(rt)
	delivered := map[string]int{}
	for _, b := range w.allBills() {
		if b.Status == bills.Successful {
			delivered[b.PaidBy]++
		}
	}
	for _, o := range w.orders {
		now := w.get(o)
		want := 0
		if now.Stage == ramp.Done {
			want = 1
		}
		require.Equal(rt, want, delivered[string(o.ID)])
		for _, d := range now.Deposits {
			if d.Reason == offramp.Unsold {
				require.Equal(rt, ramp.Refunded, now.Stage)
			}
			require.Equal(rt, now.Stage == ramp.Done && d.Rate != "", d.State == offramp.Taken)
		}
	}
}
