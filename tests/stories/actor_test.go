package stories_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// actor is one client of a business with orders and collection accounts of its own. In
// each round it does one thing, so that what comes first is known for each of them.
type actor struct {
	*story
	name     string
	draw     *rand.Rand
	number   int // among the clients
	orders   []*order
	accounts []*account
	identity string // of its customer, once that is verified
	next     int
	did      []string
}

// say notes what the actor does, for a story that fails.
func (a *actor) say(format string, what ...any) {
	a.did = append(a.did, a.now().Format("02 15:04:05.0 ")+fmt.Sprintf(format, what...))
}

// act does one thing by chance.
func (a *actor) act() {
	if a.draw.IntN(4) == 0 {
		a.collect()
		return
	}
	if len(a.orders) == 0 || len(a.orders) < 6 && a.draw.IntN(4) == 0 {
		a.order()
		return
	}
	o := a.orders[a.draw.IntN(len(a.orders))]
	if o.holds() > 0 && o.status != "pending" && a.draw.IntN(3) == 0 {
		[]func(*order){a.accept, a.refund}[a.draw.IntN(2)](o)
		return
	}
	if o.status == "success" && a.draw.IntN(6) == 0 {
		a.reverse(o)
		return
	}
	acts := []func(*order){
		a.bankCredit, a.bankCredit, a.repeatCredit, a.instruct, a.deposit, a.deposit, a.deposit,
		a.card, a.decline, a.cancel, a.accept, a.refund, a.renew, a.reverse,
	}
	acts[a.draw.IntN(len(acts))](o)
}

// patience is how often a client repeats what the outside world kept from happening.
const patience = 12

// insist sends a request under one key until the outside world lets it through.
func (a *actor) insist(c *apitest.Client, path string, body apitest.Object) (answer apitest.Answer) {
	a.next++
	c = c.With("Idempotency-Key", fmt.Sprintf("%s-key-%d", a.name, a.next))
	for range patience {
		if answer = c.Post(path, body); answer.Status != http.StatusServiceUnavailable && answer.Status != http.StatusTooManyRequests {
			break
		}
	}
	require.Less(a.t, answer.Status, 500, "%s: %s", path, answer.Raw)
	return answer
}

// sums of orders: round ones, odd ones, tiny ones.
var sums = []int64{15_000_00, 15_000_00, 1_234_567, 99_99, 7_77, 1_00, 2_500_001, 250_000_77}

// order makes an order in one of the dialects, or through a link.
func (a *actor) order() {
	a.next++
	t := a.story.terms
	t.channel, t.made, t.rate = "checkout", a.now(), a.price
	t.inUSDC = a.draw.IntN(3) == 0
	t.base = naira(sums[a.draw.IntN(len(sums))])
	t.requested = usdc(sums[a.draw.IntN(len(sums))])
	how := a.draw.IntN(3)
	if how == 2 {
		t.channel = "payment_link"
	}
	t.tariff = a.tariffs[t.channel]
	o := price(t)
	o.trxID, o.email = fmt.Sprintf("%s-%d", a.name, a.next), fmt.Sprintf("%s-%d@example.com", a.name, a.next)
	switch how {
	case 0:
		a.orderA(o)
	case 1:
		a.orderB(o)
	default:
		a.orderLink(o)
	}
}

func (a *actor) orderA(o *order) {
	body := apitest.Object{
		"public_key": a.public, "trx_id": o.trxID, "email": o.email, "amount": o.base.full(), "amount_type": "fiat",
	}
	if o.inUSDC {
		body["amount"], body["amount_type"] = o.requested.full(), "crypto"
	}
	a.begin(o, a.insist(a.c.As(""), "/v1/checkout", body), "account.fiat.account_number")
}

func (a *actor) orderB(o *order) {
	body := apitest.Object{
		"public_key": a.public, "trx_id": o.trxID, "email": o.email, "amount": int64(o.base), "currency": "NGN",
	}
	if o.inUSDC {
		body["amount"], body["currency"] = o.requested.full(), "USDC"
	}
	made := a.insist(a.c, "/v1/checkout/create", body)
	a.begin(o, made, "account.account_number")
	if address, ok := made.At("account.SOLANA").(string); ok {
		a.offered(o, address)
	}
}

func (a *actor) orderLink(o *order) {
	body := apitest.Object{"title": "Jollof", "currency": "NGN", "amount": int64(o.base)}
	if o.inUSDC {
		body["amount"], body["currency"] = o.requested.full(), "USDC"
	}
	link := a.insist(a.c.With("X-Api-Variant", "A"), "/v1/payment-links", body).OK().Text("data.id")
	made := a.insist(a.c.As(""), "/v1/payment-links/pay", apitest.Object{"public_key": a.public, "id": link, "email": o.email})
	o.link = link
	if made.Status == http.StatusOK {
		o.trxID = made.Text("trx_id")
	}
	a.begin(o, made, "account.fiat.account_number")
}

// begin notes an order that was taken. An order in USDC needs a rate, and is refused
// while there is none.
func (a *actor) begin(o *order, made apitest.Answer, account string) {
	a.say("order %s %s: %d", o.trxID, o.describe(), made.Status)
	made.OK()
	o.account = made.Text(account)
	a.orders = append(a.orders, o)
}

// bankCredit pays into the account of an order: what it costs, less or more.
func (a *actor) bankCredit(o *order) {
	cost := o.costs(o.rateIn(a.now(), a.price))
	n := []naira{cost, cost, o.fiat, cost - 1, cost / 2, cost + 1, 2 * cost}[a.draw.IntN(7)]
	if n <= 0 {
		return
	}
	a.next++
	a.pays(o, n, fmt.Sprintf("%s-session-%d", a.name, a.next))
}

// repeatCredit repeats the notice of a credit.
func (a *actor) repeatCredit(o *order) {
	for _, r := range o.receipts {
		if r.notice != "" {
			a.pays(o, r.naira, r.notice)
			return
		}
	}
}

func (a *actor) pays(o *order, n naira, notice string) {
	a.say("credit %s of %s for %s ", notice, n.full(), o.trxID)
	a.credits(o.account, n, notice)
	o.credit(a.now(), n, notice, a.price)
}

// credits lets naira arrive at the bank.
func (a *actor) credits(account string, n naira, notice string) {
	a.c.Post("/v1/test_helpers/bank_credits", apitest.Object{
		"account_number": account, "amount": n.full(), "session_id": notice, "wait": false,
		"sender": apitest.Object{"bank_code": "058", "account_number": "0123456789", "account_name": "Bola Ade"},
	}).OK()
}

// renew asks for a price in naira that stands.
func (a *actor) renew(o *order) {
	asked := a.insist(a.c, "/v1/checkout/fiat", apitest.Object{"trx_id": o.trxID})
	a.say("renew %s : %d", o.trxID, asked.Status)
	if o.status != "pending" || o.over(a.now()) {
		asked.Fails(http.StatusConflict, "invalid_state_transition")
		return
	}
	a.same(o, o.renew(a.now(), a.price).full(), asked.OK().Number("data.fiat.amount"), "%s", asked.Raw)
}

// instruct asks where to pay in USDC.
func (a *actor) instruct(o *order) {
	asked := a.insist(a.c, "/v1/checkout/crypto", apitest.Object{"trx_id": o.trxID})
	a.say("instruct %s : %d", o.trxID, asked.Status)
	if asked.Status == http.StatusServiceUnavailable {
		return
	}
	if o.status != "pending" || o.over(a.now()) {
		asked.Fails(http.StatusConflict, "invalid_state_transition")
		return
	}
	a.offered(o, asked.OK().Text("data.crypto.address"))
	require.Equal(a.t, (o.current.asked - o.current.got).full(), (usdcOf(asked.Number("data.crypto.amount")) - usdcOf(asked.Number("data.crypto.amount_received"))).full(), "what is left to pay of %s", o.trxID)
}

// offered notes the address that an order offers.
func (a *actor) offered(o *order, address string) { o.offer(a.now(), address, a.price) }

// deposit pays to an address of an order, the newest or a former one.
func (a *actor) deposit(o *order) {
	if len(o.offers) == 0 {
		a.instruct(o)
		return
	}
	to := o.offers[len(o.offers)-1]
	if a.draw.IntN(4) == 0 {
		to = o.offers[a.draw.IntN(len(o.offers))]
	}
	left := max(to.asked-to.got, 1)
	u := []usdc{left, left, left, left - 1, left / 2, left / 3, left + 1, 2 * left, 20_000}[a.draw.IntN(9)]
	if u <= 0 {
		return
	}
	a.say("deposit %s USDC for %s to %s", u.full(), o.trxID, to.address[:6])
	a.c.Post("/v1/test_helpers/deposits", apitest.Object{
		"address": to.address, "amount": u.full(), "sender": a.stranger, "wait": false,
	}).OK()
	o.deposit(a.now(), u, to, a.price)
}

// drive makes an attempt by card go in some way.
func (a *actor) drive(o *order, outcome string) bool {
	answer := a.insist(a.c, "/v1/test_helpers/payments", apitest.Object{"trx_id": o.trxID, "outcome": outcome})
	a.say("%s %s : %d", outcome, o.trxID, answer.Status)
	if o.status == "pending" && !o.over(a.now()) {
		a.same(o, http.StatusOK, answer.Status, "%s", answer.Raw)
		return true
	}
	if outcome != "cancelled" || o.status != "cancelled" {
		a.same(o, http.StatusConflict, answer.Status, "%s", answer.Raw)
	}
	return false
}

func (a *actor) card(o *order) {
	if a.drive(o, "success") {
		o.card(a.now(), a.price)
	}
}

func (a *actor) decline(o *order) {
	if a.drive(o, "failed") {
		o.end("failed", a.now())
	}
}

func (a *actor) cancel(o *order) {
	if a.drive(o, "cancelled") {
		o.end("cancelled", a.now())
	}
}

// reverse takes back what paid an order, by the helper or, when that paid by bank, by the
// bank alone.
func (a *actor) reverse(o *order) {
	if o.status == "success" && o.paidBy == byBank {
		if a.now().Before(a.returned) {
			return // the rest of the transfer may not have gone back yet
		}
		if a.faulty || a.draw.IntN(2) == 0 {
			a.recall(o.trxID, o.notice())
			o.reverse()
			return
		}
	}
	answer := a.c.Post("/v1/test_helpers/payments", apitest.Object{"trx_id": o.trxID, "outcome": "reversed"})
	a.say("reverse %s : %d", o.trxID, answer.Status)
	want := http.StatusConflict
	if o.reverse() {
		want = http.StatusOK
	}
	a.same(o, want, answer.Status, "%s", answer.Raw)
}

// recall lets the bank take a transfer back.
func (a *actor) recall(from, notice string) {
	a.say("recall %s from %s ", notice, from)
	_, err := a.server.Engine.World.Recall(a.t.Context(), notice)
	require.NoError(a.t, err)
}

func (a *actor) accept(o *order) { a.resolve(o, "accept") }
func (a *actor) refund(o *order) { a.resolve(o, "refund") }

// resolve decides about what an order holds.
func (a *actor) resolve(o *order, action string) {
	if o.status == "pending" && o.over(a.now()) {
		return
	}
	got := a.insist(a.c, "/v1/payments/resolve", apitest.Object{"reference": o.trxID, "action": action})
	a.say("resolve %s %s: %d", o.trxID, action, got.Status)
	want := map[answer]int{resolved: http.StatusOK, nothingHeld: http.StatusConflict, tooLow: http.StatusBadRequest}[o.resolve(action, a.price)]
	a.same(o, want, got.Status, "%s", got.Raw)
}
