// Package custody proves that the managed addresses hold what the books say, and stops
// money from leaving while the store is older than the chain.
//
// A hold keeps an environment from signing and sending. It ends when everything that was
// sent is known to the store, or was adopted. Reconcile compares every address with the
// chain, and an address that drifts twice has its wallet suspended.
//
// An operator needs [Service.HoldOutflows], [Service.OutflowHold] and [Service.ReleaseOutflows], [Service.Outflows]
// and [Service.Adopt], [Service.Reconcile] and [Audit]. [Service.MayLeaveIn],
// [Service.Verify] and [Service.UnexplainedIn] are there for sibling packages.
package custody
