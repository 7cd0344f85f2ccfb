package checkout_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
)

// Whatever an order costs and however it is paid: amount, fees and net amount of the
// payment add up, its event says the same, and so do the transaction and the books.
func TestPaymentEventTransactionAndBooksSayTheSameFigure(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		o := drawOrder(rt)
		s := o.play(t, rt)
		state := s.get("order-1")
		p := state.Payment
		require.Equal(rt, payments.Success, p.Status)

		total := must(p.Fees.Total())
		net := must(p.Net())
		require.Equal(rt, p.Amount, must(net.Add(total)), "the parts add up to the whole")
		if o.customerPays && p.Amount == o.asked(state) {
			require.Equal(rt, state.Amount(), net, "who bears no fees gets the price")
		}

		if slices.Contains(p.Exceptions, payments.Overpaid) {
			require.GreaterOrEqual(rt, p.Amount.Minor(), o.asked(state).Minor(), "who pays more pays all")
		}

		taken := s.feesTaken(p.Settled.Asset())
		require.Equal(rt, p.Settled, s.has(p.Settled.Asset()), "the business has what the payment says")
		if p.Settled.Asset() == p.Amount.Asset() {
			require.Equal(rt, p.Fees, taken, "the books took the fees that the payment says")
			require.Equal(rt, net, p.Settled)
		}
		whole := must(must(taken.Total()).Add(p.Settled))
		require.Equal(rt, o.brings(rt, s, state), whole, "fees and net amount are all that was paid")

		line := must(s.Engine.Statement.Get(t.Context(), s.scope, statement.Ref{TrxID: "order-1"}))
		require.Equal(rt, []money.Amount{whole, must(taken.Total()), o.asked(state)}, []money.Amount{line.Amount, line.Fee, line.Order},
			"the transaction says what moved, and what was asked for")

		data := s.lastEvent().Data
		require.Equal(rt, []json.Number{p.Amount.Wire(), total.Wire(), net.Wire()},
			[]json.Number{data.Amount, data.TotalFees, data.NetAmount})
		s.clean()
	})
}

// drawn is an order and the way it is paid.
type drawn struct {
	customerPays bool
	amount       money.Amount
	price        string
	tariff       fees.Tariff
	settlement   business.Settlement
	mismatch     business.MismatchPolicy
	method       payments.Method
	// parts is in how many deposits USDC comes, more how many millionths, or kobo,
	// come beyond what is asked for.
	parts, more int64
	// later is the price of one USDC when the first one has run out and naira come, or
	// empty when they come at once.
	later string
}

func drawOrder(rt *rapid.T) drawn {
	kobo := rapid.OneOf(rapid.Int64Range(1, 2_000), rapid.Int64Range(1, 50_000_00))
	rule := rapid.Custom(func(rt *rapid.T) fees.Rule {
		return fees.Rule{
			Share: rapid.Int64Range(0, 30_000).Draw(rt, "share"), Flat: money.NGN(rapid.Int64Range(0, 1_000).Draw(rt, "flat")),
			Minimum: money.NGN(rapid.SampledFrom([]int64{0, 0, 777, 2_000_00}).Draw(rt, "minimum")), Cap: money.NGN(rapid.SampledFrom([]int64{0, 0, 500}).Draw(rt, "cap")),
		}
	})
	o := drawn{
		customerPays: rapid.Bool().Draw(rt, "customer pays"),
		amount:       money.NGN(kobo.Draw(rt, "kobo")),
		price:        rapid.SampledFrom([]string{"1500", "1499.37", "1612.5", "30000"}).Draw(rt, "price"),
		tariff:       fees.Tariff{Platform: rule.Draw(rt, "platform"), Processing: rule.Draw(rt, "processing")},
		settlement:   rapid.SampledFrom([]business.Settlement{business.Hold, business.Convert}).Draw(rt, "settlement"),
		mismatch:     rapid.SampledFrom([]business.MismatchPolicy{business.Strict, business.Accept}).Draw(rt, "mismatch"),
		method:       rapid.SampledFrom([]payments.Method{payments.BankTransfer, payments.USDC, payments.USDC, payments.Card}).Draw(rt, "method"),
		parts:        rapid.Int64Range(1, 4).Draw(rt, "parts"),
		more:         rapid.SampledFrom([]int64{0, 0, 1, 3, 999, 50_000}).Draw(rt, "more"),
	}
	if o.method != payments.USDC {
		o.later = rapid.SampledFrom([]string{"", "", "1733.33", "987.65", "30000"}).Draw(rt, "later")
	}
	if rapid.Bool().Draw(rt, "in USDC") {
		o.amount = money.USDC(rapid.OneOf(rapid.Int64Range(40, 20_000), rapid.Int64Range(40, 40_000_000)).Draw(rt, "millionths"))
	}
	return o
}

// asked is what the order asked for, in its own asset.
func (o drawn) asked(state checkout.State) money.Amount {
	if o.amount.Asset() == money.AssetUSDC {
		return state.Pricing.Crypto
	}
	return state.Pricing.Fiat
}

// play makes the order and pays it.
func (o drawn) play(t *testing.T, rt *rapid.T) *stage {
	s := setup(t, fees.Tariffs{fees.Checkout: o.tariff})
	s.price(o.price)
	s.prefer(business.UpdateParams{CustomerPaysFee: &o.customerPays, CryptoSettlement: &o.settlement, MismatchPolicy: &o.mismatch})
	p := order("order-1")
	p.Amount = o.amount
	s.create(p)
	if o.later != "" {
		s.Advance(16 * time.Minute)
		s.price(o.later)
		s.renew("order-1")
	}
	switch o.method {
	case payments.Card:
		s.attempt("order-1", payments.Card, checkout.OutcomeSuccess)
	case payments.BankTransfer:
		s.credit("order-1", money.NGN(s.get("order-1").Naira().Kobo+o.more))
	case payments.USDC:
		to := s.crypto("order-1").Current
		parts := must(to.Amount.Split(int(min(o.parts, to.Amount.Minor()))))
		for n, part := range parts {
			if n == len(parts)-1 {
				part = must(part.Add(money.USDC(o.more)))
			}
			s.deposit(to.Deposit, part, stranger)
		}
	}
	return s
}

// brings is what the order brings in the asset in which it is settled, fees included.
func (o drawn) brings(rt *rapid.T, s *stage, state checkout.State) money.Amount {
	more := o.more
	if o.mismatch == business.Strict {
		more = 0
	}
	switch {
	case o.method == payments.Card:
		return state.Naira().Amount()
	case o.method == payments.BankTransfer:
		return money.NGN(state.Naira().Kobo + more)
	}
	usdc := money.USDC(state.Payment.Expected.Minor() + more)
	if o.settlement == business.Hold {
		return usdc
	}
	if o.amount.Asset() == money.AssetNGN {
		return state.Payment.Amount
	}
	return must(must(money.NewRate(money.AssetUSDC, money.AssetNGN, o.price)).Convert(usdc))
}

// has is what the business got of an asset, without what is held.
func (s *stage) has(asset money.Asset) money.Amount {
	if asset == money.AssetNGN {
		return s.gained()
	}
	posted, held := s.usdc()
	return must(posted.Sub(held))
}

// feesTaken are the fees that the books took of an asset.
func (s *stage) feesTaken(asset money.Asset) fees.Fees {
	s.t.Helper()
	var fees fees.Fees
	require.NoError(s.t, s.Engine.Units(ferry.Test).Read(s.t.Context(), func(ctx context.Context, tx store.Tx) (err error) {
		for account, fee := range map[ledger.System]*money.Amount{ledger.PlatformFees: &fees.Platform, ledger.ProcessingFees: &fees.Processing} {
			var sum money.Amount
			if sum, err = ledger.Sum(ctx, tx.Ledger(), ledger.SystemAccount(ferry.Test, account, asset)); err != nil {
				return err
			}
			*fee = money.Of(asset, sum.Minor())
		}
		return nil
	}))
	return fees
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
