// Package deposits credits what arrives on managed addresses. It asks the chain which
// addresses have changed, reads their histories up to the newest final block, and gives
// every movement its effect once: a credit, a note of another token, or an alarm.
//
// An embedder whose engine runs its workers calls nothing. [Service.ScanAddress] reads one
// address at once, [Service.ArrivalOf] says what became of a payment, and [Service.PendingDeposits]
// what is on its way.
package deposits
