package sim

import (
	"context"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
)

// startingNaira and startingUSDC are what a business begins with, in kobo and in micro-USDC.
const startingNaira, startingUSDC = 1_000_000_000, 100_000_000

// owner is a business of a run with its clients and its payers, and what the run knows of it:
// what was asked for, and what came in and went out in the outside world.
type owner struct {
	run    *run
	number int
	tenant engine.Tenant
	scope  ferry.Scope
	source string // the number of its own account

	// keys and secrets are those of the API and of webhooks, oldest first. The spare key lies in a vault.
	// A key is being replaced, or a secret.
	keys                 []*apiKey
	secrets              []*hookSecret
	spare                *apiKey
	replacing, resigning bool
	// approver is the key of whoever approves what leaves, or nil.
	approver *apiKey

	things  []*thing
	wallets []*wallet
	credits []*credit
	checks  []*check
}

// newOwner is a business with its first key and its first secret.
func newOwner(r *run, number int, of engine.Tenant) *owner {
	return &owner{
		run: r, number: number, tenant: of, scope: of.Business.Scope,
		keys: []*apiKey{{text: of.SecretKey}}, secrets: []*hookSecret{{text: of.WebhookSecret}},
	}
}

// wallet is a wallet that was answered.
type wallet struct {
	reference, address string
	deposits           []deposit
}

// deposit is micro-USDC that somebody sent to a wallet.
type deposit struct {
	signature chain.Signature
	micro     int64
	sender    string    // of one to an offramp or an order
	at        time.Time // of one to an order
}

// credit is naira that somebody sent to an account.
type credit struct {
	account, session, sender string
	kobo                     int64

	recalled int64  // what the bank has taken back of it
	of       *thing // of one that was recalled: what had kept it
	short    bool   // of one that was recalled: the balance did not cover it at some time since
}

// now asks at once, on a server that nothing happens to meanwhile.
func (o *owner) now(method, path string, body object) answer {
	c := &call{by: o, method: method, path: path, body: body}
	for _, s := range o.run.servers {
		if s.idle() {
			return s.now(c, o.newest())
		}
	}
	return answer{}
}

// name is a name that was not used before.
func (o *owner) name(kind string) string {
	o.run.names++
	return fmt.Sprintf("%s-%d", kind, o.run.names)
}

// stranger is the number of an account at another bank that nobody else has. Its last digit
// says what the bank does with a payment to it (docs/api.md, "Magic values").
func (o *owner) stranger(ending int) string {
	o.run.names++
	return fmt.Sprintf("%09d%d", o.run.names, ending)
}

// credit sends naira to an account. A session that is known is a second notice of it.
func (o *owner) credit(account string, kobo int64, session string) {
	sender := bank.Party{BankCode: "058", AccountNumber: o.stranger(pick(o.run.acting, 0, 1, 2, 3, 4, 8)), AccountName: "Payer"}
	notice, err := o.run.world.Credit(context.Background(), sandbox.CreditParams{
		AccountNumber: account, Amount: money.NGN(kobo), Sender: sender, SessionID: session,
	})
	o.run.must(err)
	o.run.note("credit of %d kobo to %s, session %s", kobo, account, notice.SessionID)
	if session == "" {
		o.credits = append(o.credits, &credit{account: account, session: notice.SessionID, sender: sender.AccountNumber, kobo: kobo})
	}
}

// act does one thing by chance: the business asks for something, or its payers pay.
func (o *owner) act() {
	acts := []func(){
		o.order, o.order, o.pay, o.pay, o.pay, o.payAgain, o.recall, o.refund, o.refund,
		o.payout, o.bulk, o.transfer, o.transfer, o.wallet, o.deposit, o.deposit, o.send, o.send, o.move, o.look, o.look, o.decide,
		o.usdcOrder, o.askUSDC, o.payUSDC, o.payUSDC, o.payUSDC, o.resolve,
		o.link, o.setLink, o.setLink, o.payLink, o.payLink, o.payLinked, o.payLinked,
		o.customer, o.initiate, o.initiate, o.validate, o.validate, o.reserve, o.payReserved, o.payReserved, o.closeAccount,
		o.judge, o.judge, o.bill, o.bill, o.decideBill,
		o.rotateKey, o.revokeKey, o.intrude, o.rotateSecret,
		o.till, o.payTill, o.payTill, o.onramp, o.payOnramp, o.payOnramp, o.offramp, o.payOfframp, o.payOfframp,
	}
	acts[o.run.acting.IntN(len(acts))]()
}
