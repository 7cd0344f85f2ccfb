// Package transfers sends naira to one bank account at once (docs/api.md, "Fiat transfers").
//
//	pending ──> processing ──> success ──> reversed
//	                   └─────> failed
//
// Making a transfer sets its amount and fees aside in one reservation. The bank has paid, and
// the reservation is settled; or the bank has refused, and it is released. Only the word of the
// bank moves a transfer that was submitted: package disburse says how. Money that comes back
// after success reverses the transfer: the amount is there again, without the fees.
//
// What a program needs, on the service Engine.Transfers:
//
//   - [Service.Create], with [Params]
//   - [Service.Get] and [Service.List]: transfers
//   - [ErrNotFound], [ErrDuplicateReference] and [ErrInvalidCurrency]
package transfers
