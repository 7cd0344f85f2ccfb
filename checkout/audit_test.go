package checkout_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/store"
)

// tamper writes behind the engine's back.
func (s *stage) tamper(body func(context.Context, store.Tx) error) {
	s.t.Helper()
	require.NoError(s.t, s.Engine.Units(ferry.Test).Write(s.t.Context(), body))
}

// strayPosting moves a naira that no row knows of.
func strayPosting(from ledger.System) func(*stage) {
	return func(s *stage) {
		s.tamper(func(ctx context.Context, tx store.Tx) error {
			return ledger.Post(ctx, tx.Ledger(), ledger.Move("stray", ferry.Test, "test", "",
				ledger.SystemAccount(ferry.Test, from, money.AssetNGN),
				ledger.SystemAccount(ferry.Test, ledger.PlatformFees, money.AssetNGN), money.NGN(1_00), tx.Now()))
		})
	}
}

func TestTheAuditFindsBooksThatDoNotAgreeWithTheRows(t *testing.T) {
	account := func(of ledger.System) string {
		return string(ledger.SystemAccount(ferry.Test, of, money.AssetNGN))
	}
	for name, c := range map[string]struct {
		tamper  func(*stage)
		check   string
		subject func(*stage) string
	}{
		"returns that nobody has":     {strayPosting(ledger.Returns), "returns", func(*stage) string { return account(ledger.Returns) }},
		"a card that nobody paid by":  {strayPosting(ledger.Cards), "cards", func(*stage) string { return account(ledger.Cards) }},
		"a conversion of no payment":  {strayPosting(ledger.Exchange), "exchange", func(*stage) string { return account(ledger.Exchange) }},
		"a conversion of another sum": {unsettle, "exchange", func(s *stage) string { return string(s.get("converted").Payment.ID) }},
		"held money that is free":     {unreserve, "held_receipt", func(s *stage) string { return string(s.receipt("held").ID) }},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t, tariffs)
			s.create(order("card"))
			s.attempt("card", payments.Card, checkout.OutcomeSuccess)
			other := order("reversed")
			other.Amount = money.NGN(16_000_00)
			s.create(other)
			s.attempt("reversed", payments.Wallet, checkout.OutcomeSuccess)
			s.reverse("reversed")
			held := inUSDC("held")
			held.Amount = money.USDC(12_000_000)
			s.create(held)
			s.deposit(s.get("held").Current.Deposit, money.USDC(4_000_000))
			s.prefer(business.UpdateParams{CryptoSettlement: ptr(business.Convert)})
			s.create(inUSDC("converted"))
			s.deposit(s.get("converted").Current.Deposit, money.USDC(11_000_000))
			_, err := s.Engine.Checkout.Resolve(t.Context(), s.scope, payments.Ref{Reference: "converted"}, checkout.Accept)
			require.NoError(t, err)
			s.clean()
			c.tamper(s)
			found, err := s.Engine.Audit(t.Context(), ferry.Test)
			require.NoError(t, err)
			require.Len(t, found, 1)
			require.Equal(t, c.check, found[0].Check)
			require.Equal(t, c.subject(s), found[0].Subject)
		})
	}
}

// unsettle changes what a payment says that its business was credited.
func unsettle(s *stage) {
	p := s.get("converted").Payment
	p.Settled = money.NGN(p.Settled.Minor() - 1)
	s.tamper(func(ctx context.Context, tx store.Tx) error { return payments.PaymentKind.Update(ctx, tx, p) })
}

// unreserve frees what is held.
func unreserve(s *stage) {
	held := s.receipt("held").HeldBy()
	s.tamper(func(ctx context.Context, tx store.Tx) error { return ledger.Release(ctx, tx.Ledger(), held) })
}
