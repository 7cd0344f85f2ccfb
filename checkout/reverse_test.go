package checkout_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/store"
)

// sums are what stands on every account of the books that has anything.
func (s *stage) sums() map[ledger.AccountID]int64 {
	s.t.Helper()
	found := map[ledger.AccountID]int64{}
	require.NoError(s.t, s.Engine.Units(ferry.Test).Read(s.t.Context(), func(ctx context.Context, tx store.Tx) error {
		accounts, err := tx.Ledger().Accounts(ctx, ferry.Test, "", 1000)
		for _, a := range accounts {
			entries, err := tx.Ledger().Entries(ctx, a.ID, ledger.EntryID{}, 1000)
			require.NoError(s.t, err)
			for _, e := range entries {
				if found[a.ID] += e.Amount.Minor(); found[a.ID] == 0 {
					delete(found, a.ID)
				}
			}
		}
		return err
	}))
	return found
}

// oddFees come to amounts that no rate divides.
var oddFees = fees.Tariffs{fees.Checkout: {
	Platform:   fees.Rule{Share: 13_337, Minimum: money.NGN(7)},
	Processing: fees.Rule{Flat: money.NGN(51_01)},
}}

// Whatever was ordered, however it was paid in naira, and whoever bore the fees: after
// a success and its reversal all money is where it was before.
func TestAReversalIsTheOppositeOfItsSuccess(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := setup(t, oddFees)
		customerPays := rapid.Bool().Draw(rt, "customer pays")
		s.prefer(business.UpdateParams{
			CustomerPaysFee: &customerPays,
			MismatchPolicy:  ptr(rapid.SampledFrom([]business.MismatchPolicy{business.Strict, business.Accept}).Draw(rt, "mismatch")),
		})
		p := order("order-1")
		p.Amount = money.NGN(rapid.Int64Range(1, 20_000_00).Draw(rt, "kobo"))
		if rapid.Bool().Draw(rt, "in USDC") {
			p.Amount = money.USDC(rapid.Int64Range(10_000, 20_000_000).Draw(rt, "usdc"))
		}
		fiat := s.create(p).Session.Pricing.Fiat
		before := s.sums()

		method := rapid.SampledFrom([]payments.Method{payments.BankTransfer, payments.Card, payments.Wallet}).Draw(rt, "method")
		if method == payments.BankTransfer {
			came := fiat.Minor() + rapid.SampledFrom([]int64{0, 0, 1, 333_33, -1, -fiat.Minor() / 3}).Draw(rt, "more")
			s.credit("order-1", money.NGN(max(came, 1)))
		} else {
			s.attempt("order-1", method, checkout.OutcomeSuccess)
		}
		if s.get("order-1").Payment.Status != payments.Success {
			return // too little, and all went back
		}
		for n := range rapid.IntRange(0, 2).Draw(rt, "duplicates") {
			s.credit("order-1", fiat, fmt.Sprint("again-", n))
		}
		require.NotEqual(rt, before, s.sums())
		s.reverse("order-1")
		require.Equal(rt, payments.Reversed, s.get("order-1").Payment.Status)
		require.Equal(rt, before, s.sums())
		s.clean()
	})
}
