package hosted_test

import (
	"context"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

// thief is an address that nobody here manages.
const thief = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"

// divert changes where the page of a session says that the payer pays.
func (s *stage) divert(state checkout.State) {
	s.t.Helper()
	i := *state.Current
	i.Deposit = thief
	require.NoError(s.t, s.engine.Units(ferry.Test).Write(s.t.Context(), func(ctx context.Context, tx store.Tx) error {
		return checkout.InstructionKind.Update(ctx, tx, i)
	}))
}

func TestAPageLeavesOutAnAddressThatWasChangedAndOffersTheBank(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.create(order("diverted"))
	state := s.crypto("diverted")
	s.divert(state)
	for _, query := range []string{"", "?method=usdc"} {
		page := s.page(checkoutPath(state) + query)
		require.Equal(t, http.StatusOK, page.Status)
		require.NotContains(t, page.Body, thief)
		require.NotContains(t, page.Body, string(state.Current.Deposit))
		require.NotContains(t, page.text(), "USDC")
		require.Contains(t, page.text(), state.Account.AccountNumber)
	}
	asked := s.post(checkoutPath(state)+"/usdc", url.Values{})
	require.Equal(t, http.StatusServiceUnavailable, asked.Status)
	require.NotContains(t, asked.Body, thief)
	require.Contains(t, asked.text(), state.Account.AccountNumber)
	s.credit("diverted", money.NGN(15_000_00))
	require.Equal(t, "paid", s.page(checkoutPath(state)).phase())
}

func TestAPageThatHasNothingButAnAddressThatWasChangedIsNotShown(t *testing.T) {
	t.Parallel()
	s := setup(t)
	p := order("diverted")
	p.Amount, p.Method = money.USDC(10_000_000), business.Crypto
	state := s.create(p)
	s.divert(state)
	page := s.page(checkoutPath(state))
	require.Equal(t, http.StatusServiceUnavailable, page.Status)
	require.NotContains(t, page.Body, thief)
}
