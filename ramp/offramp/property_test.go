package offramp_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/sandbox"
)

// Whatever order deposits, prices, answers of the bank, stops and time come in: each unit of money
// is in exactly one place, nobody gets naira for less USDC than they cost, and nothing leaves an
// end.
func TestMoneyIsInOnePlaceWhateverHappens(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := &world{stage: setup(t), ends: map[offramp.ID]ramp.Stage{}, sent: map[offramp.ID]int64{}}
		for n := range 2 {
			account := rapid.SampledFrom([]string{paysOut, refuses, sendsBack, isSilent, "0123456787", "0123456788"}).Draw(rt, "account")
			w.orders = append(w.orders, w.create(cashout(fmt.Sprint("order-", n), account)))
		}
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			w.step(rt)
			w.check(rt)
		}
		require.NoError(rt, w.Custody.ResumeOutflows(t.Context(), ferry.Test))
		w.pass(26 * time.Hour)
		w.check(rt)
		require.Equal(rt, w.told, w.back().Minor(), "the payer has what the orders say")
	})
}

type world struct {
	*stage
	orders []offramp.Details
	ends   map[offramp.ID]ramp.Stage
	sent   map[offramp.ID]int64
	// told is what the payer got back, as the orders say.
	told int64
}

func (w *world) step(rt *rapid.T) {
	o := w.orders[rapid.IntRange(0, len(w.orders)-1).Draw(rt, "order")]
	switch rapid.SampledFrom([]string{"deposit", "deposit", "deposit", "price", "wait", "bank", "stop", "resume"}).Draw(rt, "what") {
	case "deposit":
		micro := rapid.SampledFrom([]int64{1, 3_333_333, 4_000_000, 6_000_000, 9_999_999, 10_000_000, 10_010_000, 25_000_000}).Draw(rt, "usdc")
		w.deposit(o, money.USDC(micro))
		w.sent[o.ID] += micro
	case "price":
		w.price(rapid.SampledFrom([]string{"0.7", "999.99", "1499", "1500", "3100", "30000"}).Draw(rt, "naira"))
	case "wait":
		w.pass(rapid.SampledFrom([]time.Duration{time.Second, 4 * time.Minute, 14 * time.Minute, time.Hour, 25 * time.Hour}).Draw(rt, "time"))
	case "bank":
		will := rapid.SampledFrom([]sandbox.BankOutcome{sandbox.Pays, sandbox.Fails, sandbox.ComesBack}).Draw(rt, "outcome")
		_, err := w.World.SetBankOutcome(w.Context(), o.Reference, will)
		require.NoError(rt, err)
		w.pass(time.Second)
	case "stop":
		require.NoError(rt, w.Custody.StopOutflows(w.Context(), ferry.Test, "drill"))
	case "resume":
		require.NoError(rt, w.Custody.ResumeOutflows(w.Context(), ferry.Test))
	}
}

func (w *world) check(rt *rapid.T) {
	w.clean()
	w.told = 0
	returned, aside := int64(0), int64(0)
	for _, o := range w.orders {
		now := w.get(o)
		if end, ended := w.ends[o.ID]; ended {
			require.Equal(rt, end, now.Stage, "it stays in its end")
		}
		if now.Status == ramp.Successful || now.Status == ramp.Failed {
			w.ends[o.ID] = now.Stage
		}
		came := int64(0)
		for _, d := range now.Deposits {
			came += d.Amount.Minor()
			if d.State == offramp.Returned {
				w.told += d.Returned.Minor()
				require.Equal(rt, d.Amount.Minor()-fee, d.Returned.Minor())
			}
		}
		require.Equal(rt, w.sent[o.ID], came, "every deposit is somewhere")
		if now.Status == ramp.Processing || now.Status == ramp.Successful {
			require.Equal(rt, now.Amount, now.Credited)
		}
		if now.Stage == ramp.FundsReceived || now.Stage == ramp.PaymentSubmitted {
			aside += now.Amount.Minor()
		}
		if !now.ReturnedAt.IsZero() {
			returned += now.Amount.Minor()
		}
	}
	require.LessOrEqual(rt, w.told, w.back().Minor(), "what has arrived may not be final")
	require.Equal(rt, aside, w.naira().Reserved.Minor())
	require.Equal(rt, w.start.Minor()+aside+returned, w.naira().Posted.Minor(), "the business gets nothing but what came back")
}
