package checkout_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
)

func TestAQuoteIsPricedAsTheOrderIs(t *testing.T) {
	for _, customerPays := range []bool{false, true} {
		s := setup(t, tariffs)
		s.prefer(business.UpdateParams{CustomerPaysFee: &customerPays})
		for trxID, p := range map[string]checkout.CreateParams{"naira": order("naira"), "usdc": inUSDC("usdc")} {
			quoted, err := s.Engine.Checkout.Quote(t.Context(), ferry.Test, &s.scope, p.Amount, checkout.SolanaUSDC)
			require.NoError(t, err)
			require.Equal(t, s.create(p).Session.Pricing, quoted)
			require.Equal(t, quoted.Crypto, s.crypto(trxID).Current.Amount)
		}
	}
}

func TestATestKeyPricesAsALiveOneDoes(t *testing.T) {
	world := sandbox.New(sandbox.Config{})
	e, err := engine.New(engine.Config{
		Store: memstore.New(), World: world, Tariffs: tariffs, Production: true, Sealer: seal.Ephemeral(), Pepper: business.Pepper("pepper"),
		Live: engine.Providers{Chain: world.Chain(), Bank: world.Bank(), KYC: world.KYC(), Rates: world.Rates()},
	})
	require.NoError(t, err)
	for _, amount := range []money.Amount{money.NGN(15_000_00), money.USDC(10_000_000)} {
		var priced []checkout.Pricing
		for _, env := range []ferry.Env{ferry.Test, ferry.Live} {
			made, err := e.Businesses.Create(t.Context(), ferry.Scope{Env: env}, business.CreateParams{Name: "A shop"})
			require.NoError(t, err)
			scope := made.Business.Scope
			_, err = e.Businesses.Update(t.Context(), scope, business.UpdateParams{CustomerPaysFee: ptr(true)})
			require.NoError(t, err)
			p, err := e.Checkout.Quote(t.Context(), env, &scope, amount, checkout.SolanaUSDC)
			require.NoError(t, err)
			p.RateUntil = time.Time{}
			priced = append(priced, p)
		}
		require.Equal(t, priced[0], priced[1])
		require.NotEqual(t, priced[0].Base, priced[0].Fiat, "the customer pays the fees")
	}
}

func TestAnOrderThatGrewTooDearIsRefusedUSDC(t *testing.T) {
	s := setup(t)
	p := order("order-1")
	p.Amount = money.NGN(14_900_000_000_00)
	s.create(p)
	for _, price := range []string{"1000", "0.0000001"} {
		s.price(price)
		_, err := s.Engine.Checkout.Crypto(t.Context(), s.scope, checkout.Ref{TrxID: "order-1"}, "")
		require.ErrorIs(t, err, checkout.ErrTooDear)
		require.ErrorIs(t, err, ferry.Conflict)
	}
	s.credit("order-1", p.Amount)
	s.is("order-1", checkout.Completed, payments.Success)
}

func TestMoneyAboveTheCeilingGoesBackWhole(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	s.deposit(s.crypto("order-1").Current.Deposit, money.USDC(money.Ceiling+20_000_000), stranger)
	s.is("order-1", checkout.Completed, payments.Success, payments.Overpaid)
	s.resolve("order-1", checkout.Refund)
	s.Settle()
	posted, held := s.usdc()
	require.Equal(t, []money.Amount{money.USDC(10_000_000), money.USDC(0)}, []money.Amount{posted, held})
	s.clean()
}
