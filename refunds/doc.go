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
// Creating a refund sets its amount aside in the balance of the business, and processing it
// its fee as well. A manual refund of USDC takes no money of the books: whoever pays it sends the
// USDC himself. A manual refund is paid by people: they say how it ended. An automatic one
// goes to the bank account that the money came from, at its time, and only the bank's word
// ends it once it is processing: package disburse says how. No such refund fails by time.
//
// What a program needs, on the service Engine.Refunds:
//
//   - [Service.Create], with [Params]
//   - [Service.Get] and [Service.List]: refunds
//   - [Service.Process] and [Service.Finalize]: what people do about manual refunds
//   - [ErrNotFound], [ErrNotRefundable], [ErrExceedsRemaining], [ErrNoSender]
package refunds
