package crash_test

import (
	"encoding/json"
	"fmt"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
)

// books are what the model says that the store must hold.
type books struct {
	run      *run
	balances map[string]money.Amount // by address
	naira    money.Amount
	sent     map[string]string // status of each transfer, by reference
	received map[string]bool   // what came in: hash or reference, and address
	// maybe are requests without an answer: each may have had its effect, once.
	maybe []*keyedRequest
}

// demoBalance is what a demo business begins with.
const demoBalance = 1_000_000_00

// checkBooks holds statement, balances and events against the acknowledged requests.
func (r *run) checkBooks() {
	r.t.Helper()
	b := &books{
		run: r, balances: map[string]money.Amount{}, naira: money.NGN(demoBalance),
		sent: map[string]string{}, received: map[string]bool{},
	}
	for _, c := range r.clients {
		b.maybe = append(b.maybe, c.parked...)
	}
	b.checkOut(r.lines("OUT"))
	b.checkIn(r.lines("IN"))
	b.checkBalances()
	b.checkEvents(r.feed())
}

func (b *books) add(address string, amount money.Amount) {
	if old, ok := b.balances[address]; ok {
		amount = plus(old, amount)
	}
	b.balances[address] = amount
}

// checkOut finds exactly one outgoing line for each transfer.
func (b *books) checkOut(lines []line) {
	t := b.run.t
	byReference := map[string]line{}
	for _, l := range lines {
		if _, again := byReference[l.Reference]; again {
			t.Errorf("%s went out twice", l.Reference)
		}
		byReference[l.Reference] = l
	}
	for _, d := range b.run.acknowledged() {
		if d.moves.from == nil {
			continue
		}
		l, ok := byReference[d.moves.reference]
		if !assert.True(t, ok, "%s was acknowledged and is lost", d.moves.reference) {
			continue
		}
		delete(byReference, d.moves.reference)
		b.pay(d.moves, l)
	}
	for _, d := range b.maybe {
		if l, ok := byReference[d.moves.reference]; ok && d.moves.from != nil {
			delete(byReference, d.moves.reference)
			b.pay(d.moves, l)
		}
	}
	assert.Empty(t, byReference, "nobody asked for these")
}

// pay books a transfer that has its line.
func (b *books) pay(m movement, l line) {
	t := b.run.t
	assert.Equal(t, m.from.address, l.From)
	assert.Equal(t, m.amount.Major(), l.Amount.String())
	b.sent[m.reference] = l.Status
	if l.Status == "failed" && m.to == nil {
		return
	}
	assert.Equal(t, "success", l.Status, m.reference)
	b.add(m.from.address, m.amount.Neg())
	if m.to != nil {
		assert.Equal(t, m.to.address, l.To)
		return
	}
	b.add(m.from.address, m.fee.Neg())
}

// arrival names one thing that came in.
func arrival(hash, reference, address string) string {
	if hash != "" {
		reference = ""
	}
	return hash + reference + ">" + address
}

// checkIn finds exactly one incoming line for each deposit and each transfer
// between addresses.
func (b *books) checkIn(lines []line) {
	t := b.run.t
	came := map[string]line{}
	for _, l := range lines {
		key := arrival(l.TransactionHash, l.Reference, l.To)
		if _, again := came[key]; again {
			t.Errorf("%s came in twice", key)
		}
		came[key] = l
		b.received[key] = true
		amount, err := money.ParseMajor(money.AssetUSDC, l.Amount.String())
		require.NoError(t, err)
		b.add(l.To, amount)
	}
	for _, d := range b.run.acknowledged() {
		m := d.moves
		if !m.naira.IsZero() {
			b.naira = plus(b.naira, m.naira)
		}
		if m.to == nil {
			continue
		}
		key := arrival(m.signature, m.reference, m.to.address)
		l, ok := came[key]
		if assert.True(t, ok, "%s was acknowledged and is lost", key) {
			assert.Equal(t, m.amount.Major(), l.Amount.String())
			delete(came, key)
		}
	}
	for key, l := range came {
		if b.mayHaveCome(l) {
			delete(came, key)
		}
	}
	assert.Empty(t, came, "nobody paid these in")
}

// mayHaveCome finds the deposit without an answer that a line belongs to. Each
// has an amount of its own, and no second line.
func (b *books) mayHaveCome(l line) bool {
	for i, d := range b.maybe {
		if d.moves.from == nil && d.moves.to != nil && d.moves.to.address == l.To && d.moves.amount.Major() == l.Amount.String() {
			b.maybe = append(b.maybe[:i:i], b.maybe[i+1:]...)
			return true
		}
	}
	return false
}

// checkBalances holds what every address has against the movements.
func (b *books) checkBalances() {
	t := b.run.t
	total := money.USDC(0)
	for page := 1; ; page++ {
		var got struct {
			Data []struct {
				Address string
				Balance json.Number
			}
			Meta struct {
				HasMore bool `json:"has_more"`
			}
		}
		b.run.read(fmt.Sprintf("/v1/wallets/addresses?limit=100&page=%d", page), &got)
		for _, a := range got.Data {
			want, ok := b.balances[a.Address]
			if !ok {
				want = money.USDC(0)
			}
			assert.Equal(t, want.Major(), a.Balance.String(), "balance of %s", a.Address)
			total = plus(total, want)
			delete(b.balances, a.Address)
		}
		if !got.Meta.HasMore {
			break
		}
	}
	assert.Empty(t, b.balances, "addresses that are lost")
	var got struct {
		Data []struct {
			Currency         string
			Posted, Reserved json.Number
		}
	}
	b.run.read("/v1/business/balance", &got)
	for _, of := range got.Data {
		want := total
		if of.Currency == "NGN" {
			want = b.naira
		}
		if of.Currency != "NGN" || len(b.maybe) == 0 {
			assert.Equal(t, want.Major(), of.Posted.String(), of.Currency)
			assert.Equal(t, "0", of.Reserved.String(), of.Currency)
		}
	}
}

// checkEvents holds the feed against the movements, and what the receiver got
// against the feed.
func (b *books) checkEvents(feed []json.RawMessage) {
	t := b.run.t
	in := b.run.inbox
	in.mu.Lock()
	defer in.mu.Unlock()
	told, last, known := map[string]bool{}, map[string]int{}, map[string]bool{}
	for _, raw := range feed {
		var e event
		require.NoError(t, json.Unmarshal(raw, &e))
		known[e.ID] = true
		assert.Equal(t, last[e.resource()]+1, e.Sequence, "%s", raw)
		last[e.resource()] = e.Sequence
		assert.Equal(t, in.bodies[e.ID], string(raw), "what was delivered is what the feed has")
		assert.Positive(t, in.accepted[e.ID], "%s is not delivered", raw)
		key := b.tells(e)
		assert.False(t, told[key], "%s is told twice", key)
		told[key] = true
	}
	for reference := range b.sent {
		assert.True(t, told["sent "+reference], "nothing told of %s", reference)
	}
	for key := range b.received {
		assert.True(t, told["received "+key], "nothing told of %s", key)
	}
	asked := 0
	for _, d := range b.run.acknowledged() {
		if d.moves.event != "" {
			assert.True(t, told[d.moves.event], "%s was acknowledged and is lost", d.moves.event)
			asked++
		}
	}
	assert.Len(t, told, len(b.sent)+len(b.received)+asked)
	for id := range in.bodies {
		assert.True(t, known[id], "%s was delivered and is not in the feed", id)
	}
}

// tells is what an event tells of.
func (b *books) tells(e event) string {
	text := func(name string) string { s, _ := e.Data[name].(string); return s }
	switch e.Type {
	case "stablecoin.sent", "stablecoin.failed":
		want := map[string]string{"stablecoin.sent": "success", "stablecoin.failed": "failed"}[e.Type]
		assert.Equal(b.run.t, want, b.sent[text("reference")], "%v", e)
		return "sent " + text("reference")
	case "stablecoin.received":
		return "received " + arrival(text("transaction_hash"), text("reference"), text("to_address"))
	case "webhook.test":
		return e.ID
	}
	b.run.t.Errorf("an event that nobody expects: %v", e)
	return ""
}
