package inspect_test

import (
	"context"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	testify "github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/inspect"
)

type assert = testify.CollectT

func TestTheTimelineTellsAPaymentFromTheRequestToTheDelivery(t *testing.T) {
	h := newHouse(t)
	got := make(chan struct{}, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		got <- struct{}{}
		http.Error(w, "the handler is broken", http.StatusInternalServerError)
	}))
	defer receiver.Close()
	h.api("POST", "/v1/webhook/config", `{"url":"`+receiver.URL+`"}`)
	h.order("order-981")
	h.act("order-981", "Bank: exactly")
	<-got

	asked := h.await("kind=api", "POST /v1/checkout/create", "order-981")
	require.Equal(t, 200, asked.Status)
	money := h.await("kind=money", "15,000.00", "came in at the bank")
	event := h.await("kind=event", "payment.success", "order-981")
	delivery := h.await("kind=webhook", "payment.success", "order-981")
	require.Equal(t, 500, delivery.Status)
	require.True(t, delivery.Bad())
	require.Less(t, asked.Seq, money.Seq)
	require.Less(t, asked.Seq, event.Seq)
	require.Equal(t, event.Thing, delivery.Thing)

	_, page := h.page(fmt.Sprintf("/%s", delivery.Path))
	require.Contains(t, page, "the handler is broken")
	require.Contains(t, page, "the signature matches")
	require.Contains(t, page, "Webhook-Signature")
}

func TestAThingShowsItsStateWhatHappenedAndBothLegsOfItsMoney(t *testing.T) {
	h := newHouse(t)
	h.order("order-1")
	h.act("order-1", "USDC: too little")
	h.await("kind=money", "5 USDC came in on the chain")
	h.act("order-1", "USDC: what is left")
	h.await("kind=event", "payment.success", "order-1")
	_, page := h.page("/things/order-1")
	require.Contains(t, page, "15,000.00")
	require.Contains(t, page, "success")
	require.Contains(t, page, "It can become reversed.")
	require.Contains(t, page, "payment.success")
	require.Contains(t, page, "5 USDC came in on the chain")
	require.Contains(t, page, "-5 USDC")
	require.Contains(t, page, "The bank takes it back")

	status, page := h.page("/things/nobody")
	require.Equal(t, http.StatusNotFound, status)
	require.Contains(t, page, "There is no nobody")
}

func TestEveryPageIsThereInHTMLAndInJSON(t *testing.T) {
	h := newHouse(t)
	h.order("order-1")
	paths := []string{"/", "/?kind=api&q=order", "/things/order-1", "/requests", "/requests?failed=1", "/webhooks", "/rails", "/faults", "/clock", "/books", "/api", "/api?try=POST+/v1/wallets", "/record"}
	for _, kind := range []string{
		"payments", "links", "customers", "wallets", "addresses", "transfers", "payouts", "bank-transfers", "refunds", "onramps", "offramps", "bills",
		"crypto-bills", "virtual-accounts", "reserved-accounts", "approvals",
	} {
		paths = append(paths, "/lists/"+kind, "/lists/"+kind+"?search=order")
	}
	for _, path := range paths {
		status, html := h.page(path)
		require.Equal(t, http.StatusOK, status, path+" "+html)
		require.Contains(t, html, "</html>", path)
		require.NotContains(t, html, h.SecretKey, path)
		var data any
		h.data(path, &data)
	}
	for _, path := range []string{"/lists/nothing", "/requests/999", "/deliveries/x"} {
		status, html := h.page(path)
		require.Equal(t, http.StatusNotFound, status, path)
		require.Contains(t, html, "</html>")
	}
	status, _ := h.page("/?before=x")
	require.Equal(t, http.StatusBadRequest, status)
}

func TestSecretsAndIdentityNumbersAreNotShown(t *testing.T) {
	h := newHouse(t)
	made := h.api("POST", "/v1/customers", `{"type":"individual","first_name":"Ada","last_name":"Obi","email":"ada@example.com","phone":"+2348099999999"}`)
	h.api("POST", "/v1/customers/identity/initiate", fmt.Sprintf(`{"type":"bvn","number":"22212345670","customer_id":"%s"}`, made["id"]))
	h.api("GET", "/v1/test_helpers/otp?number=22212345670", "")
	h.api("POST", "/v1/api-keys", `{"label":"second","scopes":["read"]}`)
	h.api("POST", "/v1/webhook/rotate-secret", ``)
	for _, l := range h.lines("kind=api") {
		_, page := h.page("/" + l.Path)
		for _, secret := range []string{h.SecretKey, "22212345670", "123456"} {
			require.NotContains(t, page, secret, l.Title)
		}
		require.NotRegexp(t, `(sk_test_|whsec_test_)[A-Za-z0-9]`, page, l.Title)
	}
	_, front := h.page("/")
	require.NotContains(t, front, "22212345670")
}

func TestWhatATenantTypesIsText(t *testing.T) {
	h := newHouse(t)
	const evil = `<script>alert(1)</script>`
	h.api("POST", "/v1/customers", `{"type":"individual","first_name":"`+evil+`","last_name":"Obi","email":"ada@example.com","phone":"+2348012345678"}`)
	h.api("POST", "/v1/payment-links", `{"title":"`+evil+`","amount":500000,"currency":"NGN","description":"`+evil+`"}`)
	h.api("POST", "/v1/wallets", `{"type":"stablecoin","network":"solana","asset":"USDC","reference":"w1","label":"`+evil+`"}`)
	h.api("GET", "/v1/customers?search="+evil, "")
	paths := []string{"/", "/?q=" + evil, "/lists/customers", "/lists/links", "/lists/wallets", "/lists/customers?search=" + evil, "/things/w1", "/things/" + evil, "/requests", "/requests?q=" + evil, "/record"}
	for _, l := range h.lines("kind=api") {
		paths = append(paths, "/"+l.Path)
	}
	for _, path := range paths {
		_, page := h.page(path)
		require.NotContains(t, page, "<script>alert", path)
		require.NotContains(t, page, `onerror=`, path)
	}
}

func TestOnlyThisMachineMayLook(t *testing.T) {
	h := newHouse(t)
	ask := func(method, path string, change func(*http.Request)) int {
		r, err := http.NewRequestWithContext(t.Context(), method, h.URL+path, nil)
		require.NoError(t, err)
		change(r)
		status, _, _ := h.send(r)
		return status
	}
	for host, want := range map[string]int{"localhost:1": 200, "127.0.0.1": 200, "[::1]:8080": 200, "evil.example": 403, "127.0.0.1.evil.example:80": 403} {
		require.Equal(t, want, ask("GET", "/", func(r *http.Request) { r.Host = host }), host)
	}
	require.Equal(t, 403, ask("POST", "/do", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }))
	require.Equal(t, 403, ask("POST", "/do", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }))
	require.Equal(t, 405, ask("GET", "/do", func(*http.Request) {}))
}

func TestATokenLetsInFromAnywhereAndLeavesTheAddress(t *testing.T) {
	h := newHouse(t, func(c *inspect.Config) { c.Token = "open-sesame" })
	ask := func(path, cookie string) *http.Response {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL+path, nil)
		require.NoError(t, err)
		r.Host = "sandbox.example"
		if cookie != "" {
			r.Header.Set("Cookie", cookie)
		}
		response, err := http.DefaultTransport.RoundTrip(r)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		return response
	}
	require.Equal(t, 403, ask("/", "").StatusCode)
	require.Equal(t, 403, ask("/?token=guess", "").StatusCode)
	require.Equal(t, 403, ask("/?token=", "ferry_inspect=").StatusCode)
	let := ask("/?token=open-sesame", "")
	require.Equal(t, http.StatusSeeOther, let.StatusCode)
	require.Equal(t, "/", let.Header.Get("Location"))
	given := let.Header.Get("Set-Cookie")
	require.Contains(t, given, "HttpOnly")
	require.Contains(t, given, "SameSite=Strict")
	require.Equal(t, 200, ask("/", strings.Split(given, ";")[0]).StatusCode)
}

func TestAPageStopsAtTheFirstStepThatFailsAndSaysWhatCameOfIt(t *testing.T) {
	h := newHouse(t)
	location := h.do(`[{"method":"POST","path":"/v1/wallets","body":"{}"},{"method":"POST","path":"/v1/test_helpers/reset"}]`)
	require.Regexp(t, `^/clock\?did=\d+$`, location)
	_, page := h.page(location)
	require.Contains(t, page, "POST /v1/wallets answered 400")
	require.Empty(t, h.lines("q=reset"))

	for _, steps := range []string{`[]`, `{`, `[{"method":"POST","path":"/metrics"}]`, `[{"method":"TRACE","path":"/v1/wallets"}]`, `[{"method":"POST","path":"/v1/wallets","body":"x"}]`} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+"/do", strings.NewReader("steps="+steps))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		status, _, _ := h.send(r)
		require.Equal(t, http.StatusBadRequest, status, steps)
	}
}

func TestAnActLeadsBackToAPageOfTheInspectorOnly(t *testing.T) {
	h := newHouse(t)
	for _, back := range []string{"https://evil.example/", "//evil.example/", "%2F%2Fevil.example", `\\evil.example`, ""} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+"/do", strings.NewReader("method=GET&path=/v1/business&back="+back))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		status, _, header := h.send(r)
		require.Equal(t, http.StatusSeeOther, status)
		require.Regexp(t, `^/\?did=\d+$`, header.Get("Location"), back)
	}
}

func TestAResetIsSeenAndTheTimelineGoesOn(t *testing.T) {
	h := newHouse(t)
	h.order("order-1")
	h.act("order-1", "Card accepted")
	h.await("kind=event", "payment.success", "order-1")
	h.api("POST", "/v1/test_helpers/reset", "")
	h.order("order-2")
	h.act("order-2", "Card accepted")
	h.await("kind=event", "payment.success", "order-2")
	h.await("kind=clock", "/v1/test_helpers/reset")
}

func TestAFaultIsSeenWhenItStrikes(t *testing.T) {
	h := newHouse(t)
	h.api("POST", "/v1/test_helpers/faults", `{"target":"kyc","kind":"unavailable","count":2}`)
	_, page := h.page("/")
	require.Contains(t, page, "1 fault armed")
	made := h.api("POST", "/v1/customers", `{"type":"individual","first_name":"Ada","last_name":"Obi","email":"ada@example.com","phone":"+2348012345678"}`)
	h.api("POST", "/v1/customers/identity/initiate", fmt.Sprintf(`{"type":"bvn","number":"22212345670","customer_id":"%s"}`, made["id"]))
	require.Contains(t, h.await("kind=fault", "unavailable of the kyc").Detail, "1 left")
}

func TestNewLinesAreStreamedAndAStreamGoesOnWhereItEnded(t *testing.T) {
	h := newHouse(t)
	h.order("order-1")
	id := h.stream(t, "/live?after=0", "order-1")
	h.order("order-2")
	h.stream(t, "/live?after="+id, "order-2")
	h.stream(t, "/live?after=0&q=order-2", "order-2")
}

func TestTheBankAndTheChainShowWhatIsUnderWay(t *testing.T) {
	h := newHouse(t)
	_, page := h.page("/rails")
	require.Contains(t, page, "No transaction yet.")
	h.order("order-1")
	account := h.api("GET", "/v1/checkout/account?trx_id=order-1", "")["fiat"].(map[string]any)["account_number"].(string)
	wallet := h.api("POST", "/v1/wallets", `{"type":"stablecoin","network":"solana","asset":"USDC","reference":"main"}`)["primary_address"].(string)
	signature := h.api("POST", "/v1/test_helpers/deposits", `{"address":"`+wallet+`","amount":25}`)["transaction_hash"].(string)
	h.api("POST", "/v1/test_helpers/clock/advance", `{"seconds":60}`)

	_, page = h.page("/rails")
	require.Contains(t, page, account)
	require.Contains(t, page, wallet)
	require.Contains(t, page, signature)
	require.Contains(t, page, "finalized")
	require.Contains(t, page, "25 USDC")
	var seen struct {
		Accounts []struct {
			Number string `json:"account_number"`
		}
		Transactions []struct{ Signature string }
	}
	h.data("/rails", &seen)
	require.True(t, slices.ContainsFunc(seen.Accounts, func(a struct {
		Number string `json:"account_number"`
	}) bool {
		return a.Number == account
	}))
	require.Equal(t, signature, seen.Transactions[0].Signature)
}

func TestAThingFramesThePagesOfItsPayer(t *testing.T) {
	h := newHouse(t)
	h.order("order-1")
	link := h.api("POST", "/v1/payment-links", `{"title":"Jollof","amount":500000,"currency":"NGN","slug":"jollof"}`)["id"].(string)
	var order struct {
		PageURL string `json:"page_url"`
	}
	h.data("/things/order-1", &order)
	for thing, path := range map[string]string{"order-1": order.PageURL + "/embed", link: "/pay/jollof"} {
		_, page := h.page("/things/" + thing)
		address := path + "?origin=" + url.QueryEscape(h.URL)
		require.Contains(t, page, `<iframe src="`+address+`"`, thing)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL+address, nil)
		require.NoError(t, err)
		r.Header.Set("Sec-Fetch-Dest", "iframe")
		_, _, header := h.send(r)
		require.Contains(t, header.Get("Content-Security-Policy"), "frame-ancestors "+h.URL, thing)
	}
}

func TestASandboxGoesBackToARememberedMoment(t *testing.T) {
	h := newHouse(t)
	status, page := h.form("/restore", nil)
	require.Equal(t, http.StatusConflict, status)
	require.Contains(t, page, "Remember a moment first: there is none to go back to")
	h.order("order-1")
	status, _ = h.form("/snapshot", nil)
	require.Equal(t, http.StatusSeeOther, status)
	for range 2 {
		h.order("order-2")
		status, _ = h.form("/restore", nil)
		require.Equal(t, http.StatusSeeOther, status)
		status, _ = h.page("/things/order-1")
		require.Equal(t, http.StatusOK, status)
		status, _ = h.page("/things/order-2")
		require.Equal(t, http.StatusNotFound, status)
	}
}

func TestAnEmptySandboxIsFilledByAPress(t *testing.T) {
	filled := 0
	h := newHouse(t, func(c *inspect.Config) {
		c.Seed = func(context.Context) error {
			if filled++; filled > 1 {
				return errors.New("order busy-1 is there already")
			}
			return nil
		}
	})
	offered := func(want bool) {
		t.Helper()
		for _, path := range []string{"/", "/clock"} {
			_, page := h.page(path)
			require.Equal(t, want, strings.Contains(page, "Load a busy shop"), path)
		}
	}
	offered(true)
	_, front := h.page("/")
	require.Contains(t, html.UnescapeString(front), "`{\"amount\":1500000,\"currency\":\"NGN\",\"email\":\"ada@example.com\",\"public_key\":\"` + fake.PublicKey + `\"", "a fake has another key")
	h.order("order-1")
	offered(false)
	status, page := h.form("/seed", nil)
	require.Equal(t, http.StatusConflict, status)
	require.Contains(t, page, "Empty the sandbox first")
	require.Zero(t, filled)

	h.api("POST", "/v1/test_helpers/reset", "")
	offered(true)
	_, page = h.page("/")
	require.Contains(t, page, "Make an order of ₦15,000", "it is as empty as at first")
	status, _ = h.form("/seed", nil)
	require.Equal(t, http.StatusSeeOther, status)
	status, page = h.form("/seed", nil)
	require.Equal(t, http.StatusConflict, status)
	require.Contains(t, page, "order busy-1 is there already. Empty the sandbox first")

	bare := newHouse(t)
	_, page = bare.page("/clock")
	require.NotContains(t, page, "Load a busy shop")
	status, _ = bare.form("/seed", nil)
	require.Equal(t, http.StatusNotFound, status)
}

func TestTheTimelineSaysThatTheSandboxBeganAnew(t *testing.T) {
	h := newHouse(t)
	h.order("order-1")
	h.form("/snapshot", nil)
	h.order("order-2")
	h.form("/restore", nil)
	h.order("order-3")
	h.api("POST", "/v1/test_helpers/reset", "")
	h.order("order-4")
	var told []string
	for _, l := range h.lines("") {
		if l.Name != "" || l.Kind == inspect.Clock {
			told = append(told, l.Title+" "+l.Name)
		}
	}
	made := "POST /v1/checkout/create "
	require.Equal(t, []string{
		made + "order-1", made + "order-2", "The sandbox went back to the remembered moment ", made + "order-3",
		"POST /v1/test_helpers/reset ", "The sandbox was emptied ", made + "order-4",
	}, told)
}

func TestTheAmountOfAnExchangeIsInNaira(t *testing.T) {
	h := newHouse(t)
	h.api("POST", "/v1/wallets", `{"type":"stablecoin","network":"solana","asset":"USDC","reference":"default"}`)
	order := h.api("POST", "/v1/stablecoin/onramp", `{"reference":"topup-1","fiat_currency":"NGN","amount":15000,"asset":"USDC","chain":"SOLANA"}`)
	account := order["payment_account"].(map[string]any)["account_number"].(string)
	h.api("POST", "/v1/test_helpers/bank_credits", `{"account_number":"`+account+`","amount":15000}`)
	h.api("POST", "/v1/test_helpers/clock/advance", `{"seconds":60}`)
	require.Contains(t, h.await("kind=event", "onramp.", "topup-1").Detail, "₦15,000.00")
	_, page := h.page("/things/topup-1")
	require.Contains(t, page, `<p class="amount">₦15,000.00</p>`)
}

func TestMoneyThatLeavesGoesOutThroughTheBank(t *testing.T) {
	h := newHouse(t)
	source := h.api("GET", "/v1/business", "")["source_accounts"].([]any)[0].(map[string]any)["account_number"].(string)
	h.api("POST", "/v1/test_helpers/bank_credits", `{"account_number":"`+source+`","amount":100000}`)
	h.api("POST", "/v1/payouts/bulk", `{"reference":"rent","source_account_number":"`+source+`","items":[{"reference":"rent-1","bank_code":"058","account_number":"0123456780","amount":25000}]}`)
	h.api("POST", "/v1/test_helpers/clock/advance", `{"seconds":60}`)
	h.await("kind=money", "₦25,000.00 went out through the bank")
}

func TestTheInboxTakesEvents(t *testing.T) {
	h := newHouse(t)
	h.api("POST", "/v1/webhook/config", `{"url":"`+h.URL+`/inbox"}`)
	h.order("order-1")
	h.act("order-1", "Card accepted")
	require.Equal(t, 200, h.await("kind=webhook", "payment.success").Status)
	_, page := h.page("/webhooks")
	require.Regexp(t, `<li><a href="/deliveries/\d+">payment\.success, [^<]*, answered 200</a></li>`, page)
}

func TestAFaultOfTheAPIStrikesTheCallsOfAProgramAndNotThoseOfThePages(t *testing.T) {
	h := newHouse(t)
	arm := func(path, kind, count string) int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+"/faults", strings.NewReader("path="+path+"&kind="+kind+"&count="+count))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		status, _, _ := h.send(r)
		return status
	}
	ask := func() (*http.Response, error) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+"/v1/wallets", strings.NewReader(`{"type":"stablecoin","network":"solana","asset":"USDC","reference":"main"}`))
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+h.SecretKey)
		r.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultTransport.RoundTrip(r)
		if err == nil {
			require.NoError(t, response.Body.Close())
		}
		return response, err
	}
	for path, kind := range map[string]string{"/metrics": "500", "/v1/": "teapot"} {
		require.Equal(t, http.StatusBadRequest, arm(path, kind, "1"))
	}
	require.Equal(t, http.StatusBadRequest, arm("/v1/", "500", "-1"))
	require.Equal(t, http.StatusSeeOther, arm("/v1/wallets", "429", "1"))
	h.do(`[{"method":"GET","path":"/v1/wallets"}]`)
	answer, err := ask()
	require.NoError(t, err)
	require.Equal(t, 429, answer.StatusCode)
	require.Equal(t, "1", answer.Header.Get("Retry-After"))
	require.NotEmpty(t, answer.Header.Get("X-Request-Id"))
	var listed struct{ Requests []inspect.Exchange }
	h.data("/requests?failed=1", &listed)
	require.Contains(t, listed.Requests[0].Answer.Text, `"request_id":"`+answer.Header.Get("X-Request-Id")+`"`)

	require.Equal(t, http.StatusSeeOther, arm("/v1/wallets", "answer_lost", "1"))
	_, err = ask()
	require.Error(t, err)
	_, page := h.page("/things/main")
	require.Contains(t, page, "active", "the call took effect")
	_, page = h.page("/faults")
	require.Contains(t, page, "answer_lost")
}
