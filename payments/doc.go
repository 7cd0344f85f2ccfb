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
//
// What a program needs, on the service Engine.Payments:
//
//   - [Service.Get], with a [Ref]: the [Payment] of an order
//   - [Payment]: its Status, what was received, and its Exceptions
//   - [Success], [Pending] and [Failed]: whether an order is paid
//   - [Underpaid]: an [Exception] to look for before goods leave
//   - [Service.List] and [Service.All], with a [Filter]: many
//   - [Service.Receipts]: the money that came for a payment
//   - [EventSuccess]: the type of the event to wait for; [EventData] is its object
//
// Payments are made by packages checkout and links. All functions whose names end in In, [New],
// [Tx] and [Audit] are for domains that collect money, and for the engine.
package payments
