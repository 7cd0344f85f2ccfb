package sim

import (
	"fmt"
	"net/http"
	"time"

	"github.com/ferrypay/ferry/money"
)

// kind is a kind of things that a business makes, as the API shows them.
type kind struct {
	name string
	// read is the path of one, with a place for its name; status and amount are the members
	// of the answer that have them.
	read, status, amount string
	asset                money.Asset
	minor                bool // the amount is in minor units
	// ranks of its status: no later answer has a lower one. Two of the highest are never seen
	// of one thing, but for the last, which only that before it may become.
	ranks map[string]int
	done  string // the status of a success
}

const (
	open = iota
	working
	final
	undone
)

// ordered are the ranks of what ends as successful or failed.
var ordered = map[string]int{"pending": open, "processing": working, "successful": final, "failed": final}

// paid are the ranks of a payment.
var paid = map[string]int{
	"pending": open, "success": final, "failed": final, "cancelled": final, "expired": final, "reversed": undone,
}

// The kinds, and their states as docs/api.md has them.
var (
	payment   = &kind{"payment", "/v1/payments?id=%s", "data.status", "data.amount", money.AssetNGN, true, paid, "success"}
	usdcOrder = &kind{"USDC order", "/v1/payments?id=%s", "data.status", "data.amount", money.AssetUSDC, false, paid, "success"}
	payout    = &kind{"payout", "/v1/payouts?reference=%s", "data.status", "data.total_amount", money.AssetNGN, false, map[string]int{
		"pending": open, "processing": working, "successful": final, "partially_successful": final, "failed": final, "cancelled": final,
	}, "successful"}
	fiatTransfer = &kind{"transfer", "/v1/transfers?reference=%s", "data.status", "data.amount", money.AssetNGN, false, map[string]int{
		"pending": open, "processing": working, "success": final, "failed": final, "reversed": undone,
	}, "success"}
	refund     = &kind{"refund", "/v1/refunds?reference=%s", "data.status", "data.amount", money.AssetNGN, true, ordered, "successful"}
	usdcRefund = &kind{"USDC refund", "/v1/refunds?reference=%s", "data.status", "data.amount", money.AssetUSDC, false, ordered, "successful"}
	till       = &kind{"virtual account", "/v1/fiat/virtual-accounts?id=%s", "data.status", "data.amount", money.AssetNGN, false, map[string]int{
		"active": open, "completed": final, "expired": final, "closed": final,
	}, "completed"}
	onramp  = &kind{"onramp", "/v1/stablecoin/onramp?reference=%s", "data.status", "data.amount", money.AssetNGN, false, ordered, "successful"}
	offramp = &kind{"offramp", "/v1/stablecoin/offramp?reference=%s", "data.status", "data.amount", money.AssetNGN, false, ordered, "successful"}
	link    = &kind{"payment link", "/v1/payment-links?id=%s", "data.status", "data.amount", money.AssetNGN, true, map[string]int{
		"pending": open, "active": working, "inactive": working, "expired": final, "disabled": final, "completed": final,
	}, "completed"}
	reserved = &kind{"reserved account", "/v1/fiat/reserved-accounts?id=%s", "data.status", "data.amount", money.AssetNGN, false, map[string]int{
		"active": open, "closed": final,
	}, "active"}
	customer = &kind{"customer", "/v1/customers?id=%s", "data.status", "data.amount", money.AssetNGN, true, map[string]int{
		"pending_verification": open, "rejected": open, "verified": final,
	}, "verified"}
	bill    = &kind{"bill", "/v1/bill/history?reference=%s", "data.status", "data.amount", money.AssetNGN, false, ordered, "successful"}
	sending = &kind{"sending", "/v1/wallets/transfers/%s", "data.status", "data.amount", money.AssetUSDC, false, map[string]int{
		"pending": open, "success": final, "failed": final,
	}, "success"}
)

// A thing of an unending kind need not end. No event tells of the end of one of an untold kind.
var unending, untold = []*kind{link, reserved, customer}, []*kind{sending, till, link, reserved}

// thing is one that a business asked for.
type thing struct {
	*kind
	by   *owner
	name string
	// amount is what was asked for, in minor units: kobo or micro-USDC.
	amount int64
	// made says that the API has answered that it is there, and refused that it is not.
	made, refused bool
	// status is the newest that was told, and when; told is the newest that an event has.
	status string
	heard  int
	told   string

	account  string    // of a payment, a virtual account or an onramp: where naira is to come; of a bill: its number
	usdc     int64     // of an offramp: what it asks for at the account, which is an address; of an order: at its address
	deposits []deposit // of an offramp or an order

	// Of an order: where USDC are to come, from whom they mostly come, and what was decided about those that
	// are held. Until is when it ends, or the link does.
	address, payer string
	until          time.Time
	decided        map[string]bool

	// Of a customer: how to reach it, and of a company its number.
	email, phone, cac string
	company           bool

	approved bool   // somebody was asked to approve it
	prepaid  bool   // of a bill: it is for a prepaid meter
	check    *check // of a reserved account: its identity
	closing  bool   // of an account: somebody asked to close it

	to    []part  // of what goes out
	from  *wallet // of a sending
	into  *wallet // of a sending between wallets of a run
	of    *thing  // of a refund: the payment; of a payment: the link, or nil
	limit int     // of a link: how many payments it takes, or 0
}

// part is a sum for one account or address that nothing else goes to.
type part struct {
	to     string
	amount int64
}

// toBanks reports whether its parts go to accounts of banks.
func (t *thing) toBanks() bool {
	return t.kind == payout || t.kind == fiatTransfer || t.kind == offramp
}

// isOrder reports whether it is a payment through a checkout session.
func (t *thing) isOrder() bool { return t.kind == payment || t.kind == usdcOrder }

func (t *thing) String() string {
	return fmt.Sprintf("%s %s of business %d", t.kind.name, t.name, t.by.number)
}

// asks asks for a thing. Found reads what the answer says of it.
func (o *owner) asks(t *thing, path string, body object, found func(answer)) *call {
	t.by = o
	o.things = append(o.things, t)
	c := o.ask(http.MethodPost, path, body, func(a answer) {
		if !a.ok() {
			t.refused = true
			return
		}
		t.made, t.refused = true, false
		if found != nil {
			found(a)
		}
	})
	c.makes = t
	return c
}

// some returns one of the things of a kind that are there, or nil.
func (o *owner) some(k *kind) *thing {
	var all []*thing
	for _, t := range o.things {
		if t.kind == k && t.made {
			all = append(all, t)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[o.run.acting.IntN(len(all))]
}
