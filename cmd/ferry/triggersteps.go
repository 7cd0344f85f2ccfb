package main

// triggerStep is a request of a trigger: its method, path and body, and the texts of its answer that
// later ones use, as "name=field". A field is looked for in the whole answer; the first one counts.
type triggerStep struct {
	method, path, body string
	keep               []string
	// refused says that the request may be refused: that is what makes the event.
	refused bool
}

// Who the money of triggers comes from and goes to, by magic values of the sandbox.
const (
	paidAccount     = "0123456780"
	returnedAccount = "0123456785"
	refusedAccount  = "0123456789"
	outsideAddress  = "FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T"
)

// triggers are the requests that make each event of the catalogue happen. {ref} is a name that no
// other trigger has.
var triggers = map[string][]triggerStep{
	"customer.verified":            verification("22212345670", false),
	"customer.verification_failed": verification("22212345671", true),

	"stablecoin.received": inWallet(),
	"stablecoin.sent":     inWallet(sendUSDC(), advance("60")),
	"stablecoin.failed":   inWallet(call("test_helpers/faults", `{"target":"chain","kind":"program_error"}`), sendUSDC(), advance("60")),

	"payment.success":  order(drive("success", "card")),
	"payment.pending":  order(drive("pending", "card")),
	"payment.failed":   order(drive("failed", "card")),
	"payment.reversed": order(drive("success", "bank_transfer"), drive("reversed", "bank_transfer")),
	"payment.late":     order(advance("86400"), credit("{account}", paidAccount)),

	"transfer.received": {
		call("fiat/virtual-accounts", `{"currency":"NGN","validFor":900,"amount":15000,"reference":"{ref}"}`, "account=account_number"),
		credit("{account}", paidAccount),
	},

	"payout.item.processing": payout(paidAccount), "payout.item.successful": payout(paidAccount), "payout.batch.completed": payout(paidAccount),
	"payout.item.failed": payout(refusedAccount), "payout.item.returned": payout(returnedAccount, advance("90000")),

	"transfer.success": fiatTransfer(paidAccount), "transfer.failed": fiatTransfer(refusedAccount),
	"transfer.reversed": fiatTransfer(returnedAccount, advance("90000")),

	"refund.pending": refund(paidAccount), "refund.processing": refund(paidAccount, advance("700")), "refund.successful": refund(paidAccount, advance("700")),
	"refund.failed": refund(refusedAccount, advance("700")), "refund.returned": refund(returnedAccount, advance("700"), advance("90000")),

	"offramp.processing": cashOut(paidAccount), "offramp.success": cashOut(paidAccount), "offramp.failed": cashOut(refusedAccount),
	"offramp.returned": cashOut(returnedAccount, advance("90000")),

	"bill.processing": airtime("08031234560"), "bill.successful": airtime("08031234560"), "bill.failed": airtime("08031234569"),

	"bill.crypto.processing": cryptoBill("45012345670"), "bill.crypto.successful": cryptoBill("45012345670"),
	"bill.crypto.refused": cryptoBill("45012345679"), "bill.crypto.failed": cryptoBill("45012345679", advance("90000")),

	"onramp.processing": topUp(credit("{account}", paidAccount), advance("60")), "onramp.success": topUp(credit("{account}", paidAccount), advance("60")),
	"onramp.failed": topUp(advance("1000")),

	"webhook.test": {call("webhook/test", "")},
}

func call(path, body string, keep ...string) triggerStep {
	return triggerStep{"POST", path, body, keep, false}
}

func advance(seconds string) triggerStep {
	return call("test_helpers/clock/advance", `{"seconds":`+seconds+`}`)
}

// credit is 15,000 naira that come from an account to another one.
func credit(to, from string) triggerStep {
	return call("test_helpers/bank_credits", `{"account_number":"`+to+`","amount":15000,"sender":{"bank_code":"058","account_number":"`+from+`","account_name":"Ada Obi"}}`)
}

// funded is naira for what leaves.
var funded = call("test_helpers/fund", `{"currency":"NGN","amount":30000}`)

// shop reads what requests of the business need to name.
var shop = triggerStep{method: "GET", path: "business", keep: []string{"source=account_number", `source_id=id":"(bank_[0-9a-f]+)`}}

func verification(bvn string, fails bool) []triggerStep {
	return []triggerStep{
		call("customers", `{"type":"individual","first_name":"Ada","last_name":"Obi","email":"{ref}@example.com","phone":"{phone}"}`, "customer=id"),
		call("customers/identity/initiate", `{"type":"bvn","number":"`+bvn+`","customer_id":"{customer}"}`),
		{method: "POST", path: "customers/identity/validate", body: `{"type":"bvn","number":"` + bvn + `","customer_id":"{customer}","otp":"123456"}`, refused: fails},
	}
}

// inWallet is a wallet with 100 USDC.
func inWallet(then ...triggerStep) []triggerStep {
	return append([]triggerStep{
		call("wallets", `{"type":"stablecoin","network":"solana","asset":"USDC","reference":"{ref}"}`, "from=primary_address"),
		call("test_helpers/deposits", `{"address":"{from}","amount":100}`),
	}, then...)
}

func sendUSDC() triggerStep {
	return call("wallets/transfer", `{"from_address":"{from}","to_address":"`+outsideAddress+`","amount":25.5,"network":"Solana","asset":"USDC","reference":"{ref}"}`)
}

// order is a checkout session over 15,000 naira.
func order(then ...triggerStep) []triggerStep {
	return append([]triggerStep{
		{method: "GET", path: "api-keys/config", keep: []string{"public_key=public_key"}},
		call("checkout/create", `{"public_key":"{public_key}","trx_id":"{ref}","email":"ada@example.com","amount":1500000,"currency":"NGN"}`, "account=account_number"),
	}, then...)
}

func drive(outcome, method string) triggerStep {
	return call("test_helpers/payments", `{"trx_id":"{ref}","outcome":"`+outcome+`","payment_method":"`+method+`"}`)
}

func payout(account string, then ...triggerStep) []triggerStep {
	return append([]triggerStep{funded, shop,
		call("payouts", `{"reference":"{ref}","source_account_number":"{source}","amount":25000,"beneficiary":{"bank_code":"058","account_number":"`+account+`"}}`),
		advance("60"),
	}, then...)
}

func fiatTransfer(account string, then ...triggerStep) []triggerStep {
	return append([]triggerStep{funded, shop,
		call("fiat/transfers", `{"reference":"{ref}","source_bank_account_id":"{source_id}","currency":"NGN","narration":"Rent","amount":25000,`+
			`"beneficiary":{"bank_code":"058","account_number":"`+account+`"}}`),
		advance("60"),
	}, then...)
}

// refund is an order that was paid from an account, and a refund of a part of it.
func refund(account string, then ...triggerStep) []triggerStep {
	return order(append([]triggerStep{
		credit("{account}", account), call("test_helpers/drain", ""),
		call("refunds", `{"trx_id":"{ref}","amount":500000,"reference":"{ref}","reason":"Too spicy","execution_mode":"auto_sender"}`),
	}, then...)...)
}

func cashOut(account string, then ...triggerStep) []triggerStep {
	return append([]triggerStep{
		call("stablecoin/offramp", `{"reference":"{ref}","fiat_currency":"NGN","amount":15000,"asset":"USDC","chain":"SOLANA","bank_code":"058","account_number":"`+account+`"}`,
			"deposit=deposit_address", `usdc=amount_stablecoin":"?([0-9.]+)`),
		call("test_helpers/deposits", `{"address":"{deposit}","amount":{usdc}}`), advance("60"),
	}, then...)
}

func airtime(number string) []triggerStep {
	return []triggerStep{funded, call("bill/airtime", `{"provider":"mtn","number":"`+number+`","amount":500,"reference":"{ref}"}`), advance("60")}
}

func cryptoBill(meter string, then ...triggerStep) []triggerStep {
	return append([]triggerStep{
		call("bill/crypto", `{"reference":"{ref}","service":"UTILITY","provider":"ikeja-electric","vend_type":"PREPAID","number":"`+meter+`","amount":15000}`,
			"deposit=deposit_address", `usdc=amount_stablecoin":"?([0-9.]+)`),
		call("test_helpers/deposits", `{"address":"{deposit}","amount":{usdc}}`), advance("60"),
	}, then...)
}

func topUp(then ...triggerStep) []triggerStep {
	return append([]triggerStep{
		call("stablecoin/onramp", `{"reference":"{ref}","fiat_currency":"NGN","amount":15000,"asset":"USDC","chain":"SOLANA","address":"`+outsideAddress+`"}`, "account=account_number"),
	}, then...)
}
