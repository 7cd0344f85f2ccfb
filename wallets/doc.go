// Package wallets keeps the USDC of businesses: wallets, their deposit addresses with the
// sealed keys, and the statement of what went in and out. Package outgoing sends what
// wallets hold, package deposits credits what arrives, and package custody compares both
// with the chain.
//
// What a business owns stands in the ledger. Custody is pooled: on the chain an
// address may hold more or less than its owner has, and the sum over all
// managed addresses is what the ledger says the chain holds for us. Package custody
// proves it.
//
//	wallet:   active <──suspend, activate──> suspended
//	          active, suspended ──close──> closed
//	address:  active <──deactivate, activate──> inactive
//
// An embedder needs [Service.Create] and [Service.CreateAddress], [Service.Get] and
// [Service.List], [Service.SetStatus], [Service.Transactions] and [Service.Transaction].
// [Service.ArriveIn], [Service.AlarmIn], [Service.EndAlarmIn], [ChargeIn], [CheckPlace],
// [OwnAddress], and what reads and changes a [Custody], are there for sibling packages.
package wallets
