// Package refunds gives money that came in back to who sent it, in whole or in parts
// (docs/api.md, "Refunds").
//
//	pending ──> processing ──> successful
//	   │            └────────> failed
//	   └─────────────────────> failed      (it was cancelled)
//
// A refund is of one line of the statement. The line keeps the sums of its refunds: what is on
// its way back, and what went back. Whoever makes a refund reads the line and saves it in the
// same unit. So all refunds of a line together are never more than the line, however many are
// asked for at once.
//
// Creating a refund of naira sets its amount aside in the balance of the business, and processing
// it its fee as well. A manual refund is paid by people: they say how it ended. One of USDC takes
// no money of the books: whoever pays it sends the USDC himself.
//
// An automatic refund goes to where the money came from, at its time. That of naira goes to the
// bank account, and only the bank's word ends it once it is processing: package disburse says
// how. That of USDC goes to the address. It sets amount and network fee aside on the address that
// pays; a transfer of package outgoing takes both over, and its end is that of the refund. Nothing
// that may have been sent fails by time.
//
// What a program needs, on the service Engine.Refunds:
//
//   - [Service.Create], with [Params]
//   - [Service.Get] and [Service.List]: refunds
//   - [Service.Process] and [Service.Finalize]: what people do about manual refunds
//   - [ErrNotFound], [ErrNotRefundable], [ErrExceedsRemaining], [ErrNoSender]
package refunds
