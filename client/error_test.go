package client_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/client"
	"github.com/ferrypay/ferry/ferrytest"
	"github.com/ferrypay/ferry/money"
)

// start returns a client of a new sandbox.
func start(t *testing.T) (*client.Client, *ferrytest.Fake) {
	t.Helper()
	fake := ferrytest.Start(t)
	c, err := client.New(client.Config{BaseURL: fake.URL, Key: fake.SecretKey})
	require.NoError(t, err)
	return c, fake
}

func kobo(n int64) client.Price { return client.PriceOf(money.NGN(n)) }

func naira(kobo int64) client.Amount { return client.AmountOf(money.NGN(kobo)) }

func TestAnErrorNamesTheFieldsThatAreWrong(t *testing.T) {
	c, _ := start(t)
	_, err := c.Customers.Create(t.Context(), client.CreateCustomerParams{Type: client.CustomerTypeIndividual, Email: "ada"})
	refused, ok := errors.AsType[*client.Error](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, http.StatusBadRequest, refused.Status)
	require.Equal(t, client.CodeValidationError, refused.Code)
	require.Equal(t, []string{"Invalid email format"}, refused.Fields["email"])
	require.NotEmpty(t, refused.Fields["first_name"])
	require.Regexp(t, `^req_`, refused.RequestID)
	require.ErrorContains(t, err, "400 validation_error: ")
	require.ErrorContains(t, err, "; email: Invalid email format")
}

func TestErrorsAreFoundByTheirCode(t *testing.T) {
	c, _ := start(t)
	_, err := c.Customers.Get(t.Context(), "cus_019cadd4569875d7a1b61a53693e7f0f")
	require.ErrorIs(t, err, client.CodeCustomerNotFound)
	require.NotErrorIs(t, err, client.CodeNotFound)
	require.NotErrorIs(t, &client.Error{Status: 502}, client.Code(""))
}

func TestAShortageSaysWhatThereIs(t *testing.T) {
	c, _ := start(t)
	_, err := c.FiatTransfers.CreateFromBalance(t.Context(), client.CreateNairaTransferParams{
		Amount: naira(2_000_000_50), Currency: client.CurrencyNGN, BankCode: "058", AccountNumber: "0123456780",
	})
	require.ErrorIs(t, err, client.CodeInsufficientBalance)
	refused, _ := errors.AsType[*client.Error](err)
	shortage, ok := refused.Shortage()
	require.True(t, ok)
	require.Equal(t, naira(1_000_000_00), shortage.Available)
	require.Equal(t, naira(2_000_000_50), shortage.Required)
	_, ok = (&client.Error{Code: client.CodeNotFound}).Shortage()
	require.False(t, ok)
}

func TestAnErrorThatComesFromSomethingElseSaysSo(t *testing.T) {
	s := scripted(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "<html>no</html>", http.StatusForbidden) })
	_, err := s.client(t, client.Config{}).Payouts.Get(t.Context(), "pout_1")
	require.EqualError(t, err, "403: the answer does not come from a ferry: 403 Forbidden")
}

func TestRetryAfterMayBeADate(t *testing.T) {
	at := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	s := scripted(t, fails(503, "provider_unavailable", "Retry-After", at))
	_, err := s.client(t, client.Config{}).Payouts.Get(t.Context(), "pout_1")
	refused, ok := errors.AsType[*client.Error](err)
	require.True(t, ok, "%v", err)
	require.InDelta(t, time.Hour, refused.RetryAfter, float64(2*time.Second))
}
