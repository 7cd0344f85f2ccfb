// Package payouts sends naira to bank accounts, one or up to a thousand at a time (docs/api.md,
// "Payouts").
//
//	item:    pending ──> processing ──> successful
//	            │             └───────> failed
//	            └──────> cancelled
//	payout:  its status follows from those of its items
//
// Creating a payout sets its whole cost aside in one reservation: the amounts and fees of all
// items. Each item takes its slice out of it when it ends: the bank has paid, and the slice
// leaves the books with the item's posting; or the bank has refused, or the item was
// cancelled, and the slice is available again. So the reservation equals the open items at
// every moment.
//
// The bank is asked for each item under a key that never changes, and only its word moves an
// item that was submitted: package disburse says how. No item fails by time.
//
// What a program needs, on the service Engine.Payouts:
//
//   - [Service.Create], with [Params] and a [Destination] for each item
//   - [Service.Get]: one payout with its items, by a [Ref]; [Service.List]: payouts, by a [Filter]
//   - [Service.Enquire]: who an account belongs to
//   - [ErrNotFound], [ErrDuplicateReference] and [ErrUnknownAccount]
package payouts
