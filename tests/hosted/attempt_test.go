package hosted_test

import (
	"context"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
)

// attempt brings an attempt of a payer under way.
func (s *stage) attempt(trxID string, method payments.Method) checkout.State {
	s.t.Helper()
	require.NoError(s.t, s.engine.Units(ferry.Test).Write(s.t.Context(), func(ctx context.Context, tx store.Tx) error {
		_, err := s.engine.Checkout.AttemptIn(ctx, tx, s.scope, checkout.Ref{TrxID: trxID}, checkout.Attempt{Method: method, Outcome: checkout.OutcomePending})
		return err
	}))
	return s.get(trxID)
}

func TestWhileAnAttemptIsUnderWayNothingAsksForMoney(t *testing.T) {
	t.Parallel()
	for _, method := range []payments.Method{payments.Card, payments.Wallet, payments.BankTransfer} {
		t.Run(string(method), func(t *testing.T) {
			s := setup(t)
			s.instructed("attempt")
			state := s.attempt("attempt", method)
			for _, query := range []string{"", "?method=bank", "?method=usdc", "?method=card"} {
				page := s.page(checkoutPath(state) + query)
				require.Equal(t, "confirming", page.phase())
				require.Contains(t, page.text(), "Please do not pay again")
				for _, ask := range []string{"m-bank", "number", "sum", "qr", "address", "cancel"} {
					require.False(t, page.has(ask), "%s %s", query, ask)
				}
				require.NotContains(t, page.text(), state.Account.AccountNumber)
				require.Contains(t, page.Body, `http-equiv="refresh"`, "it still looks for the end")
			}
			s.advance(24 * time.Hour)
			require.Equal(t, "failed", s.page(checkoutPath(state)).phase())
		})
	}
}

func TestUSDCThatIsOnItsWayIsNotAskedForAgain(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.instructed("sent")
	s.send(state.Current.Deposit, money.USDC(10_000_000))
	s.advance(500 * time.Millisecond)
	page := s.page(checkoutPath(state) + "?method=bank")
	require.Equal(t, "seen", page.phase())
	require.Contains(t, page.text(), "Please do not pay again")
	require.False(t, page.has("number"))
	require.False(t, page.has("qr"))

	state = s.instructed("part")
	s.send(state.Current.Deposit, money.USDC(4_000_000))
	s.advance(500 * time.Millisecond)
	page = s.page(checkoutPath(state) + "?method=usdc")
	require.Equal(t, "seen", page.phase())
	require.True(t, page.has("qr"), "the rest is still to come")
}

// inUSDC is an order of 12.345678 USDC.
func inUSDC(trxID string) checkout.CreateParams {
	p := order(trxID)
	p.Amount = money.USDC(12_345_678)
	return p
}

func TestAnOrderInUSDCOpensOnUSDC(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(inUSDC("dollars"))
	page := s.page(checkoutPath(state))
	require.Equal(t, "page", attr(page.byID("m-usdc"), "aria-current"))
	require.Contains(t, page.text(), "Get the address for your 12.345678 USDC.")
	require.NotContains(t, page.text(), "₦")

	page = s.follow(s.post(checkoutPath(state)+"/usdc", nil))
	require.Equal(t, "12.345678 USDC", text(page.byID("sum")))

	page = s.page(checkoutPath(state) + "?method=bank")
	require.Equal(t, "₦18,518.52", text(page.byID("sum")))
	require.Contains(t, page.text(), "₦18,518.52 is what 12.345678 USDC is worth, at 1 USDC = ₦1,500.")
	require.Contains(t, s.page(checkoutPath(state)+"?method=bank&lang=fr").text(), "au taux de 1 USDC = 1 500 ₦")
	require.NotContains(t, s.page(checkoutPath(s.create(order("naira")))).text(), "is what")
}

func TestThePriceInNairaOfAnOrderInUSDCIsRenewedOnItsPage(t *testing.T) {
	t.Parallel()
	s := setup(t)
	path := checkoutPath(s.create(inUSDC("dollars")))
	page := s.page(path + "?method=bank")
	require.Contains(t, page.text(), "This price is good until 2 March 2026, 09:30 UTC")
	tag := attr(page.byID("main"), "data-tag")
	require.NoError(t, s.engine.World.SetPrice(t.Context(), "2000"))
	s.advance(15 * time.Minute)
	require.Equal(t, http.StatusOK, s.page(path+"/status", "If-None-Match", tag).Status, "script is told that the price has run out")
	require.NotContains(t, s.page(path+"?method=bank").text(), "₦")

	require.NoError(t, s.engine.World.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, 1))
	require.Equal(t, http.StatusServiceUnavailable, s.post(path+"/bank", nil).Status)
	page = s.follow(s.post(path+"/bank", nil))
	require.Equal(t, "₦24,691.36", text(page.byID("sum")), "24,691.356")
	require.Contains(t, page.text(), "at 1 USDC = ₦2,000.")
	require.Contains(t, page.text(), "This price is good until 2 March 2026, 09:45 UTC")
	s.credit("dollars", money.NGN(24_691_36))
	require.Equal(t, "paid", s.page(path).phase())
}

func TestATestCardPaysThePriceInNairaOfNow(t *testing.T) {
	t.Parallel()
	s := setup(t)
	path := checkoutPath(s.create(inUSDC("dollars")))
	require.NoError(t, s.engine.World.SetPrice(t.Context(), "2000"))
	s.advance(15 * time.Minute)
	require.Equal(t, "paid", s.follow(s.post(path+"/card", url.Values{"outcome": {"success"}})).phase())
	require.Equal(t, money.NGN(24_691_36), s.get("dollars").Payment.Received)
}
