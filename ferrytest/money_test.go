package ferrytest_test

import (
	"fmt"
	"net/http"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/ferrytest"
	"github.com/ferrypay/ferry/sandbox"
)

// witness is a test that a fake ends when it fails.
type witness struct {
	testing.TB

	said string
}

func (w *witness) Fatalf(format string, args ...any) {
	w.said = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// failure returns what a fake says when it ends its test.
func failure(t *testing.T, use func(*ferrytest.Fake)) string {
	t.Helper()
	w := &witness{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		use(ferrytest.Start(w))
	}()
	<-done
	require.NotEmpty(t, w.said, "it passed")
	return w.said
}

// order makes a checkout session of 15,000 naira and returns its account.
func order(t *testing.T, fake *ferrytest.Fake, trxID string) string {
	t.Helper()
	status, made := call(t, fake, http.MethodPost, "/v1/checkout/create", map[string]any{
		"public_key": fake.PublicKey, "trx_id": trxID, "email": "ada@example.com", "amount": 15_000_00, "currency": "NGN",
	})
	require.Equal(t, http.StatusOK, status)
	return made["account"].(map[string]any)["account_number"].(string)
}

func TestASessionIsPaidWhenItsCreditReturns(t *testing.T) {
	t.Parallel()
	fake := ferrytest.Start(t)
	session := fake.Credit(order(t, fake, "order-981"), "15000")
	require.NotEmpty(t, session)
	_, payment := call(t, fake, http.MethodGet, "/v1/payments?id=order-981", nil)
	require.Equal(t, "success", payment["status"])
}

func TestACollectionAccountHasItsCreditWhenItReturns(t *testing.T) {
	t.Parallel()
	fake := ferrytest.Start(t)
	status, account := call(t, fake, http.MethodPost, "/v1/fiat/virtual-accounts", map[string]string{"currency": "NGN", "reference": "till-1"})
	require.Equal(t, http.StatusOK, status)
	session := fake.Credit(account["account_number"].(string), "2500.50")
	_, line := call(t, fake, http.MethodGet, "/v1/transactions?reference="+session, nil)
	require.InDelta(t, 2500.50, line["amount"], 0)
}

func TestMoneyToSomebodyElseEndsTheTest(t *testing.T) {
	t.Parallel()
	require.Equal(t, "ferrytest: 9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM is no deposit address of this fake",
		failure(t, func(f *ferrytest.Fake) { f.Deposit("9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", "25.5") }))
	require.Equal(t, "ferrytest: 0123456789 is no bank account of this fake",
		failure(t, func(f *ferrytest.Fake) { f.Credit("0123456789", "15000") }))
}

func TestMoneyThatDoesNotComeEndsTheTest(t *testing.T) {
	t.Parallel()
	require.Contains(t, failure(t, func(f *ferrytest.Fake) {
		address := newWallet(t, f, "main")["primary_address"].(string)
		f.Inject(sandbox.TargetChain, sandbox.Unavailable, 1_000_000)
		f.Deposit(address, "25.5")
	}), "was not credited")
}

func TestAnUnknownFaultNamesThoseThatThereAre(t *testing.T) {
	t.Parallel()
	require.Equal(t, `ferrytest: sandbox: unknown fault: "501" on "receiver", which has timeout, answer_lost, 302, 400, 410, 429, 500, 503`,
		failure(t, func(f *ferrytest.Fake) { f.Inject("receiver", "501", 1) }))
	require.Equal(t, `ferrytest: sandbox: unknown fault: target "moon", there are chain, bank, kyc, rates, biller, receiver`,
		failure(t, func(f *ferrytest.Fake) { f.Inject("moon", "500", 1) }))
	require.Equal(t, `ferrytest: sandbox: unknown fault: "500" on "receiver", -1 times`,
		failure(t, func(f *ferrytest.Fake) { f.Inject("receiver", "500", -1) }))
}
