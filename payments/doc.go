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
// A payment is one amount to be paid once. A receipt is money that arrived for it, from a
// bank or on the chain. Money that does not fit (too little, too much, too late, twice) is
// an exception of the payment: it is returned, or held until the business decides. A
// return is naira on its way back to the sender's account; package disburse sends it.
// Each payment that succeeds adds a line to package statement.
//
// This package knows neither sessions nor links: the packages that collect money call it.
package payments
