package main

import "strconv"

// The steps of the story are in the order of the catalogue of events. No two payments are due at one
// instant: which of them comes first is chance.
var steps = []step{
	{"POST", "webhook/config", `{"url":"http://127.0.0.1:9/hooks"}`, nil},
	{"POST", "webhook/test", ``, nil},

	{"POST", "customers", `{"type":"individual","first_name":"Ada","last_name":"Obi","email":"ada@example.com","phone":"+2348012345678"}`, []string{"ada=id"}},
	{"POST", "customers/identity/initiate", `{"type":"bvn","number":"22212345670","customer_id":"{ada}"}`, nil},
	{"POST", "customers/identity/validate", `{"type":"bvn","number":"22212345670","otp":"123456"}`, nil},
	{"POST", "customers", `{"type":"individual","first_name":"Bola","last_name":"Ade","email":"bola@example.com","phone":"+2348012345679"}`, []string{"bola=id"}},
	{"POST", "customers/identity/initiate", `{"type":"bvn","number":"22212345671","customer_id":"{bola}"}`, nil},
	{"POST", "customers/identity/validate", `{"type":"bvn","number":"22212345671","otp":"123456"}`, nil},

	{"POST", "wallets", `{"type":"stablecoin","network":"solana","asset":"USDC","reference":"treasury"}`, []string{"wallet=id", "from=primary_address"}},
	{"POST", "test_helpers/deposits", `{"address":"{from}","amount":100}`, nil},
	{"POST", "wallets/transfer", sent("payout-981"), nil},
	{"POST", "test_helpers/clock/advance", `{"seconds":60}`, nil},
	{"POST", "test_helpers/faults", `{"target":"chain","kind":"program_error"}`, nil},
	{"POST", "wallets/transfer", sent("payout-982"), nil},
	{"POST", "test_helpers/clock/advance", `{"seconds":60}`, nil},

	{"POST", "checkout/create", order("order-981"), []string{"account=account_number"}},
	{"POST", "test_helpers/bank_credits", credit(15000, "0123456780"), nil},
	{"POST", "checkout/create", order("order-982"), nil},
	{"POST", "test_helpers/payments", `{"trx_id":"order-982","outcome":"pending"}`, nil},
	{"POST", "test_helpers/payments", `{"trx_id":"order-982","outcome":"failed"}`, nil},
	{"POST", "checkout/create", order("order-983"), nil},
	{"POST", "test_helpers/payments", `{"trx_id":"order-983","outcome":"success","payment_method":"bank_transfer"}`, nil},
	{"POST", "test_helpers/payments", `{"trx_id":"order-983","outcome":"reversed","payment_method":"bank_transfer"}`, nil},
	{"POST", "checkout/create", order("order-984"), []string{"late=account_number"}},
	{"POST", "test_helpers/clock/advance", `{"seconds":86400}`, nil},
	{"POST", "test_helpers/bank_credits", `{"account_number":"{late}","amount":15000}`, nil},

	{"POST", "fiat/virtual-accounts", `{"currency":"NGN","validFor":900,"amount":5000,"reference":"till-1"}`, []string{"virtual=account_number"}},
	{"POST", "test_helpers/bank_credits", `{"account_number":"{virtual}","amount":5000,"narration":"Lunch"}`, nil},

	{"POST", "payouts", payout("salary-ada", "0123456785"), nil},
	{"POST", "test_helpers/clock/advance", `{"seconds":60}`, nil},
	{"POST", "payouts", payout("salary-bola", "0123456789"), nil},
	{"POST", "test_helpers/clock/advance", `{"seconds":60}`, nil},

	{"POST", "fiat/transfers", transfer("rent-march", "0123456785"), nil},
	{"POST", "fiat/transfers", transfer("rent-april", "0123456789"), nil},
	{"POST", "test_helpers/clock/advance", `{"seconds":60}`, nil},

	{"POST", "bill/electricity", `{"provider":"ikeja-electric","vend_type":"PREPAID","number":"45012345670","amount":5000,"reference":"power-march"}`, nil},
	{"POST", "bill/airtime", `{"provider":"mtn","number":"08031234569","amount":500,"reference":"airtime-march"}`, nil},
	{"POST", "test_helpers/clock/advance", `{"seconds":60}`, nil},
	{"POST", "bill/crypto", cryptoBill("power-april", "45012345670"), []string{"deposit=deposit_address"}},
	{"POST", "test_helpers/deposits", `{"address":"{deposit}","amount":10}`, nil},
	{"POST", "bill/crypto", cryptoBill("power-may", "45012345679"), []string{"deposit=deposit_address"}},
	{"POST", "test_helpers/deposits", `{"address":"{deposit}","amount":10}`, nil},
	{"POST", "test_helpers/clock/advance", `{"seconds":1000}`, nil},

	{"POST", "refunds", refund("order-981", "too-spicy"), nil},
	{"POST", "test_helpers/clock/advance", `{"seconds":700}`, nil},
	{"POST", "checkout/create", order("order-985"), []string{"account=account_number"}},
	{"POST", "test_helpers/bank_credits", credit(15000, "0123456785"), nil},
	{"POST", "refunds", refund("order-985", "too-late"), nil},
	{"POST", "test_helpers/clock/advance", `{"seconds":700}`, nil},
	{"POST", "checkout/create", order("order-986"), []string{"account=account_number"}},
	{"POST", "test_helpers/bank_credits", credit(15000, "0123456789"), nil},
	{"POST", "refunds", refund("order-986", "too-cold"), nil},

	{"POST", "stablecoin/offramp", offramp("cashout-981", "0123456785"), []string{"deposit=deposit_address"}},
	{"POST", "test_helpers/deposits", `{"address":"{deposit}","amount":10}`, nil},
	{"POST", "stablecoin/offramp", offramp("cashout-982", "0123456789"), []string{"deposit=deposit_address"}},
	{"POST", "test_helpers/deposits", `{"address":"{deposit}","amount":10}`, nil},

	{"POST", "test_helpers/clock/advance", `{"seconds":90000}`, nil},

	{"POST", "stablecoin/onramp", onramp("topup-981"), []string{"account=account_number"}},
	{"POST", "stablecoin/onramp", onramp("topup-982"), nil},
	{"POST", "test_helpers/clock/advance", `{"seconds":10}`, nil},
	{"POST", "test_helpers/bank_credits", credit(15000, "0123456780"), nil},
	{"POST", "test_helpers/clock/advance", `{"seconds":900}`, nil},
}

// onramp is 15,000 naira for USDC at an address outside.
func onramp(reference string) string {
	return `{"reference":"` + reference + `","fiat_currency":"NGN","amount":15000,"asset":"USDC","chain":"SOLANA",` +
		`"address":"FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T"}`
}

// sent is a transfer of USDC to an address outside.
func sent(reference string) string {
	return `{"from_address":"{from}","to_address":"FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T","amount":25.5,"network":"Solana","asset":"USDC","reference":"` + reference + `"}`
}

// order is a checkout session over 15,000 naira.
func order(trxID string) string {
	return `{"public_key":"{public_key}","trx_id":"` + trxID + `","email":"ada@example.com","name":"Ada Obi","phone":"08012345678",` +
		`"amount":1500000,"currency":"NGN","meta":{"table":"7"}}`
}

// credit is naira that come from an account of a payer to the account of the newest order.
func credit(naira int, from string) string {
	return `{"account_number":"{account}","amount":` + strconv.Itoa(naira) + `,"sender":{"bank_code":"058","account_number":"` + from + `","account_name":"Ada Obi"}}`
}

func payout(reference, account string) string {
	return `{"reference":"` + reference + `","source_account_number":"{source}","narration":"Salary","amount":25000,` +
		`"beneficiary":{"bank_code":"058","account_number":"` + account + `"}}`
}

func transfer(reference, account string) string {
	return `{"reference":"` + reference + `","source_bank_account_id":"{source_id}","currency":"NGN","narration":"Rent","amount":25000,` +
		`"beneficiary":{"bank_code":"058","account_number":"` + account + `"}}`
}

// refund is a part of an order that goes back to who paid it.
func refund(trxID, reference string) string {
	return `{"trx_id":"` + trxID + `","amount":500000,"reference":"` + reference + `","reason":"Too spicy","execution_mode":"auto_sender"}`
}

// cryptoBill is USDC for electricity of 15,000 naira.
func cryptoBill(reference, meter string) string {
	return `{"reference":"` + reference + `","service":"UTILITY","provider":"ikeja-electric","vend_type":"PREPAID","number":"` + meter + `","amount":15000}`
}

// offramp is USDC for 15,000 naira at an account.
func offramp(reference, account string) string {
	return `{"reference":"` + reference + `","fiat_currency":"NGN","amount":15000,"asset":"USDC","chain":"SOLANA",` +
		`"bank_code":"058","account_number":"` + account + `"}`
}
