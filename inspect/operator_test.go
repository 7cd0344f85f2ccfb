package inspect_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
)

func TestAnOperatorSeesEveryBusinessAndItsThings(t *testing.T) {
	o := newOffice(t).signIn()
	o.order(o.shop, "order-1")
	o.order(o.other, "order-2")
	_, front := o.page("/")
	for _, of := range []engine.Tenant{o.shop, o.other} {
		require.Contains(t, front, root(of))
		require.Contains(t, front, of.Business.Name)
	}
	paths := []string{"/", "/search?q=order-1", root(o.other), root(o.other) + "/events", root(o.other) + "/deliveries", root(o.other) + "/deliveries?failed=1", root(o.other) + "/log", root(o.other) + "/things/order-2"}
	for _, kind := range []string{
		"payments", "links", "customers", "wallets", "addresses", "transfers", "payouts", "bank-transfers", "refunds", "onramps", "offramps", "bills",
		"crypto-bills", "virtual-accounts", "reserved-accounts", "approvals",
	} {
		paths = append(paths, root(o.other)+"/lists/"+kind, root(o.other)+"/lists/"+kind+"?search=order")
	}
	for _, path := range paths {
		status, html := o.page(path)
		require.Equal(t, http.StatusOK, status, path+" "+html)
		require.Contains(t, html, "</html>", path)
		require.NotContains(t, html, "ZgotmplZ", path)
		var data any
		o.data(path, &data)
	}
	_, list := o.page(root(o.other) + "/lists/payments")
	require.Contains(t, list, "order-2")
	require.NotContains(t, list, "order-1", "it is of another business")
	_, thing := o.page(root(o.other) + "/things/order-2")
	require.Contains(t, thing, "15,000")
	require.Contains(t, thing, "is not paid yet")
	for path, want := range map[string]int{
		root(o.other) + "/things/order-1": 404, root(o.other) + "/lists/nothing": 404, root(o.other) + "/events/evt_1": 404, "/prod/biz_1": 404,
		"/live/biz_00000000000000000000000000000000": 404, root(o.other) + "/events?since=soon": 400, root(o.other) + "/events?after=x": 400,
		root(o.other) + "/log?page=0": 400, root(o.other) + "/lists/payments?page=x": 400, "/nothing": 404,
	} {
		status, _ := o.page(path)
		require.Equal(t, want, status, path)
	}
}

func TestASearchFindsAnIDAnywhereAndAReferenceInEveryBusiness(t *testing.T) {
	o := newOffice(t).signIn()
	id, _ := o.order(o.other, "order-1")["id"].(string)
	o.order(o.shop, "order-1")
	wallet, _ := o.do(o.other, "POST", "/v1/wallets", `{"type":"stablecoin","network":"solana","asset":"USDC","reference":"main"}`)["id"].(string)
	link, _ := o.do(o.other, "POST", "/v1/payment-links", `{"title":"Ticket","amount":500000,"currency":"NGN"}`)["id"].(string)
	for _, id := range []string{wallet, link} {
		require.NotEmpty(t, id)
		to := o.ask("GET", "/search?q="+id, nil)
		require.Equal(t, http.StatusSeeOther, to.StatusCode)
		require.Equal(t, root(o.other)+"/things/"+id, to.Header.Get("Location"))
		status, _ := o.page(to.Header.Get("Location"))
		require.Equal(t, http.StatusOK, status)
	}
	var found struct {
		Hits []struct {
			Business struct{ ID string }
			Kind     string
		}
	}
	o.data("/search?q=order-1", &found)
	require.Len(t, found.Hits, 2, "both businesses have an order-1 (%s)", id)
	require.NotEqual(t, found.Hits[0].Business.ID, found.Hits[1].Business.ID)
	_, html := o.page("/search?q=order-1")
	require.NotContains(t, html, "ada@example.com", "a search shows nobody, so it is not noted")
	_, html = o.page("/search?q=nobody")
	require.Contains(t, html, "Nothing has this")
	_, html = o.page("/search?q=" + string(o.other.Business.Scope.Business))
	require.Contains(t, html, "Other shop")
	require.Equal(t, http.StatusSeeOther, o.ask("GET", "/search?q=", nil).StatusCode)
}

func TestWhoeverOpensAListOrAThingIsNoted(t *testing.T) {
	o := newOffice(t).signIn()
	o.order(o.shop, "order-1")
	customer, _ := o.do(o.shop, "POST", "/v1/customers", `{"type":"individual","first_name":"Bola","last_name":"Obi","email":"bola@example.com","phone":"+2348099999999"}`)["id"].(string)
	o.page("/")
	o.page("/search?q=order-1")
	o.page(root(o.shop))
	o.page(root(o.shop) + "/log")
	o.page(root(o.shop) + "/events")
	o.page(root(o.shop) + "/things/nobody")
	require.Empty(t, o.noted(), "they show nobody")
	status, html := o.page(root(o.shop) + "/lists/customers")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, html, "bola@example.com")
	var data any
	o.data(root(o.shop)+"/things/"+customer, &data)
	require.Equal(t, []string{"ada read list of customers", "ada read " + customer}, o.subjects())
	require.Equal(t, o.shop.Business.Scope, o.noted()[1].Scope)
	_, log := o.page(root(o.shop) + "/log")
	require.Contains(t, log, customer)
	_, log = o.page(root(o.other) + "/log")
	require.NotContains(t, log, customer)
}

func TestWhatCannotBeNotedIsNotShown(t *testing.T) {
	o := newOffice(t).signIn()
	customer, _ := o.do(o.shop, "POST", "/v1/customers", `{"type":"individual","first_name":"Bola","last_name":"Obi","email":"bola@example.com","phone":"+2348099999999"}`)["id"].(string)
	for _, path := range []string{"/lists/customers", "/things/" + customer} {
		o.store.Arm(0)
		status, html := o.page(root(o.shop) + path)
		require.Equal(t, http.StatusOK, status)
		require.Contains(t, html, "bola@example.com")
		operations := o.store.Operations()
		require.Equal(t, "commit", operations[len(operations)-1], "the entry is the last of all")
		for n := 1; n <= len(operations); n++ {
			o.store.Arm(n)
			status, html = o.page(root(o.shop) + path)
			if n == len(operations) {
				require.Equal(t, http.StatusInternalServerError, status, path)
			}
			require.True(t, status == http.StatusOK || !strings.Contains(html, "bola@example.com"), "%s at %d: %s", path, n, operations[n-1])
			require.NotContains(t, html, "store:")
		}
	}
}

func TestOnlySendingAgainCanBeDoneAndOnlyWithAReasonThatIsKept(t *testing.T) {
	o := newOffice(t).signIn()
	o.do(o.shop, "POST", "/v1/webhook/config", `{"url":"http://127.0.0.1:9/hooks?key=receivers-secret"}`)
	event, _ := o.do(o.shop, "POST", "/v1/webhook/test", ``)["event_id"].(string)
	require.NotEmpty(t, event)
	_, page := o.page(root(o.shop) + "/events/" + event)
	require.Contains(t, page, "webhook.test")
	require.NotContains(t, page, "This is a test event", "no body is shown")
	_, page = o.page(root(o.shop))
	require.Contains(t, page, "127.0.0.1:9")
	require.NotContains(t, page, "receivers-secret")
	_, page = o.page("/search?q=" + event)
	require.Equal(t, root(o.shop)+"/events/"+event, o.ask("GET", "/search?q="+event, nil).Header.Get("Location"), page)

	for name, c := range map[string]struct {
		path string
		form url.Values
		want int
		says string
	}{
		"a resend without a reason":     {root(o.shop) + "/resend", url.Values{"event": {event}}, 400, "reason:"},
		"a replay without a reason":     {root(o.shop) + "/replay", url.Values{"since": {"2026-03-02"}, "reason": {" "}}, 400, "reason:"},
		"a replay since nothing":        {root(o.shop) + "/replay", url.Values{"reason": {"Ticket 7"}}, 400, "since:"},
		"a resend of nothing":           {root(o.shop) + "/resend", url.Values{"event": {"evt_1"}, "reason": {"Ticket 7"}}, 404, "not found"},
		"a resend of another business'": {root(o.other) + "/resend", url.Values{"event": {event}, "reason": {"Ticket 7"}}, 404, "not found"},
	} {
		answer := o.ask("POST", c.path, c.form)
		require.Equal(t, c.want, answer.StatusCode, name)
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.Contains(t, string(text), c.says, name)
	}
	require.Empty(t, o.noted(), "what was refused was not done")

	done := o.ask("POST", root(o.shop)+"/resend", url.Values{"event": {event}, "reason": {"Ticket 7: <their> server was down"}})
	require.Equal(t, http.StatusSeeOther, done.StatusCode)
	_, page = o.page(done.Header.Get("Location"))
	require.Contains(t, page, "It is due again.")
	done = o.ask("POST", root(o.shop)+"/replay", url.Values{"since": {"2020-01-01T00:00"}, "reason": {"Ticket 8"}})
	require.Equal(t, http.StatusSeeOther, done.StatusCode)
	_, page = o.page(done.Header.Get("Location"))
	require.Contains(t, page, "1 events are due again.")
	require.Equal(t, []string{"ada resend " + event, "ada replay 2020-01-01T00:00:00Z"}, o.subjects())
	require.Equal(t, "Ticket 7: <their> server was down", o.noted()[0].Reason)
	_, log := o.page(root(o.shop) + "/log")
	require.Contains(t, log, "Ticket 7: &lt;their&gt; server was down")

	o.do(o.shop, "POST", "/v1/webhook/config", `{"url":null}`)
	require.Equal(t, http.StatusConflict, o.ask("POST", root(o.shop)+"/resend", url.Values{"event": {event}, "reason": {"Ticket 9"}}).StatusCode)
	require.Len(t, o.noted(), 2, "an entry of what was not done is taken back")
}

func TestADeliveryShowsItsStatusOrWhyThereWasNoneAndNothingThatAReceiverSaid(t *testing.T) {
	o := newOffice(t).signIn()
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "no customer chi@example.com", http.StatusInternalServerError)
	}))
	defer receiver.Close()
	for _, to := range []string{receiver.URL, "http://127.0.0.1:9/"} {
		o.do(o.shop, "POST", "/v1/webhook/config", `{"url":"`+to+`"}`)
		o.do(o.shop, "POST", "/v1/webhook/test", ``)
		_, err := o.engine.Drain(t.Context())
		require.NoError(t, err)
	}
	_, page := o.page(root(o.shop) + "/deliveries?failed=1")
	require.Contains(t, page, ">500<")
	require.Contains(t, page, "connection refused")
	require.NotContains(t, page, "chi@example.com")
	_, all := o.page(root(o.other) + "/deliveries")
	require.Contains(t, all, "None.")
}

func TestTheOperatorsViewHasNoOtherAction(t *testing.T) {
	o := newOffice(t).signIn()
	paths := []string{"/", "/search", "/do", "/faults", "/keys", "/inbox", "/api", "/clock", "/books", "/live", "/requests", "/requests/1", "/webhooks", "/record", "/v1/wallets", "/v1/business", "/metrics"}
	for _, below := range []string{"", "/lists/payments", "/things/x", "/events", "/events/x", "/deliveries", "/log", "/do", "/faults", "/keys", "/requests"} {
		paths = append(paths, root(o.shop)+below)
	}
	for _, path := range paths {
		for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
			require.Contains(t, []int{404, 405}, o.ask(method, path, url.Values{"steps": {"[]"}}).StatusCode, method+" "+path)
		}
	}
	for _, path := range []string{"/do", "/faults", "/keys", "/inbox", "/api", "/clock", "/books", "/live", "/requests", "/record", "/v1/business", root(o.shop) + "/requests"} {
		status, _ := o.page(path)
		require.Equal(t, 404, status, path)
	}
	for _, path := range []string{root(o.shop) + "/resend", root(o.shop) + "/replay", "/logout"} {
		status, _ := o.page(path)
		require.Contains(t, []int{404, 405}, status, path)
	}
}

func TestAnOperatorSeesNoSecretsAndNoIdentityNumbers(t *testing.T) {
	o := newOffice(t).signIn()
	made := o.do(o.shop, "POST", "/v1/customers", `{"type":"business","business_name":"Obi Ltd","cac_number":"RC1234567","tax_id":"98765432-0001","email":"obi@example.com","phone":"+2348099999999"}`)
	id, _ := made["id"].(string)
	require.NotEmpty(t, id)
	person, _ := o.do(o.shop, "POST", "/v1/customers", `{"type":"individual","first_name":"Ada","last_name":"Obi","email":"ada@example.com","phone":"+2348099999998"}`)["id"].(string)
	o.do(o.shop, "POST", "/v1/customers/identity/initiate", fmt.Sprintf(`{"type":"bvn","number":"22212345670","customer_id":"%s"}`, person))
	for _, path := range []string{"/lists/customers", "/things/" + id, "/things/" + person, "/lists/payments", "/events", ""} {
		for _, accept := range []string{"text/html", "application/json"} {
			answer := o.ask("GET", root(o.shop)+path, nil, func(r *http.Request) { r.Header.Set("Accept", accept) })
			text, err := io.ReadAll(answer.Body)
			require.NoError(t, err)
			for _, secret := range []string{o.shop.SecretKey, o.shop.WebhookSecret, "22212345670", "RC1234567", "98765432-0001"} {
				require.NotContains(t, string(text), secret, path)
			}
		}
	}
	_, page := o.page(root(o.shop) + "/things/" + id)
	require.Contains(t, page, "Obi Ltd")
	require.Contains(t, page, "••••")
}

func TestWhatATenantTypesIsTextForTheOperator(t *testing.T) {
	o := newOffice(t).signIn()
	const evil = `<script>alert(1)</script>`
	customer, _ := o.do(o.shop, "POST", "/v1/customers", `{"type":"individual","first_name":"`+evil+`","last_name":"Obi","email":"ada@example.com","phone":"+2348012345678"}`)["id"].(string)
	o.do(o.shop, "POST", "/v1/payment-links", `{"title":"`+evil+`","amount":500000,"currency":"NGN","description":"`+evil+`"}`)
	for _, path := range []string{"/lists/customers", "/things/" + customer, "/lists/links", "/lists/links?search=" + url.QueryEscape(evil)} {
		_, html := o.page(root(o.shop) + path)
		require.NotContains(t, html, evil, path)
		require.Contains(t, html, "&lt;script&gt;", path)
	}
	answer := o.ask("GET", "/", nil)
	require.Contains(t, answer.Header.Get("Content-Security-Policy"), "default-src 'none'")
	require.Equal(t, "no-store", answer.Header.Get("Cache-Control"))
	_, html := o.page("/search?q=" + url.QueryEscape(`"><img src=x>`))
	require.NotContains(t, html, "<img")
}
