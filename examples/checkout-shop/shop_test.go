package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/client"
	"github.com/ferrypay/ferry/ferrytest"
	"github.com/ferrypay/ferry/webhook"
)

// street is a shop, the ferry behind it, and a payer before it.
type street struct {
	*ferrytest.Fake

	t    *testing.T
	url  string
	shop *Shop

	mu      sync.Mutex
	shipped []string
	events  int // of payments that succeeded, as they arrived
}

func open(t *testing.T) *street {
	t.Helper()
	s := &street{Fake: ferrytest.Start(t), t: t}
	mux := http.NewServeMux()
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	s.url = web.URL
	shop, err := NewShop(t.Context(), Config{
		URL: web.URL, FerryURL: s.URL, SecretKey: s.SecretKey, WebhookSecret: s.WebhookSecret, Ship: s.ship,
	})
	require.NoError(t, err)
	s.shop = shop
	mux.Handle("/", s.counting(shop.Handler()))
	return s
}

func (s *street) ship(order string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shipped = append(s.shipped, order)
}

func (s *street) counting(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/webhooks" {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(strings.NewReader(string(body)))
			s.mu.Lock()
			s.events += strings.Count(string(body), `"type":"payment.success"`)
			s.mu.Unlock()
		}
		next.ServeHTTP(w, r)
	})
}

func (s *street) seen() (shipped []string, events int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shipped, s.events
}

// buy presses the button and returns the order.
func (s *street) buy() string {
	s.t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Post(s.url+"/buy", "application/x-www-form-urlencoded", http.NoBody)
	require.NoError(s.t, err)
	defer response.Body.Close()
	require.Equal(s.t, http.StatusSeeOther, response.StatusCode)
	require.Regexp(s.t, "^"+s.URL+"/checkout/sess_[0-9a-f]{32}$", response.Header.Get("Location"))
	s.shop.mu.Lock()
	defer s.shop.mu.Unlock()
	for id, placed := range s.shop.orders {
		if placed.checkoutURL == response.Header.Get("Location") {
			return id
		}
	}
	s.t.Fatal("no order was placed")
	return ""
}

// drive makes the attempt to pay an order end in a way.
func (s *street) drive(order, outcome string) {
	s.t.Helper()
	_, err := s.shop.ferry.api.TestHelpers.DrivePayment(s.t.Context(), client.DrivePaymentParams{
		TrxID: order, Outcome: client.PaymentOutcome(outcome),
	})
	require.NoError(s.t, err)
}

// transfer pays naira to the account of an order, as the payer's bank would.
func (s *street) transfer(order string, naira int) {
	s.t.Helper()
	account, err := s.shop.ferry.api.Checkout.Account(s.t.Context(), client.CheckoutAccountParams{TrxID: order})
	require.NoError(s.t, err)
	s.Credit(account.Fiat.AccountNumber, strconv.Itoa(naira))
}

// page reads a page of the shop.
func (s *street) page(path string) string {
	s.t.Helper()
	return s.read(s.url + path)
}

// read reads any page.
func (s *street) read(url string) string {
	s.t.Helper()
	response, err := http.Get(url)
	require.NoError(s.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(s.t, err)
	require.Equal(s.t, http.StatusOK, response.StatusCode, "%s", body)
	return string(body)
}

const (
	paid   = "Paid. Your book is on its way."
	unpaid = "Not paid yet."
)

func TestAnOrderIsPaidByBankTransferAndShippedOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.buy()
	require.Contains(t, s.page("/orders/"+id), unpaid)

	s.transfer(id, 15000)
	shipped, events := s.seen()
	require.Equal(t, []string{id}, shipped, "by the event, though the payer has not come back")
	require.Equal(t, 1, events)
	shown := s.page("/orders/" + id)
	require.Contains(t, shown, paid)
	receipt := regexp.MustCompile(`href="(` + s.URL + `/checkout/sess_[0-9a-f]{32}/receipt)">Receipt`).FindStringSubmatch(shown)
	require.NotNil(t, receipt, shown)
	require.Contains(t, s.read(receipt[1]), "₦15,000.00")

	_, err := s.Engine.Webhooks.ReplaySince(t.Context(), s.Business.Scope, s.Business.CreatedAt)
	require.NoError(t, err)
	s.Drain()
	shipped, events = s.seen()
	require.Equal(t, []string{id}, shipped)
	require.Equal(t, 2, events, "it came twice")
}

// A session takes one attempt: when that fails, the order is over.
func TestAPayerWhosePaymentFailedBuysAgain(t *testing.T) {
	t.Parallel()
	for outcome, says := range map[string]string{
		"failed": "The payment failed.", "cancelled": "The payment was cancelled.",
	} {
		s := open(t)
		first := s.buy()
		require.Contains(t, s.page("/orders/"+first), `">Pay</a>`)
		s.drive(first, outcome)
		page := s.page("/orders/" + first)
		require.Contains(t, page, says)
		require.Contains(t, page, "Buy again")
		require.NotContains(t, page, ">Pay<", "that session is over")

		second := s.buy()
		require.NotEqual(t, first, second)
		s.transfer(second, 15000)
		require.Contains(t, s.page("/orders/"+second), paid)
		shipped, _ := s.seen()
		require.Equal(t, []string{second}, shipped)
	}
}

func TestAPayerWhoCameTooLateBuysAgain(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.buy()
	s.Advance(25 * time.Hour)
	require.Contains(t, s.page("/orders/"+id), "The time to pay is over.")
	require.Contains(t, s.page("/orders/"+id), "Buy again")
}

func TestAnOrderIsPaidAlthoughNoEventComes(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.buy()
	s.Inject("receiver", "500", 1)
	s.transfer(id, 15000)
	require.Contains(t, s.page("/orders/"+id), paid)
	shipped, _ := s.seen()
	require.Equal(t, []string{id}, shipped)
}

func TestTooLittleMoneyPaysNothing(t *testing.T) {
	t.Parallel()
	for policy, says := range map[string]string{
		"strict": "The payment failed.",                   // and the money goes back
		"accept": "Less has arrived than the book costs.", // and the shop has the money
	} {
		s := open(t)
		s.policy(policy)
		id := s.buy()
		s.transfer(id, 14999)
		require.Contains(t, s.page("/orders/"+id), says)
		shipped, _ := s.seen()
		require.Empty(t, shipped, policy)
	}
}

// policy says what becomes of money that does not fit.
func (s *street) policy(policy string) {
	s.t.Helper()
	_, err := s.shop.ferry.api.Business.Update(s.t.Context(), client.UpdateBusinessParams{
		MismatchPolicy: new(client.MismatchPolicy(policy)),
	})
	require.NoError(s.t, err)
}

func TestAQueryThatClaimsSuccessPaysNothing(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.buy()
	require.Contains(t, s.page("/orders/"+id+"?status=success&reference=pay_1&trx_id="+id), unpaid)
	shipped, _ := s.seen()
	require.Empty(t, shipped)
}

// tell posts a success to the shop, signed with a secret, and returns the status.
func (s *street) tell(trxID, secret string) int {
	s.t.Helper()
	body, err := webhook.GenerateTestEvent("payment.success", map[string]string{"trx_id": trxID, "status": "success"})
	require.NoError(s.t, err)
	request, err := webhook.SignedRequest(s.url+"/webhooks", body, secret)
	require.NoError(s.t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(s.t, err)
	require.NoError(s.t, response.Body.Close())
	return response.StatusCode
}

func TestAForgedEventIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.buy()
	require.Equal(t, http.StatusBadRequest, s.tell(id, "whsec_test_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="))
	require.Equal(t, http.StatusOK, s.tell("order-of-another-shop", s.WebhookSecret))
	require.Equal(t, http.StatusOK, s.tell(id, s.WebhookSecret), "genuine, but ferry is asked all the same")
	shipped, _ := s.seen()
	require.Empty(t, shipped)
	require.Contains(t, s.page("/orders/"+id), unpaid)
}

func TestThePageWithADialogGetsItsSessionFromTheShop(t *testing.T) {
	t.Parallel()
	s := open(t)
	page := s.page("/inline")
	require.Contains(t, page, `<script src="`+s.URL+`/inline.js"></script>`)
	require.Contains(t, page, `<form method="post" action="/buy">`, "without script")
	require.NotContains(t, page, "pk_test_")
	require.NotContains(t, s.page("/"), "<script")
	require.Contains(t, s.page("/shop.js"), "FerryCheckout.pay")

	response, err := http.Post(s.url+"/inline/buy", "", http.NoBody)
	require.NoError(t, err)
	defer response.Body.Close()
	var placed struct {
		Order       string `json:"order"`
		CheckoutURL string `json:"checkout_url"`
	}
	require.NoError(t, json.NewDecoder(response.Body).Decode(&placed))
	require.Regexp(t, "^"+s.URL+"/checkout/sess_", placed.CheckoutURL)
	require.Contains(t, s.page(placed.Order), unpaid)
	s.transfer(strings.TrimPrefix(placed.Order, "/orders/"), 15000)
	require.Contains(t, s.page(placed.Order), paid)
}

func TestAShopNeedsItsKeys(t *testing.T) {
	t.Parallel()
	_, err := NewShop(t.Context(), Config{})
	require.ErrorContains(t, err, "FERRY_KEY")
	fake := ferrytest.Start(t)
	_, err = NewShop(t.Context(), Config{FerryURL: fake.URL, SecretKey: "sk_test_wrong", WebhookSecret: fake.WebhookSecret})
	require.ErrorContains(t, err, "401")
}
