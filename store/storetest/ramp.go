package storetest

import (
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	provider "github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/onramp"
)

// rampQuote is the n-th quote of a scope, with no field empty.
func rampQuote(scope ferry.Scope, n int) ramp.Quote {
	return ramp.Quote{
		ID: ramp.QuoteID(idOf(ramp.QuotePrefix, n)), Scope: scope, Side: ramp.Offramp,
		Fiat: money.NGN(1_500_000), Crypto: money.USDC(1_010_000),
		Price:  ramp.Price{Rate: "1485", BaseRate: "1500", Spread: 100, ExpiresAt: after(n + 900)},
		UsedBy: idOf(onramp.Prefix, n), CreatedAt: after(n),
	}
}

var _ = caseOf(kindCase[ramp.QuoteID, ramp.Quote]{
	kind: ramp.QuoteKind, row: rampQuote,
	change: func(q *ramp.Quote) { q.UsedBy = "" },
})

// onrampOrder is the n-th onramp of a scope, with no field empty.
func onrampOrder(scope ferry.Scope, n int) onramp.Order {
	return onramp.Order{
		ID: onramp.ID(idOf(onramp.Prefix, n)), Scope: scope, Reference: fmt.Sprintf("order-%d", n),
		Status: ramp.Failed, Stage: ramp.Expired, Amount: money.NGN(1_500_000), Crypto: money.USDC(10_000_000),
		Quote: "qte_1", Rate: "1500", Address: "A1",
		Bank:     provider.Account{BankCode: "999", BankName: "Bank", AccountNumber: fmt.Sprintf("%s%09d", scope.Env[:1], n), AccountName: "Shop"},
		Received: money.NGN(7), Credits: []onramp.Credit{{Session: "s1", Minor: 7, SenderBank: "058", SenderAccount: "0123456780", SenderName: "Ada Obi", Back: 7, Recalled: true}},
		Transfer: "trx_1", Signature: "sig", Failure: "too late",
		ExpiresAt: after(n + 900), FundedAt: after(n + 1), EndedAt: after(n + 2), CreatedAt: after(n), UpdatedAt: after(n),
	}
}

var _ = caseOf(kindCase[onramp.ID, onramp.Order]{
	kind: onramp.Kind, row: onrampOrder,
	change: func(o *onramp.Order) {
		o.Status, o.Stage, o.Received, o.Credits = ramp.Pending, ramp.AwaitingFunds, money.NGN(0), nil
		o.Transfer, o.Signature, o.Failure = "", "", ""
	},
	vary: func(o *onramp.Order, n int) {
		if n%2 == 0 {
			o.Status, o.Stage = ramp.Successful, ramp.Done
		}
	},
})
