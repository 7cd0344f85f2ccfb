package inspect

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"

	"github.com/ferrypay/ferry/money"
)

// body is the body of a step.
type body map[string]any

// number is a text as a JSON number.
func number(text string) json.Number { return json.Number(text) }

// helper is a step of a test helper.
func helper(name string, b body) Step { return step("/v1/test_helpers/"+name, b) }

// wait is a step of the clock.
func wait(seconds int64) Step { return helper("clock/advance", body{"seconds": seconds}) }

// credit is naira that arrive at an account, deposit USDC that arrive at an address.
func credit(account, naira string) Step {
	return helper("bank_credits", body{"account_number": account, "amount": number(naira)})
}
func deposit(address, usdc string) Step {
	return helper("deposits", body{"address": address, "amount": number(usdc)})
}

// otherMint is a token of the simulated chain that is not USDC.
const otherMint = "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"

// firstActs are for a sandbox in which nothing has happened yet.
func (i *Inspector) firstActs() []Act {
	order := step("/v1/checkout/create", body{
		"public_key": i.config.Tenant.PublicKey, "trx_id": "order-1", "email": "ada@example.com", "amount": 1500000, "currency": "NGN",
	})
	wallet := step("/v1/wallets", body{"type": "stablecoin", "network": "solana", "asset": "USDC", "reference": "main"})
	return []Act{{"Make an order of ₦15,000", true, []Step{order}}, act("Make a wallet", wallet)}
}

// actsOf is what can be done with a thing.
func (i *Inspector) actsOf(ctx context.Context, kind string, o map[string]any) []Act {
	switch kind {
	case "payments":
		return i.paymentActs(ctx, o)
	case "wallets":
		return depositActs(word(o, "primary_address"))
	case "addresses":
		return depositActs(word(o, "address"))
	case "virtual-accounts", "reserved-accounts":
		account := word(o, "account_number")
		return []Act{act("₦5,000 arrive", credit(account, "5000")), act("₦5,000 arrive twice", credit(account, "5000"), credit(account, "5000"))}
	case "payouts":
		return outcomeActs(payoutReferences(o))
	case "bank-transfers", "refunds":
		return outcomeActs([]string{word(o, "reference")})
	case "bills":
		return billActs(word(o, "reference"))
	case "onramps":
		return onrampActs(o)
	case "offramps", "crypto-bills":
		return offrampActs(o)
	case "links":
		return i.linkActs(o)
	case "approvals":
		path := "/v1/approvals/" + url.PathEscape(word(o, "id"))
		return []Act{act("Approve", step(path, body{"decision": "approve"})), act("Reject", step(path, body{"decision": "reject"}))}
	}
	return nil
}

// paymentActs pay an order, in all ways that go right and wrong.
func (i *Inspector) paymentActs(ctx context.Context, o map[string]any) (acts []Act) {
	trxID := cmp.Or(word(o, "trx_id"), word(o, "reference"))
	drive := func(outcome, method string) Step {
		return helper("payments", body{"trx_id": trxID, "outcome": outcome, "payment_method": method})
	}
	switch cmp.Or(word(o, "payment_status"), word(o, "status")) {
	case "success":
		return []Act{act("The bank takes it back", drive("reversed", cmp.Or(word(o, "payment_method"), "card")))}
	case "reversed", "cancelled":
		return nil
	}
	at := i.quiet.get(ctx, "/v1/checkout/account?trx_id="+url.QueryEscape(trxID)).object()
	if account, naira := word(at, "fiat", "account_number"), word(at, "fiat", "amount"); account != "" {
		pay := act("Bank: exactly", credit(account, naira))
		pay.Primary = true
		acts = append(acts, pay,
			act("Bank: too little", credit(account, half(money.AssetNGN, naira))),
			act("Bank: too much", credit(account, more(money.AssetNGN, naira))),
			act("Bank: twice", credit(account, naira), credit(account, naira)),
			act("Bank: too late", wait(lateSeconds), credit(account, naira)))
	}
	if address, usdc := word(at, "crypto", "deposit_address"), word(at, "crypto", "amount"); address != "" {
		left := rest(money.AssetUSDC, usdc, word(at, "crypto", "amount_received"))
		acts = append(acts, act("USDC: what is left", deposit(address, left)),
			act("USDC: too little", deposit(address, half(money.AssetUSDC, left))),
			act("USDC: too much", deposit(address, more(money.AssetUSDC, left))),
			act("USDC: twice", deposit(address, left), deposit(address, left)),
			act("USDC: too late", wait(lateSeconds), deposit(address, left)),
			act("Another token", helper("deposits", body{"address": address, "amount": number(left), "mint": otherMint})))
	} else {
		acts = append(acts, act("Open USDC", step("/v1/checkout/crypto", body{"trx_id": trxID})))
	}
	return append(acts, act("Card accepted", drive("success", "card")), act("Card declined", drive("failed", "card")),
		act("Card pending", drive("pending", "card")), act("The payer cancels", drive("cancelled", "card")), act("It expires", wait(lateSeconds)))
}

// lateSeconds is longer than an order waits.
const lateSeconds = 25 * 3600

func depositActs(address string) []Act {
	return []Act{
		{"25 USDC arrive", true, []Step{deposit(address, "25")}},
		act("25 USDC arrive twice", deposit(address, "25"), deposit(address, "25")),
		act("Another token arrives", helper("deposits", body{"address": address, "amount": number("25"), "mint": otherMint})),
	}
}

// outcomeActs are what a bank does with payments of some references, and when they are known.
func outcomeActs(references []string) (acts []Act) {
	for _, outcome := range []struct{ name, word string }{
		{"The bank pays", "success"}, {"The bank refuses", "failed"}, {"Time-out, and it was paid", "timeout_paid"},
		{"Time-out, and it was not paid", "timeout_unpaid"}, {"It stays under way", "pending"}, {"It comes back a day later", "returned"},
	} {
		var steps []Step
		for _, reference := range references {
			steps = append(steps, helper("bank_outcomes", body{"reference": reference, "outcome": outcome.word}))
		}
		acts = append(acts, act(outcome.name, append(steps, wait(60))...))
	}
	return acts
}

// payoutReferences are those of the items of a payout, at most half of what an act may have.
func payoutReferences(o map[string]any) (references []string) {
	items, _ := o["items"].([]any)
	for _, item := range items {
		if len(references) < maxSteps/2 {
			references = append(references, word(item, "reference"))
		}
	}
	if len(references) == 0 {
		return []string{word(o, "reference")}
	}
	return references
}

func billActs(reference string) (acts []Act) {
	for _, outcome := range []struct{ name, word string }{
		{"The biller delivers", "delivered"}, {"The biller refuses", "failed"}, {"Time-out, and it was delivered", "timeout_delivered"},
		{"Time-out, and it was not delivered", "timeout_undelivered"}, {"It stays under way", "pending"}, {"It is delivered late", "late"},
	} {
		acts = append(acts, act(outcome.name, helper("bill_outcomes", body{"reference": reference, "outcome": outcome.word}), wait(60)))
	}
	return acts
}

func onrampActs(o map[string]any) []Act {
	account, naira := word(o, "payment_account", "account_number"), word(o, "amount")
	if account == "" {
		return nil
	}
	if word(o, "amount_unit") == "minor" {
		if amount, err := money.ParseMinor(money.AssetNGN, naira); err == nil {
			naira = amount.Major()
		}
	}
	return []Act{
		{"The naira arrive", true, []Step{credit(account, naira), wait(60)}},
		act("Too little arrives", credit(account, half(money.AssetNGN, naira))),
		act("Too much arrives", credit(account, more(money.AssetNGN, naira)), wait(60)),
		act("It expires", wait(901)),
	}
}

// offrampActs pay what is still due.
func offrampActs(o map[string]any) []Act {
	address, usdc := word(o, "deposit_address"), word(o, "amount_due")
	if due, err := money.ParseMajor(money.AssetUSDC, usdc); address == "" || err != nil || due.Sign() <= 0 {
		return nil
	}
	return []Act{
		{"The USDC arrive", true, []Step{deposit(address, usdc), wait(60)}},
		act("Too little arrives", deposit(address, half(money.AssetUSDC, usdc))),
		act("Too much arrives", deposit(address, more(money.AssetUSDC, usdc)), wait(60)),
		act("It expires", wait(901)),
	}
}

func (i *Inspector) linkActs(o map[string]any) []Act {
	status := func(to string) Step {
		return step("/v1/payment-links/status", body{"uid": word(o, "id"), "status": to})
	}
	return []Act{
		act("Somebody begins to pay", step("/v1/payment-links/pay", body{"public_key": i.config.Tenant.PublicKey, "slug": word(o, "slug"), "email": "bola@example.com"})),
		act("Make it active", status("active")), act("Make it inactive", status("inactive")),
	}
}
