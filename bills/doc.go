// Package bills buys airtime, data, television and electricity for a number, from the naira of a
// business (docs/api.md, "Bills").
//
//	pending ──> processing ──> successful
//	                   └─────> failed
//
// Making a bill sets its amount and fees aside in one reservation. The biller has delivered, and
// the reservation is settled; or it says that it has not and never will, and it is released. Only
// that word moves a bill that the biller was asked for: package disburse says how. No time does.
//
// What a program needs, on the service Engine.Bills:
//
//   - [Service.Providers], [Service.Products] and [Service.Verify]: what is sold, and to whom
//   - [Service.Create], with [Params]
//   - [Service.Get] and [Service.List]: bills
//   - [ErrNotFound], [ErrDuplicateReference] and [ErrUnavailable]
package bills
