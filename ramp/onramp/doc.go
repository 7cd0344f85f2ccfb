// Package onramp takes naira in at a bank and sends USDC to an address (docs/api.md, "Onramp").
//
//	awaiting_funds ──all of it came──> funds_received ──transfer made──> payment_submitted ──landed──> done
//	               └─time is over────> expired        └─cannot be sent─> refunded <──────────failed──┘
//
// An order has a quote and an account at the bank. What comes to the account in time counts, in
// one credit or in several. The platform then sends the USDC of the quote out of its own wallet.
// Naira that do not become USDC go back to their senders.
//
// What a program needs, on the service Engine.Onramps:
//
//   - [Service.Create], with [Params]: an [Order], and the account that is to be paid
//   - [Service.Get], by a [Ref], and [Service.Refresh], which asks the bank first
//   - [Service.List] and [Service.All], with a [Filter]
//   - [Service.Inventory]: the address that pays, which the operator keeps funded
//   - [Events]: the types of the events; [EventData] is their object
//
// [Service.CreateOp] is for engine.Do. [CreditIn], [RecalledIn], [SentIn], [NotSentIn], [Audit],
// [Config] and [Tx] are for the engine and the stores.
package onramp
