// Package disburse sends naira out through a bank: each payment once, whatever the bank,
// the network or this process do meanwhile.
//
//	intent ──> bank, by key ──> paid
//	  ^              ├────────> failed      (a refusal, where it is final)
//	  └── pause ─────┴────────  refused or unknown: asked again under the same key
//
// A domain keeps a row of its own for each payment: it implements no part of the sending,
// but describes its rows by a Kind. In the unit that sets the money aside it inserts the
// row and calls ScheduleIn. Service.RunDue then asks the bank, outside any unit, under a
// key that never changes, so that a repeated call is the same payment. What the bank
// answers is recorded on the row in one unit with what the domain does about it: Kind.Paid
// or Kind.Failed.
//
// No payment fails by time. An answer that does not come leaves the outcome unknown: the
// money stays set aside, and the bank is asked again.
package disburse
