// Package links keeps payment links of both dialects on one record (docs/api.md,
// "Payment links").
//
//	policy A: active ──disabled───> disabled
//	                 ├─time is up─> expired
//	                 └─limit paid─> completed
//	policy B: pending ──activated──> active <──deactivated, activated──> inactive
//	          pending ──deactivated──> inactive
//	          pending, active, inactive ──expired, time is up──> expired
//
// A link remembers the policy under which it was made. How many payments it may
// still take stands in its tally, one row that is read by its key: a place is
// taken when a payer begins, freed when the session ends unpaid, and counted when
// it is paid.
package links
