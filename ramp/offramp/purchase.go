package offramp

import (
	"time"

	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/records"
)

// Purchase is a bill that an order pays. Each attempt to buy it is a bill of its own, by whose id
// the biller knows it.
type Purchase struct {
	bills.Goods
	// MadeBy is the API key that asked for the order, by its id. Its limits hold for the first attempt.
	MadeBy string
	// Bill is the newest attempt, of Tries in all; empty before the first.
	Bill  bills.ID
	Tries int
	// RetryUntil is how long the USDC is held after the first refusal.
	RetryUntil time.Time
	// Receipt is what the customer got besides the service.
	biller.Receipt
}

// nothing is the Purchase of an order that pays an account.
func nothing() Purchase {
	none := money.NGN(0)
	return Purchase{Goods: bills.Goods{Amount: none, Fees: fees.Fees{Platform: none, Processing: none}}}
}

func (p *Purchase) columns() []records.Column {
	return append(p.Goods.Columns("bill_amount", true),
		records.Text("made_by", &p.MadeBy),
		records.Text("bill", &p.Bill),
		records.Int("tries", &p.Tries),
		records.Time("retry_until", &p.RetryUntil),
		records.Text("token", &p.Token),
		records.Text("units", &p.Units),
	)
}
