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
//
// What a program needs, on the service Engine.Links:
//
//   - [Service.Create], with [CreateParams]: a [Link], [Fixed] or [Open]
//   - [Service.SetStatus]: open or close it; [Active] links take payments
//   - [Service.Get], [Service.List] and [Service.All]: [Details], with how often it was paid
//   - [Service.BySlug]: the link of an address
//   - [ErrSlugTaken]: another link has the slug
//
// Checkout.PayLink makes the order of a payer. [Service.CreateIn] and [Service.SetStatusIn]
// join the caller's unit of work. The functions whose names end in In, [Tally] and [Tx] are
// for package checkout, the engine and the stores.
package links
