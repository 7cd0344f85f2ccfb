// Package accounts issues bank accounts that collect naira for a business
// (docs/api.md, "Collection accounts").
//
//	virtual:  active ──paid─────> completed
//	                 ├─time is up> expired
//	                 └─closed───> closed
//	reserved: active ──closed───> closed
//
// A virtual account lives for a while and may ask for an amount; a reserved one
// belongs to a person whose identity was verified, and stays. A credit to an account that
// has ended is recorded and returned.
//
// What a program needs, on the service Engine.Accounts:
//
//   - [Service.CreateVirtual], with [VirtualParams]: an [Account] for one payment
//   - [Service.CreateReserved], with [ReservedParams]: one that a verified person keeps
//   - [Service.Get] and [Service.Find], by a [Ref]: one account, and what it received
//   - [Service.List] and [Service.All], with a [Filter]: many
//   - [Service.Close]: it takes no more money
//   - [EventReceived]: the type of the event; [ReceivedData] is its object
//
// Methods whose names end in Op return the same as an operation for engine.Do; those that end
// in In join the caller's unit of work. [CreditIn], [RecalledIn], [Config] and [Tx] are for
// the engine and the stores.
package accounts
