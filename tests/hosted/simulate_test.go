package hosted_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/money"
)

// click presses a button that stands for money, and returns the page when all is final.
func (s *stage) click(state checkout.State, method, send string) answer {
	s.t.Helper()
	pressed := s.post(checkoutPath(state)+"/simulate", url.Values{"method": {method}, "send": {send}})
	require.Equal(s.t, http.StatusSeeOther, pressed.Status, pressed.Body)
	s.advance(10 * time.Second)
	return s.page(pressed.Header.Get("Location"))
}

func TestInTheSandboxEveryTabIsPaidByAClick(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ method, send, phase, says string }{
		{"bank", "exact", "paid", "Paid"},
		{"bank", "less", "underpaid", "₦7,500.00 is going back"},
		{"bank", "more", "paid", "₦7,500.00 is going back"},
		{"bank", "twice", "paid", "More money arrived although this order was already paid."},
		{"bank", "late", "cancelled", "Money arrived after the order had ended."},
		{"usdc", "exact", "paid", "Paid"},
		{"usdc", "less", "partial", "We received 5 USDC"},
		{"usdc", "more", "paid", "5 USDC is set aside"},
		{"usdc", "twice", "paid", "10 USDC is set aside"},
		{"usdc", "late", "cancelled", "10 USDC is set aside"},
	} {
		t.Run(c.method+" "+c.send, func(t *testing.T) {
			s := setup(t)
			state := s.instructed("click")
			page := s.page(checkoutPath(state) + "?method=" + c.method)
			require.True(t, page.has("simulate"))
			require.Contains(t, page.Body, `value="`+c.send+`"`)
			page = s.click(state, c.method, c.send)
			require.Equal(t, c.phase, page.phase())
			require.Contains(t, page.text(), c.says)
			audit, err := s.engine.Audit(t.Context(), s.scope.Env)
			require.NoError(t, err)
			require.Empty(t, audit)
		})
	}
}

func TestTheRestOfAPartlyPaidOrderIsPaidByAClick(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.instructed("rest")
	s.click(state, "usdc", "less")
	s.advance(20 * time.Minute) // the price runs out between
	require.Equal(t, "paid", s.click(s.get("rest"), "usdc", "exact").phase())
	require.Empty(t, s.get("rest").Payment.Exceptions)
}

func TestAnOrderThatHasEndedIsPaidLateByAClick(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(order("ended"))
	s.advance(24 * time.Hour)
	page := s.page(checkoutPath(state))
	require.Contains(t, page.Body, `value="late"`)
	require.NotContains(t, page.Body, `value="exact"`)
	require.Contains(t, s.click(state, "bank", "late").text(), "₦15,000.00 is going back")
}

func TestOnlyThePayersOwnPageInTheSandboxTakesClicksForMoney(t *testing.T) {
	t.Parallel()
	s := setup(t)
	state := s.create(public("own"))
	for _, wrong := range []url.Values{{"method": {"bank"}, "send": {"nothing"}}, {"method": {"bank"}}} {
		require.Equal(t, http.StatusBadRequest, s.post(checkoutPath(state)+"/simulate", wrong).Status, wrong)
	}
	for _, wrong := range []url.Values{{"method": {"card"}, "send": {"exact"}}, {"method": {"usdc"}, "send": {"exact"}}, {}} {
		require.Equal(t, http.StatusNotFound, s.post(checkoutPath(state)+"/simulate", wrong).Status, wrong)
	}
	require.False(t, s.find("own", s.tenant.PublicKey).has("simulate"))

	p := setup(t, engine.Config{Production: true})
	state = p.create(order("served"))
	require.False(t, p.page(checkoutPath(state)).has("simulate"))
	require.Equal(t, http.StatusNotFound, p.post(checkoutPath(state)+"/simulate", url.Values{"method": {"bank"}, "send": {"exact"}}).Status)
	require.Equal(t, checkout.Pending, p.get("served").Status)

	tiny := order("tiny")
	tiny.Amount = money.NGN(1)
	state = s.create(tiny)
	require.Equal(t, http.StatusBadRequest, s.post(checkoutPath(state)+"/simulate", url.Values{"method": {"bank"}, "send": {"less"}}).Status)
}
