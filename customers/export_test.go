package customers

import "github.com/ferrypay/ferry/provider/kyc"

// Carriers are a question to the provider with a number and a one-time password, and an
// answer with what is known.
func Carriers(n Number, otp OTP, known kyc.Identity) []any {
	q, a := inquiry{identity: "idn_1", number: n, otp: otp}, answer{identity: known}
	return []any{q, &q, a, &a}
}
