package stories_test

import (
	"fmt"
	"maps"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/apitest"
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
	b.books = s.books()
	return b
}

// check holds everything that is left of a story against the oracle.
func (s *story) check() {
	s.t.Helper()
	want := s.before
	var arrived, returned naira
	told := s.successes()
	for _, a := range s.actors {
		for _, o := range a.orders {
			s.checkOrder(o, told)
			want.naira += o.gotN
			want.books.fees.platform += o.paidN.platform
			want.books.fees.processing += o.paidN.processing
			want.books.feesUSDC.platform += o.paidU.platform
			want.books.feesUSDC.processing += o.paidU.processing
			want.books.cards -= o.owed
			returned += o.returned
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
	want.books.bank -= arrived - returned
	require.Equal(s.t, want, s.balances(), "what the business and the platform have")
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
		sum += r.usdc
	}
	return sum - o.gone - o.paidU.total()
}

func (o *order) holds() (sum usdc) {
	for _, r := range o.receipts {
		sum += r.held
	}
	return sum
}

// checkOrder requires payment, transaction and event to say what the oracle says.
func (s *story) checkOrder(o *order, told map[string][]map[string]any) {
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
	s.checkReceipts(o, p)
	if o.link != "" {
		s.checkLink(o)
	}
	if o.status == "success" {
		line := s.c.Get("/v1/transactions?trx_id=" + o.trxID).OK()
		s.same(o, o.moved, [3]string{line.Number("data.amount"), line.Number("data.fee"), line.Text("data.currency")}, "%s", line.Raw)
		s.checkEvent(o, told[p.Text("data.id")], shown)
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
		"amount": fmt.Sprint(int64(o.amountN)), "net_amount": fmt.Sprint(int64(o.amountN - o.shownN.total())),
		"fees.total_fees": fmt.Sprint(int64(o.shownN.total())), "fees.tsara_fee": fmt.Sprint(int64(o.shownN.platform)),
		"fees.processing_fee": fmt.Sprint(int64(o.shownN.processing)),
	}
}

func (s *story) checkReceipts(o *order, p apitest.Answer) {
	s.same(o, len(o.receipts), p.Len("data.receipts"), "%s", p.Raw)
	for n, r := range o.receipts {
		at := fmt.Sprintf("data.receipts.%d.", n)
		amount := r.usdc.full()
		if r.offer == nil {
			amount = fmt.Sprint(int64(r.naira))
		}
		s.same(o, amount, p.Number(at+"amount"), "%s", p.Raw)
		s.same(o, r.state, p.Text(at+"status"), "%s", p.Raw)
		s.same(o, r.held.full(), p.Number(at+"held"), "%s", p.Raw)
	}
}

// successes are the events payment.success of the business, by payment.
func (s *story) successes() map[string][]map[string]any {
	told, cursor := map[string][]map[string]any{}, ""
	for {
		page := s.c.Get("/v1/events?limit=100&after=" + cursor).OK()
		for n := range page.Len("data") {
			event := page.At(fmt.Sprintf("data.%d", n)).(map[string]any)
			if event["type"] == "payment.success" {
				data := event["data"].(map[string]any)
				id := data["id"].(string)
				told[id] = append(told[id], data)
			}
		}
		if page.Len("data") == 0 {
			return told
		}
		cursor = page.Text("next_cursor")
	}
}

// checkEvent requires that one payment.success was sent for a payment, with the same
// sums.
func (s *story) checkEvent(o *order, events []map[string]any, shown map[string]string) {
	s.same(o, 1, len(events), "one payment.success")
	for name, field := range map[string]string{"amount": "amount", "net_amount": "net_amount", "fees.total_fees": "total_fees"} {
		s.same(o, shown[name], fmt.Sprint(events[0][field]), "%s of the event", field)
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
