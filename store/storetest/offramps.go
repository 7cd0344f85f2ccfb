package storetest

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/money"
	provider "github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/biller"
	onchain "github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/wallets"
)

// offrampOrder is the n-th offramp of a scope, with no field empty.
func offrampOrder(scope ferry.Scope, n int) offramp.Order {
	return offramp.Order{
		ID: offramp.ID(idOf(offramp.Prefix, n)), Scope: scope, Reference: idOf("cashout-", n),
		Status: ramp.Processing, Stage: ramp.PaymentSubmitted, Pays: offramp.ToBill,
		Purchase: offramp.Purchase{
			Goods: goods(), MadeBy: "key_1", Bill: bills.ID(idOf(bills.Prefix, n)), Tries: 1, RetryUntil: after(n + 5),
			Receipt: biller.Receipt{Token: "12345678901234567890", Units: "25.0 kWh"},
		},
		Amount: money.NGN(1_500_000), Quote: ramp.QuoteID(idOf(ramp.QuotePrefix, n)), Crypto: money.USDC(10_100_000),
		Rate: "1485.149", RateUntil: after(n + 900),
		Address: wallets.AddressID(idOf("addr_", n)), Deposit: onchain.Address(idOf("chain", n)),
		Received: money.USDC(10_050_000), Asked: money.USDC(10_060_000), Credited: money.NGN(1_499_000),
		To:     provider.Party{BankCode: "058", AccountNumber: "0123456789", AccountName: "Adá"},
		Source: "9000000001", SessionID: "s-1", Failure: "none",
		Progress:  disburse.Progress{Answer: disburse.InProgress, Attempts: 2, Submissions: 1, UpdatedAt: after(n + 1)},
		ExpiresAt: after(n + 901), FundedAt: after(n + 2), PaidAt: after(n + 3), ReturnedAt: after(n + 4), CreatedAt: after(n),
	}
}

var _ = caseOf(kindCase[offramp.ID, offramp.Order]{
	kind: offramp.Kind,
	row:  offrampOrder,
	change: func(o *offramp.Order) {
		o.Status, o.Stage, o.Answer = ramp.Failed, ramp.Refunded, disburse.Declined
		o.Received, o.Credited, o.Failure = money.USDC(10_060_000), money.NGN(1_500_000), "closed"
		o.Bill, o.Tries, o.Receipt = "bill_2", 2, biller.Receipt{}
	},
	vary: func(o *offramp.Order, n int) {
		if n%2 == 0 {
			o.Status, o.Stage, o.Pays = ramp.Pending, ramp.AwaitingDeposit, offramp.ToAccount
		}
	},
})

// offrampDeposit is the n-th deposit of a scope, with no field empty.
func offrampDeposit(scope ferry.Scope, n int) offramp.Deposit {
	return offramp.Deposit{
		ID: offramp.DepositID(idOf("odp_", n)), Scope: scope, Order: offramp.ID(idOf(offramp.Prefix, 1)),
		Address: wallets.AddressID(idOf("addr_", n)), Amount: money.USDC(5_000_000), Rate: "1500",
		Source: "signature", Sender: "Sender111", State: offramp.Sending, Reason: offramp.Excess,
		Return:   offramp.Return{To: "Other111", By: "Ada", Why: "Ticket 7"},
		Transfer: "trx_back", Returned: money.USDC(4_995_000), Signature: "signature of the way back", Attempts: 1,
		CreatedAt: after(n), UpdatedAt: after(n + 1),
	}
}

var _ = caseOf(kindCase[offramp.DepositID, offramp.Deposit]{
	kind:   offramp.DepositKind,
	row:    offrampDeposit,
	change: func(d *offramp.Deposit) { d.State, d.Reason, d.Attempts = offramp.Due, offramp.Late, 2 },
	vary: func(d *offramp.Deposit, n int) {
		if n%2 == 0 {
			d.Order = offramp.ID(idOf(offramp.Prefix, 2))
		}
	},
})
