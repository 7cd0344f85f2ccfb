// Package payments keeps payments and what arrived for them (docs/api.md,
// "Payments", "Payment status").
//
//	payment: pending ──confirmed──> success ──reversed──> reversed
//	                 ├─failed─────> failed
//	                 ├─cancelled──> cancelled
//	                 └─expired────> expired
//	receipt: held ──settled──> settled
//	              ├─accepted─> accepted
//	              └─refunded─> refunded ──refund failed──> held
//	return:  pending ──accepted by the bank──> returned
//
// A payment is what somebody is to pay once. A receipt is money that arrived for
// it, from a bank or on the chain; what does not fit (too little, too much, too
// late, twice) is noted on the payment as an exception and given back, or held
// until the business says what becomes of it. A return is naira on its way back
// to the account that it came from; package disburse sends it.
// Each payment that succeeds adds a line to package statement.
//
// This package knows neither sessions nor links: who collects money calls it.
package payments
