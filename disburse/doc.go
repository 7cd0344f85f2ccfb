// Package disburse sends naira out through a bank: each payment once, whatever the bank,
// the network or this process do meanwhile.
//
//	intent ──> bank, by key ──> paid
//	  ^              ├────────> failed      (a refusal, where it is final)
//	  └── pause ─────┴────────  refused or unknown: asked again under the same key
//
// A domain keeps a row of its own for each payment: it implements no part of the sending,
// but describes its rows by a Kind. In the unit that sets the money aside it inserts the
// row and calls Order.ScheduleIn. Service.RunDue then asks the bank, outside any unit, under a
// key that never changes, so that a repeated call is the same payment. What the bank
// answers is recorded on the row in one unit with what the domain does about it: Kind.Paid
// or Kind.Failed.
//
// No payment fails by time. An answer that does not come leaves the outcome unknown: the
// money stays set aside, and the bank is asked again.
//
// What a bank reports with another amount or account waits for its correction, or for a person:
// Service.Resolve.
//
// A program that embeds the engine sees two names of it: [Reconciliation], of
// Engine.Payments.Reconcile, and [Resolution], of Engine.Resolve. A domain that sends naira needs:
//
//   - [Kind], with an [Order] for each row: what the bank is asked for
//   - [Progress] and [Columns]: the columns that it adds to the row
//   - [New], with a [Config]: a [Service] of the kind
//   - [Service.RunDue] and [Service.Reconcile]: passes of the engine
package disburse
