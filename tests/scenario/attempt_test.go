package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/tests/apitest"
)

func TestAnAccountTakesWhatCameInTimeAlsoWhenTheBankWasAway(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testAnAccountTakesWhatCameInTime)
}

func testAnAccountTakesWhatCameInTime(t *testing.T, open opener) {
	s := open(t)
	account := s.Post("/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": "invoice-1", "amount": 500, "validFor": 60}).OK()
	away := func(calls int) {
		require.NoError(t, s.Engine.World.Inject(t.Context(), sandbox.TargetBank, sandbox.Unavailable, calls))
	}
	s.advance(50)
	away(100_000)
	s.Post("/v1/test_helpers/bank_credits", apitest.Object{
		"account_number": account.Text("data.account_number"), "amount": 500, "wait": false,
	}).OK()
	s.advance(60)
	away(0)
	s.advance(10)
	found := s.Get("/v1/fiat/virtual-accounts?transaction=1&id=" + account.Text("data.id")).OK()
	require.Equal(t, "completed", found.Text("data.status"))
	require.Equal(t, "success", found.Text("data.transactions.0.status"))
	require.Equal(t, 1, s.events("transfer.received"))
	s.clean()
}

func TestUSDCOnItsWayIsAnAttemptThatEverybodyHearsOf(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testUSDCOnItsWayIsAnAttempt)
}

func testUSDCOnItsWayIsAnAttempt(t *testing.T, open opener) {
	s := open(t)
	s.As("").Post("/v1/checkout", s.order("order-1", "ada@example.com")).OK()
	s.deposit(s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": "order-1"}).OK().Text("data.crypto.address"), "10")
	s.advance(1)
	require.Equal(t, 1, s.events("payment.pending"))
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-1", "outcome": "cancelled"}).Fails(409, "invalid_state_transition")
	s.advance(10)
	require.Equal(t, "completed", s.Get("/v1/checkout/status?trx_id=order-1").OK().Text("data.status"))
	require.Equal(t, 1, s.events("payment.success"))
	s.clean()
}

func TestAWalletIsNotClosedWhileACheckoutCanBePaidIntoIt(t *testing.T) {
	t.Parallel()
	onEveryStore(t, testAWalletIsNotClosedWhileACheckoutIsPaid)
}

func testAWalletIsNotClosedWhileACheckoutIsPaid(t *testing.T, open opener) {
	s := open(t)
	s.As("").Post("/v1/checkout", s.order("order-1", "ada@example.com")).OK()
	s.Post("/v1/checkout/crypto", apitest.Object{"trx_id": "order-1"}).OK()
	closing := apitest.Object{"reference": "checkout", "status": "closed"}
	s.Post("/v1/wallets/status", closing).Fails(409, "invalid_state_transition")
	require.Equal(t, "active", s.Get("/v1/wallets?reference=checkout").OK().Text("data.status"))
	s.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": "order-1", "outcome": "cancelled"}).OK()
	require.Equal(t, "closed", s.Post("/v1/wallets/status", closing).OK().Text("data.status"))
}
