package checkout_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
)

// Whatever order credits, deposits, refreshes, cancellations and time come in: each
// unit of money is in exactly one place, the totals of links equal their successful
// payments, and nothing leaves an end but a success by its reversal.
func TestMoneyIsInOnePlaceWhateverHappens(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := setup(t, rapid.SampledFrom([]fees.Tariffs{nil, tariffs}).Draw(rt, "fees"))
		s.prefer(business.UpdateParams{
			CryptoSettlement: ptr(rapid.SampledFrom([]business.Settlement{business.Hold, business.Convert}).Draw(rt, "settlement")),
			MismatchPolicy:   ptr(rapid.SampledFrom([]business.MismatchPolicy{business.Strict, business.Accept}).Draw(rt, "mismatch")),
		})
		w := &world{stage: s, ends: map[string]payments.Status{}}
		w.begin(rt)
		for n := range rapid.IntRange(1, 14).Draw(rt, "steps") {
			w.step(rt, n)
			w.check(rt)
		}
		s.Advance(2 * day)
		w.check(rt)
	})
}

type world struct {
	*stage
	link      links.Link
	trxIDs    []string
	ends      map[string]payments.Status
	addresses []chain.Address
	reversed  bool
}

func (w *world) begin(rt *rapid.T) {
	made, err := w.Engine.Links.Create(w.t.Context(), w.scope, links.CreateParams{
		Policy: business.DialectA, Currency: "NGN", Amount: money.NGN(15_000_00), Title: "Jollof",
	})
	require.NoError(rt, err)
	w.link = made
	for n := range 2 {
		w.trxIDs = append(w.trxIDs, w.create(order(fmt.Sprint("order-", n))).Session.TrxID)
		w.Advance(4 * time.Minute)
		paid, err := w.Engine.Checkout.PayLink(w.t.Context(), w.link.At(w.Engine.Clock(ferry.Test).Now()), checkout.PayParams{Slug: w.link.Slug, Email: "ada@example.com"})
		require.NoError(rt, err)
		w.trxIDs = append(w.trxIDs, paid.Session.TrxID)
	}
}

func (w *world) step(rt *rapid.T, n int) {
	trxID := rapid.SampledFrom(w.trxIDs).Draw(rt, "session")
	switch rapid.SampledFrom([]string{"credit", "credit", "deposit", "deposit", "refresh", "cancel", "wait", "resolve", "card", "reverse", "price"}).Draw(rt, "what") {
	case "credit":
		amount := money.NGN(rapid.SampledFrom([]int64{1, 14_999_99, 15_000_00, 15_000_00, 15_000_01, 30_000_00}).Draw(rt, "kobo"))
		session := fmt.Sprint("session-", rapid.IntRange(0, n).Draw(rt, "notice"))
		_, err := w.Engine.World.Credit(w.t.Context(), sandbox.CreditParams{AccountNumber: w.get(trxID).Account.AccountNumber, Amount: amount, SessionID: session})
		require.NoError(rt, err)
		w.drain()
	case "deposit":
		if state, err := w.Engine.Checkout.Crypto(w.t.Context(), w.scope, checkout.Ref{TrxID: trxID}, ""); err == nil {
			w.addresses = append(w.addresses, state.Current.Deposit)
		}
		if len(w.addresses) > 0 {
			to := rapid.SampledFrom(w.addresses).Draw(rt, "address")
			w.deposit(to, money.USDC(rapid.SampledFrom([]int64{1, 4_000_000, 6_000_000, 10_000_000, 10_000_001, 25_000_000}).Draw(rt, "usdc")), stranger)
		}
	case "refresh":
		_, _ = w.Engine.Checkout.Crypto(w.t.Context(), w.scope, checkout.Ref{TrxID: trxID}, "")
	case "cancel":
		_, _ = w.Engine.Checkout.Cancel(w.t.Context(), w.scope, checkout.Ref{TrxID: trxID})
	case "wait":
		w.Advance(rapid.SampledFrom([]time.Duration{time.Minute, 15 * time.Minute, 13 * time.Hour, 25 * time.Hour}).Draw(rt, "time"))
	case "resolve":
		action := rapid.SampledFrom([]checkout.Action{checkout.Accept, checkout.Refund}).Draw(rt, "action")
		_, err := w.Engine.Checkout.Resolve(w.t.Context(), w.scope, payments.Ref{Reference: trxID}, action)
		if err == nil {
			w.Settle()
		}
	case "card":
		if w.get(trxID).Status == checkout.Pending {
			w.attempt(trxID, rapid.SampledFrom([]payments.Method{payments.Card, payments.Wallet}).Draw(rt, "method"), checkout.OutcomeSuccess)
		}
	case "price":
		w.price(rapid.SampledFrom([]string{"0.7", "999.99", "1499", "1500", "3100", "30000"}).Draw(rt, "naira"))
	case "reverse":
		w.reverse(trxID)
	}
}

func (w *world) check(rt *rapid.T) {
	paid, total, settled := int64(0), money.NGN(0), money.NGN(0)
	held := map[ferry.BusinessID]int64{}
	for _, trxID := range w.trxIDs {
		state := w.get(trxID)
		now := state.Payment.Status
		if end, ended := w.ends[trxID]; ended && end != now {
			require.Equal(rt, [2]payments.Status{payments.Success, payments.Reversed}, [2]payments.Status{end, now}, trxID)
		}
		if now != payments.Pending {
			w.ends[trxID] = now
			require.NotEqual(rt, checkout.Pending, state.Status)
		}
		if state.Link != "" && now == payments.Success {
			paid++
			total, _ = total.Add(state.Payment.Amount)
		}
		if state.Status == checkout.Pending && state.Current != nil {
			require.Greater(rt, state.Current.Amount.Minor(), state.Current.Received.Minor(), "it asks for something")
		}
		if state.Payment.Settled.Asset() == money.AssetNGN && now != payments.Reversed {
			settled, _ = settled.Add(state.Payment.Settled)
		}
		w.reversed = w.reversed || now == payments.Reversed
		require.Equal(rt, len(state.Payment.Exceptions), len(slices.Compact(slices.Sorted(slices.Values(state.Payment.Exceptions)))))
		receipts, err := w.Engine.Payments.Receipts(w.t.Context(), state.Payment)
		require.NoError(rt, err)
		for _, r := range receipts {
			parts, err := r.Parts()
			require.NoError(rt, err)
			for _, part := range []money.Amount{parts.Kept, parts.Held, parts.Refunded, parts.Returned} {
				require.GreaterOrEqual(rt, part.Sign(), 0)
			}
			if r.State == payments.Held {
				held[r.Holder] += r.Held.Minor()
			}
		}
	}
	details, err := w.Engine.Links.Get(w.t.Context(), w.scope, string(w.link.ID))
	require.NoError(rt, err)
	require.Equal(rt, paid, details.Paid)
	require.Equal(rt, total, details.Total)
	if !w.reversed {
		require.Equal(rt, settled, w.gained(), "payments say what the business got")
	}
	_, reserved := w.usdc()
	require.GreaterOrEqual(rt, reserved.Minor(), held[w.scope.Business], "all that is held is reserved")
	w.clean()
}
