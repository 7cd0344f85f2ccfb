package stories_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/tests/apitest"
)

// about is what an event tells: its type, and of what.
type about struct{ kind, of string }

// events are the data of the events of a business.
type events map[about][]map[string]any

// events reads all events of the business. Those of payments are about the payment,
// others about an account or an address.
func (s *story) events() events {
	all, cursor := events{}, ""
	for {
		page := s.c.Get("/v1/events?limit=100&after=" + cursor).OK()
		for n := range page.Len("data") {
			event := page.At(fmt.Sprintf("data.%d", n)).(map[string]any)
			data := event["data"].(map[string]any)
			for _, name := range []string{"account_number", "address", "from_address", "id"} {
				if of, ok := data[name].(string); ok {
					key := about{event["type"].(string), of}
					all[key] = append(all[key], data)
					break
				}
			}
		}
		if page.Len("data") == 0 {
			return all
		}
		cursor = page.Text("next_cursor")
	}
}

// checkEvents requires that a payment's end was told once, with the same sums, and each
// sum that came late.
func (s *story) checkEvents(o *order, all events, id string, shown map[string]string) {
	late := 0
	for _, r := range o.receipts {
		if r.late {
			late++
		}
	}
	want := map[string]int{"success": once(o.paid()), "failed": once(o.status == "failed"), "reversed": once(o.status == "reversed"), "late": late}
	for kind, times := range want {
		s.same(o, times, len(all[about{"payment." + kind, id}]), "events payment.%s", kind)
	}
	for _, event := range append(all[about{"payment.success", id}], all[about{"payment.reversed", id}]...) {
		for name, field := range map[string]string{"amount": "amount", "net_amount": "net_amount", "fees.total_fees": "total_fees"} {
			s.same(o, shown[name], fmt.Sprint(event[field]), "%s of the event", field)
		}
	}
}

func once(happens bool) int {
	if happens {
		return 1
	}
	return 0
}

// checkLines requires all transactions to be those that the oracle wrote, each once.
func (s *story) checkLines() {
	var want []line
	for _, a := range s.actors {
		for _, o := range a.orders {
			want = append(want, o.lines...)
		}
		for _, c := range a.accounts {
			want = append(want, c.lines()...)
		}
	}
	got := []line{}
	s.pages("/v1/transactions?limit=100", func(page apitest.Answer, at string) {
		l := lineOf(page, at)
		if strings.HasPrefix(l.name, "rcpt_") {
			l.name = "accepted for " + s.payers[l.name]
		}
		got = append(got, l)
	})
	byText := func(a, b line) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
	slices.SortFunc(want, byText)
	slices.SortFunc(got, byText)
	require.Equal(s.t, append([]line{}, want...), got, "all transactions")
}

// lineOf reads a line of all transactions.
func lineOf(from apitest.Answer, at string) line {
	l := line{
		name: from.Text(at + "reference"), channel: from.Text(at + "channel"), status: from.Text(at + "status"),
		amount: from.Number(at + "amount"), fee: from.Number(at + "fee"), net: from.Number(at + "net_amount"), currency: from.Text(at + "currency"),
	}
	if strings.HasPrefix(l.name, "pay_") {
		l.name = from.Text(at + "trx_id")
		l.order = from.Number(at+"order_amount") + " " + from.Text(at+"order_currency")
	}
	return l
}

// movement is what went in or out of a wallet.
type movement struct{ kind, address, amount, fee, status string }

// checkMovements requires the wallets of the business to tell of each deposit for an order
// whose USDC it holds, of each that was sent back, and of the fees; and an event of each
// but the fees.
func (s *story) checkMovements(all events) {
	want, got := map[movement]int{}, map[movement]int{}
	var fees, charged usdc
	for _, a := range s.actors {
		for _, o := range a.orders {
			fees += o.paidU.total()
			for _, r := range o.receipts {
				if r.offer == nil || o.convert {
					continue
				}
				want[movement{"IN", r.offer.address, r.usdc.full(), "", "success"}]++
				if r.refunded > 0 {
					want[movement{"OUT", r.offer.address, (r.refunded - networkFee).full(), networkFee.full(), "success"}]++
				}
			}
		}
	}
	s.pages("/v1/wallets/transfers?limit=100", func(page apitest.Answer, at string) {
		m := movement{kind: page.Text(at + "trx_type"), amount: page.Number(at + "amount"), status: page.Text(at + "status")}
		m.address = page.Text(at + "to_address")
		if m.address == "" {
			require.Equal(s.t, [2]string{"OUT", "0"}, [2]string{m.kind, page.Number(at + "network_fee")})
			charged += usdcOf(m.amount)
			return
		}
		if m.kind == "OUT" {
			m.address, m.fee = page.Text(at+"from_address"), page.Number(at+"network_fee")
		}
		got[m]++
	})
	require.Equal(s.t, want, got, "movements of wallets")
	require.Equal(s.t, want, all.movements(), "events of wallets")
	require.Equal(s.t, fees, charged, "fees that were taken of wallets")
}

// movements are those of wallets of which events tell.
func (all events) movements() map[movement]int {
	found := map[movement]int{}
	for what, data := range all {
		for _, event := range data {
			amount := fmt.Sprint(event["amount"])
			switch what.kind {
			case "stablecoin.received":
				found[movement{"IN", what.of, amount, "", "success"}]++
			case "stablecoin.sent":
				found[movement{"OUT", what.of, amount, fmt.Sprint(event["network_fee"]), "success"}]++
			}
		}
	}
	return found
}

// inWallets is what all wallets of the business may send.
func (s *story) inWallets() (sum usdc) {
	s.pages("/v1/wallets?limit=100", func(page apitest.Answer, at string) {
		has := page.Number(at + "balance")
		byAddress := s.c.Get("/v1/wallets/balance?id=" + page.Text(at+"id")).OK()
		require.Equal(s.t, has, byAddress.Number("counter.total_balance"), "%s", byAddress.Raw)
		sum += usdcOf(has)
	})
	return sum
}

// pages reads every item of a list.
func (s *story) pages(list string, read func(page apitest.Answer, at string)) {
	for n := 1; ; n++ {
		page := s.c.Get(fmt.Sprintf("%s&page=%d", list, n)).OK()
		for item := range page.Len("data") {
			read(page, fmt.Sprintf("data.%d.", item))
		}
		if page.At("pagination.has_more") != true {
			return
		}
	}
}
