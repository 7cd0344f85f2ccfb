// Package wallets keeps the USDC of businesses: wallets and their deposit
// addresses, what arrives on them, and what is sent from them, inside the
// engine or to any address on the chain.
//
// What a business owns stands in the ledger. Custody is pooled: on the chain an
// address may hold more or less than its owner has, and the sum over all
// managed addresses is what the ledger says the chain holds for us. Audit
// proves it.
//
//	wallet:   active <──suspend, activate──> suspended
//	          active, suspended ──close──> closed
//	address:  active <──deactivate, activate──> inactive
//	transfer: (internal) ────────────────────────────> success
//	          (external) pending ──landed, finalized──> success
//	                             └─failed, finalized──> failed
//	attempt:  live ──landed──> landed
//	               ├─failed──> failed
//	               └─expired─> expired, and the next attempt is signed
//
// An external transfer reserves amount and fee, is signed, committed with its
// bytes, and only then sent. Only a finalized sighting on the chain ends it. An
// attempt is given up only when it can no longer land. At most one attempt of a
// transfer is live.
package wallets
