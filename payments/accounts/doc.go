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
package accounts
