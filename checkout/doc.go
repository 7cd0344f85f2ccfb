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
//
// What a program needs, on the service Engine.Checkout:
//
//   - [Service.Create], with [CreateParams]: a [Session] for an order
//   - [Service.Get] and [Service.List]: a [State], with the session, its payment and its instruction
//   - [Service.Crypto], with a [Pair]: an address for USDC beside the bank account
//   - [Service.Cancel]: no payment is expected any more
//   - [Service.Quote]: what an amount costs in USDC
//   - [Service.PayLink], with [PayParams]: a payer follows a payment link
//   - [Service.Resolve] and [Service.Reverse]: what becomes of money that does not fit
//
// Methods whose names end in Op return the same as an operation for engine.Do; those that end
// in In join the caller's unit of work. The functions that end in In, [Config], [New], [Tx]
// and [Audit] are for the engine and the stores.
package checkout
