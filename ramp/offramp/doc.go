// Package offramp exchanges USDC that comes in on the chain for naira that go out to a bank
// account (docs/api.md, "Offramp").
//
//	awaiting_deposit ──> funds_received ──> payment_submitted ──> done
//	        │                                        └──────────> refunded
//	        └──> expired
//
// An order offers one address of the platform. Deposits on it add up until the order expires;
// each is set aside there until it is known whose it is. When all is there, the platform credits
// the business with the naira, which are set aside in the same unit, and package disburse has the
// bank pay them under a key that never changes. The platform takes the USDC when the bank has
// paid, and no earlier. When the bank refuses for good, when time is over, and when more comes
// than was needed or later than it was, the USDC goes back to its sender, less the fee of the
// network.
//
// The naira of an order may pay a bill instead (docs/api.md, "Crypto bills"): then each attempt to buy
// it is a bill of package bills, which sets the naira aside.
//
//	awaiting_deposit ──> funds_received ──> payment_submitted ──> done
//	        │             ^       └──> purchase_refused <─┘
//	        └──> expired  └─ retry ────┘       └──> refunded
//
// A bill that was refused may be tried again while its USDC is held.
//
// What a program needs, on the service Engine.Offramps:
//
//   - [Service.Create], with [Params]: an [Order] with the address to pay
//   - [Service.CreateBill], with [BillParams]: an Order that pays a bill; [Service.Retry]
//   - [Service.Get] and [Service.List]: orders; [Service.Refresh]: one, after a look at chain and bank
//   - [Deposit]: what came, and what became of it
//
// [Service.DepositIn], [Service.BillMovedIn], [Service.NeedsRateIn], [Service.RateNow],
// [SentBackIn], [NotSentBackIn], [Config], [Tx] and the kinds of records are for the engine and
// the stores.
package offramp
