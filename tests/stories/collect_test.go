package stories_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// collect does one thing with a collection account.
func (a *actor) collect() {
	if len(a.accounts) == 0 || len(a.accounts) < 4 && a.draw.IntN(3) == 0 {
		if a.draw.IntN(4) == 0 {
			a.reserve()
		} else {
			a.issue()
		}
		return
	}
	c := a.accounts[a.draw.IntN(len(a.accounts))]
	if newest := a.accounts[len(a.accounts)-1]; newest.status == "active" && a.draw.IntN(2) == 0 {
		c = newest
	}
	deeds := []func(*account){a.collectCredit, a.collectCredit, a.collectCredit, a.collectAgain, a.close, a.issueAgain, a.recallCredit}
	deeds[a.draw.IntN(len(deeds))](c)
}

// issue makes a virtual account, for any sum or for one, and for a time.
func (a *actor) issue() {
	a.next++
	c := &account{channel: "virtual_account", reference: fmt.Sprintf("%s-invoice-%d", a.name, a.next), status: "active"}
	body := apitest.Object{"currency": "NGN", "reference": c.reference}
	if a.draw.IntN(2) == 0 {
		c.asks = naira(sums[a.draw.IntN(len(sums))])
		body["amount"] = c.asks.full()
	}
	valid := 900
	if a.draw.IntN(2) == 0 {
		valid = []int{45, 3600, 86_400, 86_400}[a.draw.IntN(4)]
		body["validFor"] = valid
	}
	c.expires = a.now().Add(time.Duration(valid) * time.Second)
	made := a.insist(a.c, "/v1/fiat/virtual-accounts", body)
	a.say("issue %s for %s naira and %d s: %d", c.reference, c.asks.full(), valid, made.Status)
	a.issued(c, made)
	require.Equal(a.t, fmt.Sprint(valid), made.Number("data.valid_for"))
}

// issueAgain names an account like one that there was.
func (a *actor) issueAgain(c *account) {
	if c.channel != "virtual_account" {
		return
	}
	a.insist(a.c, "/v1/fiat/virtual-accounts", apitest.Object{"currency": "NGN", "reference": c.reference}).
		Fails(http.StatusBadRequest, "duplicate_reference")
}

// reserve makes a reserved account for the customer of this client, whose identity is
// verified.
func (a *actor) reserve() {
	email, phone := a.name+"@example.com", fmt.Sprintf("+23480123%05d", a.number)
	if a.identity == "" {
		customer := a.insist(a.c, "/v1/customers", apitest.Object{
			"type": "individual", "first_name": "Ada", "last_name": "Obi", "email": email, "phone": phone,
		}).OK().Text("data.id")
		number := fmt.Sprintf("2220000%03d0", a.number)
		a.identity = a.insist(a.c, "/v1/customers/identity/initiate", apitest.Object{
			"type": "bvn", "number": number, "customer_id": customer,
		}).OK().Text("data.identity_id")
		a.insist(a.c, "/v1/customers/identity/validate", apitest.Object{"type": "bvn", "number": number, "otp": "123456"}).OK()
	}
	made := a.insist(a.c, "/v1/fiat/reserved-accounts", apitest.Object{
		"currency": "NGN", "identity_id": a.identity, "phone_number": phone, "email": email,
	})
	c := &account{channel: "reserved_account", status: "active"}
	a.say("reserve: %d", made.Status)
	a.issued(c, made)
	c.reference = made.Text("data.reference")
}

func (a *actor) issued(c *account, made apitest.Answer) {
	made.OK()
	c.id, c.number = made.Text("data.id"), made.Text("data.account_number")
	a.accounts = append(a.accounts, c)
}

// collectCredit pays into an account: what it asks for, less or more.
func (a *actor) collectCredit(c *account) {
	n := naira(sums[a.draw.IntN(len(sums))])
	if c.asks > 0 {
		n = []naira{c.asks, c.asks - c.received, c.asks - 1, c.asks / 2, c.asks + 1}[a.draw.IntN(5)]
	}
	if n <= 0 {
		return
	}
	a.next++
	a.paysInto(c, n, fmt.Sprintf("%s-session-%d", a.name, a.next))
}

// collectAgain repeats the notice of a credit, with its sum or another one.
func (a *actor) collectAgain(c *account) {
	if len(c.credits) > 0 {
		came := c.credits[a.draw.IntN(len(c.credits))]
		a.paysInto(c, came.sum+naira(a.draw.IntN(2)), came.notice)
	}
}

func (a *actor) paysInto(c *account, n naira, notice string) {
	a.say("credit %s of %s to %s ", notice, n.full(), c.reference)
	a.credits(c.number, n, notice)
	c.take(a.now(), n, notice)
}

// close closes an account. One whose time is over may still be asking the bank.
func (a *actor) close(c *account) {
	if c.status == "expired" && a.now().Before(c.expires.Add(2*time.Hour)) {
		return
	}
	answer := a.c.Do(http.MethodDelete, c.route(), nil)
	a.say("close %s : %d", c.reference, answer.Status)
	if c.close() {
		answer.OK()
		return
	}
	answer.Fails(http.StatusConflict, "invalid_state_transition")
}

// recallCredit lets the bank take a credit back.
func (a *actor) recallCredit(c *account) {
	for _, came := range c.credits {
		if came.state == "success" {
			a.recall(c.reference, came.notice)
			came.recall()
			return
		}
	}
}

func (c *account) route() string {
	return "/v1/fiat/" + strings.ReplaceAll(c.channel, "_", "-") + "s?id=" + c.id
}

// checkAccount requires an account, its transactions and its events to say what the
// oracle says.
func (s *story) checkAccount(c *account, all events) {
	read := s.c.Get(c.route() + "&transaction=1").OK()
	require.Equal(s.t, c.status, read.Text("data.status"), "%s: %s", c.reference, read.Raw)
	require.Equal(s.t, c.received.full(), read.Number("data.total_received"), "%s: %s", c.reference, read.Raw)
	require.Equal(s.t, fmt.Sprint(c.counted()), read.Number("data.credit_count"), "%s: %s", c.reference, read.Raw)
	got := []line{}
	for n := range read.Len("data.transactions") {
		got = append(got, lineOf(read, fmt.Sprintf("data.transactions.%d.", n)))
	}
	slices.Reverse(got) // the newest is first
	require.Equal(s.t, append([]line{}, c.lines()...), got, "%s: %s", c.reference, read.Raw)
	want, told := []string{}, []string{}
	for _, came := range c.credits {
		if came.state != "returned" {
			want = append(want, came.notice+" "+came.sum.full())
		}
	}
	for _, event := range all[about{"transfer.received", c.number}] {
		told = append(told, fmt.Sprint(event["reference"], " ", event["amount"]))
	}
	require.Equal(s.t, want, told, "events of %s", c.reference)
}
