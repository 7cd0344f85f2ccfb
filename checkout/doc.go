// Package checkout collects money on sessions: one order that may be paid in naira
// or in USDC (docs/api.md, "Checkout").
//
//	session:     pending ──paid──────> completed
//	                     ├─failed────> failed
//	                     ├─cancelled─> cancelled
//	                     └─expired───> expired
//	instruction: AWAITING_DEPOSIT ──seen──> DETECTED ──paid──> CONFIRMED
//	             AWAITING_DEPOSIT, DETECTED ──over──> EXPIRED
//
// A session has one payment, made with it, which ends with it. It is priced once:
// fees are computed on its worth in naira and kept. A bank account is opened for
// it outside any unit, under its id as key; a deposit address is made within the
// unit that offers it. An address keeps its session for life.
//
// Money finds its session by the account's number or by the address, in the unit
// that books it: CreditIn and DepositIn. Naira that does not fit goes back, USDC
// that does not fit is held until Resolve.
package checkout
