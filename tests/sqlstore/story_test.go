package sqlstore_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/tests/apitest"
	"github.com/ferrypay/ferry/webhook"
)

// story is the life of a business: one request after another by chance, many of
// which are refused.
type story struct {
	t       *testing.T
	s       *apitest.Server
	draw    *rand.Rand
	known   map[string][]string // what was made, by kind
	next    int
	outside string // an address of somebody else
}

func newStory(t *testing.T, s *sqlstore.Store, seed uint64) *story {
	secret, err := chain.NewSeed(strings.NewReader(fmt.Sprintf("%032d", 1)))
	require.NoError(t, err)
	y := &story{
		t: t, s: serve(t, s, apitest.NewClock()), draw: rand.New(rand.NewPCG(seed, 0)),
		known: map[string][]string{}, outside: string(secret.Address()),
	}
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader([]int{http.StatusOK, http.StatusOK, http.StatusInternalServerError}[len(r.Header.Get("Webhook-Id"))%3])
	}))
	t.Cleanup(receiver.Close)
	_, err = y.s.Engine.Webhooks.Configure(t.Context(), y.s.Tenant.Business.Scope, webhook.ConfigureParams{URL: &receiver.URL})
	require.NoError(t, err)
	y.begin()
	return y
}

// begin does what every story has.
func (y *story) begin() {
	y.customer()
	y.wallet()
	y.post("test_helpers/deposits", apitest.Object{"address": y.some("place"), "amount": "20", "wait": false})
	y.s.Settle()
	y.post("wallets/transfer", apitest.Object{"from_address": y.some("place"), "to_address": y.outside, "amount": "1", "network": "solana", "asset": "USDC"})
	y.address()
	y.link()
	y.payLink()
	y.post("test_helpers/payments", apitest.Object{"trx_id": y.some("order"), "outcome": "success"})
	y.order()
	y.known["number"] = nil
	y.account()
	y.credit()
	y.widget()
	y.s.Settle()
}

// goOn does one thing more.
func (y *story) goOn() {
	deeds := []func(){
		y.customer, y.changeCustomer, y.verify, y.wallet, y.moveWallet, y.address, y.changeAddress, y.deposit, y.transfer, y.transfer,
		y.link, y.moveLink, y.payLink, y.payLink, y.order, y.payInUSDC, y.credit, y.credit, y.end, y.resolve, y.account, y.wait,
		y.widget, y.moveWidget,
	}
	deeds[y.draw.IntN(len(deeds))]()
}

// post sends a request that may be refused. It returns the id of what was made.
func (y *story) post(path string, body apitest.Object) (made apitest.Answer, ok bool) {
	answer := y.s.Post("/v1/"+path, body)
	require.NotEqual(y.t, http.StatusInternalServerError, answer.Status, "%s: %s", path, answer.Raw)
	return answer, answer.Status == http.StatusOK
}

// note keeps what was made.
func (y *story) note(kind, what string) { y.known[kind] = append(y.known[kind], what) }

// some is one of what was made, or something that is not there.
func (y *story) some(kind string) string {
	if all := y.known[kind]; len(all) > 0 {
		return all[y.draw.IntN(len(all))]
	}
	return "none"
}

func (y *story) pick(of ...string) string { return of[y.draw.IntN(len(of))] }

func (y *story) customer() {
	if made, ok := y.post("customers", apitest.Object{
		"type": "individual", "first_name": "Ada", "last_name": "Obi",
		"email": fmt.Sprintf("ada%d@example.com", y.draw.IntN(12)), "phone": fmt.Sprintf("+23480123456%02d", y.draw.IntN(12)),
	}); ok {
		y.note("customer", made.Text("data.id"))
	}
}

func (y *story) changeCustomer() {
	y.s.Patch("/v1/customers?id="+y.some("customer"), apitest.Object{"email": fmt.Sprintf("ada%d@example.com", y.draw.IntN(12))})
}

func (y *story) verify() {
	number := fmt.Sprintf("222123456%02d", y.draw.IntN(100))
	if _, ok := y.post("customers/identity/initiate", apitest.Object{"type": "bvn", "number": number, "customer_id": y.some("customer")}); ok {
		y.post("customers/identity/validate", apitest.Object{"type": "bvn", "number": number, "otp": y.pick("123456", "123456", "000000")})
	}
}

func (y *story) wallet() {
	if made, ok := y.post("wallets", apitest.Object{
		"type": "stablecoin", "network": "solana", "asset": "USDC", "reference": fmt.Sprint("wallet-", y.draw.IntN(6)),
		"customer_id": y.some("customer"),
	}); ok {
		y.note("wallet", made.Text("data.id"))
		y.note("place", made.Text("data.primary_address"))
	}
}

func (y *story) moveWallet() {
	y.post("wallets/status", apitest.Object{"id": y.some("wallet"), "status": y.pick("active", "active", "suspended")})
}

func (y *story) address() {
	if made, ok := y.post("wallets/"+y.some("wallet")+"/addresses", apitest.Object{"network": "solana"}); ok {
		y.note("address", made.Text("data.id"))
		y.note("place", made.Text("data.address"))
	}
}

func (y *story) changeAddress() {
	y.s.Patch("/v1/wallets/addresses/"+y.some("address"), apitest.Object{"status": y.pick("active", "inactive")})
}

func (y *story) deposit() {
	y.post("test_helpers/deposits", apitest.Object{"address": y.some("place"), "amount": fmt.Sprint(1 + y.draw.IntN(20)), "wait": false})
	y.s.Settle()
}

func (y *story) transfer() {
	y.post("wallets/transfer", apitest.Object{
		"from_address": y.some("place"), "to_address": y.pick(y.some("place"), y.outside), "amount": fmt.Sprint(1 + y.draw.IntN(8)),
		"network": "solana", "asset": "USDC",
	})
}

func (y *story) link() {
	y.next++
	if made := y.s.With("X-Api-Variant", y.pick("A", "B")).Post("/v1/payment-links", apitest.Object{
		"currency": "NGN", "title": "Ticket", "amount": 150000, "slug": fmt.Sprint("ticket-", y.next), "quantity_limit": 1 + y.draw.IntN(3),
	}); made.Status == http.StatusOK {
		y.note("link", made.Text("data.id"))
	}
}

func (y *story) moveLink() {
	y.post("payment-links/status", apitest.Object{"uid": y.some("link"), "status": y.pick("active", "active", "inactive")})
}

func (y *story) widget() {
	y.next++
	if made, ok := y.post("ramp/widgets", apitest.Object{"name": fmt.Sprint("Shop ", y.next)}); ok {
		y.note("widget", made.Text("data.id"))
	}
}

func (y *story) moveWidget() {
	y.post("ramp/widgets/status", apitest.Object{"id": y.some("widget"), "status": y.pick("active", "disabled")})
}

func (y *story) payLink() {
	y.next++
	y.begun(y.post("payment-links/pay", apitest.Object{
		"public_key": y.s.Tenant.PublicKey, "id": y.some("link"), "email": fmt.Sprintf("payer%d@example.com", y.next), "name": "Bola Ige",
	}))
}

func (y *story) order() {
	y.next++
	y.begun(y.post("checkout", apitest.Object{
		"public_key": y.s.Tenant.PublicKey, "trx_id": fmt.Sprint("order-", y.next), "email": "ada@example.com", "amount": 15000 + y.next,
	}))
}

// begun notes a session and the bank account in which it collects.
func (y *story) begun(made apitest.Answer, ok bool) {
	if !ok {
		return
	}
	y.note("order", made.Text("trx_id"))
	if made.Has("account.fiat.account_number") {
		y.note("number", made.Text("account.fiat.account_number"))
	}
}

func (y *story) payInUSDC() {
	if asked, ok := y.post("checkout/crypto", apitest.Object{"trx_id": y.some("order")}); ok {
		y.post("test_helpers/deposits", apitest.Object{
			"address": asked.Text("data.crypto.address"), "amount": y.pick("1", "2", "10", "12"), "wait": false,
		})
		y.s.Settle()
	}
}

func (y *story) credit() {
	y.next++
	y.post("test_helpers/bank_credits", apitest.Object{
		"account_number": y.some("number"), "amount": y.pick("100", "1500", "15000", "16000"), "session_id": fmt.Sprint("session-", y.next),
	})
}

func (y *story) end() {
	y.post("test_helpers/payments", apitest.Object{"trx_id": y.some("order"), "outcome": y.pick("success", "success", "failed")})
}

func (y *story) resolve() {
	y.post("payments/resolve", apitest.Object{"reference": y.some("order"), "action": y.pick("accept", "refund")})
}

func (y *story) account() {
	y.next++
	if made, ok := y.post("fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": fmt.Sprint("account-", y.next)}); ok {
		y.note("number", made.Text("data.account_number"))
	}
}

func (y *story) wait() {
	y.s.Advance([]time.Duration{time.Second, time.Minute, time.Hour, 25 * time.Hour}[y.draw.IntN(4)])
}
