package sim

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
)

// full is an amount in full units, as a JSON number.
func full(a money.Amount) json.Number { return json.Number(a.Major()) }

// order asks for a checkout session in naira.
func (o *owner) order() {
	t := &thing{kind: payment, name: o.name("order"), amount: pick(o.run.acting, int64(100_00), 1_500_00, 77_77, 250_000_00)}
	o.checkout(t, "NGN", t.amount)
}

// checkout asks for a checkout session. The amount is in the unit of its currency.
func (o *owner) checkout(t *thing, currency string, amount any) {
	body := object{
		"public_key": o.tenant.PublicKey, "trx_id": t.name, "email": t.name + "@example.com", "amount": amount, "currency": currency,
	}
	t.decided = map[string]bool{}
	o.asks(t, "/v1/checkout/create", body, func(a answer) {
		t.began(a)
		t.account, t.address = a.text("account.account_number"), a.text("account.SOLANA")
	})
}

// began takes what every answer about a new session has.
func (t *thing) began(a answer) {
	t.usdc, t.until = t.priceIn(money.AssetUSDC), a.instant("data.expires_at")
}

// pay lets somebody pay an order in naira: mostly what it costs.
func (o *owner) pay() {
	t := o.some(pick(o.run.acting, payment, payment, payment, usdcOrder))
	if t == nil || t.account == "" { // it ended before the server came back to answer
		return
	}
	price := t.priceIn(money.AssetNGN)
	o.credit(t.account, pick(o.run.acting, price, price, price, price-1, price+1, 2*price), "") //nolint:mnd // too much
}

// payAgain lets the bank tell of a credit once more.
func (o *owner) payAgain() {
	c := pick(o.run.acting, o.credits...)
	o.credit(c.account, c.kobo, c.session)
}

// refund gives a part of a payment back, or all of it.
func (o *owner) refund() {
	of := o.some(pick(o.run.acting, payment, payment, usdcOrder))
	if of == nil || of.status != of.done {
		return
	}
	if len(of.deposits) > 0 {
		o.refundUSDC(of)
		return
	}
	price := of.priceIn(money.AssetNGN)
	amount := pick(o.run.acting, price, price/2, price/3) //nolint:mnd // parts
	t := &thing{kind: refund, name: o.name("refund"), amount: amount, of: of}
	body := object{"trx_id": of.name, "amount": amount, "reference": t.name, "reason": "It came too late", "execution_mode": "auto_sender"}
	if of.kind == usdcOrder {
		body["currency"] = "NGN"
	}
	o.asks(t, "/v1/refunds", body, nil)
}

// naira draws an amount that leaves, and an account that it goes to.
func (o *owner) naira() part {
	kobo := pick(o.run.acting, int64(1_00), 1_234_56, 50_000_00, 400_000_00)
	return part{o.stranger(pick(o.run.acting, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)), kobo}
}

// payout sends naira to one account.
func (o *owner) payout() {
	p := o.naira()
	t := &thing{kind: payout, name: o.name("payout"), amount: p.amount, to: []part{p}}
	o.asks(t, "/v1/payouts", object{
		"reference": t.name, "source_account_number": o.source, "amount": full(money.NGN(p.amount)),
		"beneficiary": object{"bank_code": "058", "account_number": p.to},
	}, nil)
}

// bulk sends naira to several accounts.
func (o *owner) bulk() {
	t := &thing{kind: payout, name: o.name("bulk")}
	var items []object
	for n := range 2 + o.run.acting.IntN(3) {
		p := o.naira()
		t.to, t.amount = append(t.to, p), t.amount+p.amount
		items = append(items, object{
			"reference": fmt.Sprintf("%s-%d", t.name, n), "bank_code": "058", "account_number": p.to, "amount": full(money.NGN(p.amount)),
		})
	}
	o.asks(t, "/v1/payouts/bulk", object{"reference": t.name, "source_account_number": o.source, "items": items}, nil)
}

// transfer sends naira to one account at once.
func (o *owner) transfer() {
	p := o.naira()
	t := &thing{kind: fiatTransfer, name: o.name("transfer"), amount: p.amount, to: []part{p}}
	o.asks(t, "/v1/transfers", object{
		"reference": t.name, "currency": "NGN", "amount": full(money.NGN(p.amount)), "bank_code": "058", "account_number": p.to,
	}, nil)
}

// decide lets the bank decide about a payment that it left open.
func (o *owner) decide() {
	t := o.some(pick(o.run.acting, payout, fiatTransfer, offramp))
	if t == nil {
		return
	}
	to := pick(o.run.acting, t.to...).to
	if leftOpen(to) {
		o.decided(to, pick(o.run.acting, sandbox.Pays, sandbox.Fails))
	}
}

// leftOpen reports whether bank or biller leave what goes to a number open, until somebody decides
// (docs/api.md, "Magic values").
func leftOpen(number string) bool { return strings.HasSuffix(number, "6") }

func (o *owner) decided(account string, will sandbox.BankOutcome) {
	o.run.note("the bank decides about %s: %s", account, will)
	_, err := o.run.world.SetBankOutcome(context.Background(), account, will)
	o.run.must(err)
}

// wallet makes a wallet.
func (o *owner) wallet() {
	if len(o.wallets) == maxWallets {
		return
	}
	reference := o.name("wallet")
	o.ask(http.MethodPost, "/v1/wallets", object{
		"type": "stablecoin", "network": "solana", "asset": "USDC", "reference": reference,
	}, func(a answer) {
		if a.ok() {
			o.wallets = append(o.wallets, &wallet{reference: reference, address: a.text("data.primary_address")})
		}
	})
}

const maxWallets = 4

// deposit sends USDC to a wallet on the chain.
func (o *owner) deposit() {
	if len(o.wallets) == 0 {
		o.wallet()
		return
	}
	w, micro := pick(o.run.acting, o.wallets...), pick(o.run.acting, int64(10_000), 1_000_000, 25_500_000, 1)
	o.depositTo(w, micro)
}

func (o *owner) depositTo(w *wallet, micro int64) {
	signature, err := o.run.world.Deposit(context.Background(), sandbox.DepositParams{To: chain.Address(w.address), Amount: money.USDC(micro)})
	o.run.must(err)
	w.deposits = append(w.deposits, deposit{signature: signature, micro: micro})
	o.run.note("deposit of %d to %s", micro, w.address)
}

// send sends USDC to an address outside that nothing else goes to.
func (o *owner) send() {
	if len(o.wallets) == 0 {
		return
	}
	t := o.sends(pick(o.run.acting, o.wallets...), nil, o.run.address(), o.micro())
	if o.run.acting.chance(200) { // the same once more, and it is another payment
		o.sends(t.from, nil, t.to[0].to, t.amount)
	}
}

// micro draws an amount of USDC to send, in millionths.
func (o *owner) micro() int64 { return pick(o.run.acting, int64(10_000), 10_001, 999_999, 5_000_000) }

// move sends USDC to another wallet of the run.
func (o *owner) move() {
	other := pick(o.run.acting, o.run.businesses...)
	if len(o.wallets) == 0 || len(other.wallets) == 0 {
		return
	}
	from, into := pick(o.run.acting, o.wallets...), pick(o.run.acting, other.wallets...)
	if from != into {
		o.sends(from, into, into.address, o.micro())
	}
}

// sends asks for a transfer of USDC. Some have no reference: only the key tells them apart.
func (o *owner) sends(from, into *wallet, to string, micro int64) *thing {
	t := &thing{kind: sending, name: o.name("sending"), amount: micro, to: []part{{to, micro}}, from: from, into: into}
	body := object{
		"from_address": from.address, "to_address": to, "amount": full(money.USDC(micro)), "network": "solana", "asset": "USDC",
	}
	if o.run.acting.chance(700) {
		body["reference"] = t.name
	}
	o.asks(t, "/v1/wallets/transfer", body, func(a answer) { t.name = a.text("data.reference") })
	return t
}

// look reads something that the business has asked for.
func (o *owner) look() {
	t := o.some(pick(o.run.acting, payment, usdcOrder, payout, fiatTransfer, refund, usdcRefund, sending, till, onramp, offramp, link, reserved, customer, bill))
	if t == nil {
		return
	}
	o.ask(http.MethodGet, fmt.Sprintf(t.read, t.name), nil, nil).reads = t
}
