package stories_test

import (
	"fmt"
	"maps"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/tests/apitest"
)

// balances are what a business has, as it is answered, and what the engine's own
// accounts say.
type balances struct {
	naira  naira
	posted usdc
	free   usdc
	books  books
}

func (s *story) balances() (b balances) {
	answer := s.c.Get("/v1/business/balance").OK()
	for n := range answer.Len("data") {
		at := fmt.Sprintf("data.%d.", n)
		switch answer.Text(at + "currency") {
		case "NGN":
			b.naira = nairaOf(answer.Number(at + "posted"))
			require.Equal(s.t, b.naira, nairaOf(answer.Number(at+"available")))
		case "USDC":
			b.posted, b.free = usdcOf(answer.Number(at+"posted")), usdcOf(answer.Number(at+"available"))
		}
	}
	require.Equal(s.t, b.free.full(), s.inWallets().full(), "the wallets have what the business may send")
	b.books = s.books()
	return b
}

// check holds everything that is left of a story against the oracle.
func (s *story) check() {
	s.t.Helper()
	want := s.before
	var arrived, left naira
	told := s.events()
	for _, a := range s.actors {
		for _, o := range a.orders {
			s.checkOrder(o, told)
			want.naira += o.gotN
			want.books.fees.platform += o.paidN.platform
			want.books.fees.processing += o.paidN.processing
			want.books.feesUSDC.platform += o.paidU.platform
			want.books.feesUSDC.processing += o.paidU.processing
			want.books.cards -= o.owed
			left += o.returned() + o.taken
			for _, r := range o.receipts {
				arrived += r.naira
				if r.state == "refunded" {
					want.books.networkFees += networkFee
				}
			}
			arrived += o.silent
			if !o.convert {
				want.posted += o.has()
				want.free += o.has() - o.holds()
			}
		}
	}
	for _, a := range s.actors {
		for _, c := range a.accounts {
			s.checkAccount(c, told)
			want.naira += c.kept()
			arrived += c.arrived()
			left += c.left()
		}
	}
	want.books.bank -= arrived - left
	require.Equal(s.t, want, s.balances(), "what the business and the platform have")
	s.checkLines()
	s.checkMovements(told)
	s.clean()
	reconciled, err := s.server.Engine.Reconcile(s.t.Context(), ferry.Test)
	require.NoError(s.t, err)
	require.Empty(s.t, reconciled.Findings)
	require.Empty(s.t, reconciled.InFlight, "nothing is under way")
}

// has is the USDC of an order that stands in the wallets of the business, and holds
// the part that is set aside.
func (o *order) has() (sum usdc) {
	for _, r := range o.receipts {
		sum += r.usdc - r.refunded
	}
	return sum - o.paidU.total()
}

func (o *order) holds() (sum usdc) {
	for _, r := range o.receipts {
		sum += r.held
	}
	return sum
}

// checkOrder requires payment, event and link to say what the oracle says.
func (s *story) checkOrder(o *order, told events) {
	p := s.c.Get("/v1/payments?id=" + o.trxID).OK()
	s.same(o, o.status, p.Text("data.status"), "%s", p.Raw)
	exceptions := []string{}
	for n := range p.Len("data.exceptions") {
		exceptions = append(exceptions, p.Text(fmt.Sprintf("data.exceptions.%d", n)))
	}
	slices.Sort(exceptions)
	s.same(o, append([]string{}, slices.Sorted(maps.Keys(o.exceptions))...), exceptions, "%s", p.Raw)
	shown := o.shown()
	for name, want := range shown {
		s.same(o, want, p.Number("data."+name), "%s: %s", name, p.Raw)
	}
	s.same(o, o.settled.shown(), p.Number("data.settlement.amount"), "settlement: %s", p.Raw)
	if o.settled.minor != 0 {
		s.same(o, o.settled.currency, p.Text("data.settlement.currency"), "settlement: %s", p.Raw)
	}
	s.checkReceipts(o, p)
	s.checkEvents(o, told, p.Text("data.id"), shown)
	if o.link != "" {
		s.checkLink(o)
	}
}

// shown is what a payment says of its sums: kobo, or USDC in full units.
func (o *order) shown() map[string]string {
	if o.inUSDC {
		return map[string]string{
			"amount": o.amountU.full(), "net_amount": (o.amountU - o.shownU.total()).full(), "fees.total_fees": o.shownU.total().full(),
			"fees.tsara_fee": o.shownU.platform.full(), "fees.processing_fee": o.shownU.processing.full(),
		}
	}
	return map[string]string{
		"amount": kobo(o.amountN), "net_amount": kobo(o.amountN - o.shownN.total()), "fees.total_fees": kobo(o.shownN.total()),
		"fees.tsara_fee": kobo(o.shownN.platform), "fees.processing_fee": kobo(o.shownN.processing),
	}
}

// checkReceipts requires the parts of each receipt to add up to what came, too.
func (s *story) checkReceipts(o *order, p apitest.Answer) {
	s.same(o, len(o.receipts), p.Len("data.receipts"), "%s", p.Raw)
	for n, r := range o.receipts {
		at := fmt.Sprintf("data.receipts.%d.", n)
		want := [5]string{r.usdc.full(), r.kept.full(), r.held.full(), r.refunded.full(), "0"}
		if r.offer == nil {
			want = [5]string{kobo(r.naira), kobo(r.paying), "0", "0", kobo(r.returned)}
		}
		var got [5]string
		for n, name := range []string{"amount", "kept", "held", "refunded", "returned"} {
			got[n] = p.Number(at + name)
		}
		s.same(o, want, got, "%s", p.Raw)
		s.same(o, r.state, p.Text(at+"status"), "%s", p.Raw)
		s.payers[p.Text(at+"id")] = o.trxID
		s.same(o, [2]int64{int64(r.naira), int64(r.usdc)}, [2]int64{int64(r.paying + r.returned), int64(r.kept + r.held + r.refunded)}, "the oracle's own parts")
	}
}

// checkLink requires the link of an order, which has no other, to count its success.
func (s *story) checkLink(o *order) {
	count, paid := "0", "0"
	if o.status == "success" {
		count, paid = "1", o.shown()["amount"]
	}
	link := s.c.With("X-Api-Variant", "A").Get("/v1/payment-links?id=" + o.link).OK()
	s.same(o, [2]string{count, paid}, [2]string{link.Number("data.payments_count"), link.Number("data.total_paid")}, "%s", link.Raw)
}
