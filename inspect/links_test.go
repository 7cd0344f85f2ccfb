package inspect_test

import (
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/inspect"
)

// outside is an address that is not of the sandbox.
const outside = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"

// fill makes something of everything that moves money from outside or to there.
func (h *house) fill() {
	h.t.Helper()
	data := func(method, path, body string, member ...string) string {
		h.t.Helper()
		var at any = h.api(method, path, body)
		for _, name := range member {
			if list, ok := at.([]any); ok {
				at = list[0]
			}
			object, ok := at.(map[string]any)
			require.True(h.t, ok, path)
			at = object[name]
		}
		text, _ := at.(string)
		return text
	}
	source := data("GET", "/v1/business", "", "source_accounts", "account_number")
	data("POST", "/v1/test_helpers/bank_credits", `{"account_number":"`+source+`","amount":200000}`)
	wallet := data("POST", "/v1/wallets", `{"type":"stablecoin","network":"solana","asset":"USDC","reference":"default"}`, "primary_address")
	data("POST", "/v1/test_helpers/deposits", `{"address":"`+wallet+`","amount":100}`)
	data("POST", "/v1/test_helpers/clock/advance", `{"seconds":60}`)
	data("POST", "/v1/wallets/transfer", `{"from_address":"`+wallet+`","to_address":"`+outside+`","amount":10,"network":"Solana","asset":"USDC","reference":"move-1"}`)
	h.order("order-1")
	address := data("POST", "/v1/checkout/crypto", `{"trx_id":"order-1"}`, "deposit_address")
	if address != "" {
		data("POST", "/v1/test_helpers/deposits", `{"address":"`+address+`","amount":10}`)
	}
	h.order("order-2")
	h.act("order-2", "Bank: exactly")
	account := data("POST", "/v1/stablecoin/onramp", `{"reference":"topup-1","fiat_currency":"NGN","amount":15000,"asset":"USDC","chain":"SOLANA"}`, "payment_account", "account_number")
	data("POST", "/v1/test_helpers/bank_credits", `{"account_number":"`+account+`","amount":15000}`)
	address = data("POST", "/v1/stablecoin/offramp", `{"reference":"cashout-1","fiat_currency":"NGN","amount":15000,"asset":"USDC","chain":"SOLANA","bank_code":"058","account_number":"0123456780"}`, "deposit_address")
	data("POST", "/v1/test_helpers/deposits", `{"address":"`+address+`","amount":11}`)
	address = data("POST", "/v1/bill/crypto", `{"service":"UTILITY","provider":"ikeja-electric","vend_type":"PREPAID","number":"45012345670","amount":15000,"reference":"power-1"}`, "deposit_address")
	data("POST", "/v1/test_helpers/deposits", `{"address":"`+address+`","amount":10}`)
	data("POST", "/v1/bill/airtime", `{"provider":"mtn","number":"08031234560","amount":500,"reference":"airtime-1"}`)
	data("POST", "/v1/payouts/bulk", `{"reference":"rent","source_account_number":"`+source+`","items":[{"reference":"rent-1","bank_code":"058","account_number":"0123456780","amount":2500},{"reference":"rent-2","bank_code":"058","account_number":"0123456786","amount":2500}]}`)
	data("POST", "/v1/test_helpers/clock/advance", `{"seconds":60}`)
	h.api("POST", "/v1/refunds", `{"trx_id":"order-2","amount":500000,"reference":"back-1","reason":"Too spicy","execution_mode":"auto_sender"}`)
	data("POST", "/v1/test_helpers/clock/advance", `{"seconds":660}`)
}

// acts holds what the buttons of pages send against the OpenAPI document.
type acts struct {
	t        *testing.T
	document map[string]any
	seen     map[string]bool // routes
}

func actsOf(t *testing.T) acts {
	a := acts{t, nil, map[string]bool{}}
	require.NoError(t, json.Unmarshal(httpapi.OpenAPI(), &a.document))
	return a
}

var sent = regexp.MustCompile(`name="steps" value="([^"]*)"`)

// check requires that each member of each body that a page sends is one of its operation.
func (a acts) check(path, page string) {
	for _, found := range sent.FindAllStringSubmatch(page, -1) {
		var steps []inspect.Step
		require.NoError(a.t, json.Unmarshal([]byte(html.UnescapeString(found[1])), &steps), path)
		for _, s := range steps {
			route, _, _ := strings.Cut(s.Path, "?")
			a.seen[route] = true
			operation := a.member(a.document, "paths", route, strings.ToLower(s.Method))
			require.NotNil(a.t, operation, "%s %s of %s", s.Method, s.Path, path)
			var body map[string]any
			if s.Body != "" {
				require.NoError(a.t, json.Unmarshal([]byte(s.Body), &body))
			}
			for name := range body {
				require.NotNil(a.t, a.member(operation, "requestBody", "content", "application/json", "schema", "properties", name),
					"%s takes no %s, which a button of %s sends", s.Path, name, path)
			}
		}
	}
}

// member follows names into the document, through references.
func (a acts) member(at any, names ...string) any {
	for _, name := range names {
		object, _ := at.(map[string]any)
		if ref, is := object["$ref"].(string); is {
			object, _ = a.member(a.document, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...).(map[string]any)
		}
		at = object[name]
	}
	return at
}

var hrefs = regexp.MustCompile(`href="([^"]*)"`)

func TestEveryLinkOfAPageLeadsToAPageAndEveryButtonSendsWhatTheAPITakes(t *testing.T) {
	h := newHouse(t)
	h.fill()
	h.await("kind=event", "bill.", "power-1")
	h.await("kind=money", "went out through the bank")
	seen, waiting, acts := map[string]bool{"/": true}, []string{"/"}, actsOf(t)
	for len(waiting) > 0 {
		path := waiting[0]
		waiting = waiting[1:]
		status, page := h.page(path)
		require.Equal(t, http.StatusOK, status, path+" "+page)
		acts.check(path, page)
		for _, found := range hrefs.FindAllStringSubmatch(page, -1) {
			next := html.UnescapeString(found[1])
			if strings.HasPrefix(next, "/") && !seen[next] && !strings.HasPrefix(next, "/api?") && !strings.HasPrefix(next, "/requests/") {
				seen[next] = true
				waiting = append(waiting, next)
			}
		}
	}
	require.Greater(t, len(seen), 60)
	require.Greater(t, len(acts.seen), 8)
	_, rails := h.page("/rails")
	require.Contains(t, rails, "rent-2")
	require.Contains(t, rails, "<code>"+outside+"</code> outside of this business")
	require.NotContains(t, rails, `address&#34;:&#34;`+outside)
	require.NotContains(t, rails, `address\&#34;:\&#34;`+outside)
	for _, name := range []string{"power-1", "cashout-1"} {
		_, page := h.page("/things/" + name)
		require.NotContains(t, page, "USDC arrive", "nothing is due")
	}
	for _, name := range []string{"power-1", "cashout-1", "topup-1", "move-1"} {
		_, page := h.page("/things/" + name)
		require.NotContains(t, page, "The payer's page", name)
	}
}

// snake is a name of a member of JSON as the API has them.
var snake = regexp.MustCompile(`^[a-z0-9_]+$`)

func TestMembersOfViewsHaveNamesAsThoseOfTheAPI(t *testing.T) {
	h := newHouse(t)
	h.fill()
	var check func(path string, v any)
	check = func(path string, v any) {
		switch at := v.(type) {
		case map[string]any:
			for name, member := range at {
				require.Regexp(t, snake, name, path)
				check(path+"."+name, member)
			}
		case []any:
			for _, element := range at {
				check(path, element)
			}
		}
	}
	var books struct{ Accounts []struct{ ID string } }
	h.data("/books", &books)
	for _, path := range []string{"/", "/things/order-2", "/lists/payments", "/rails", "/faults", "/clock", "/books", "/books?account=" + books.Accounts[0].ID, "/api", "/record"} {
		var data json.RawMessage
		h.data(path, &data)
		var v any
		require.NoError(t, json.Unmarshal(data, &v))
		check(path, v)
	}
}
