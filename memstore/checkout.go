package memstore

import (
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
)

type checkoutTables struct {
	sessions     shelf[checkout.ID, checkout.Session]
	instructions shelf[wallets.AddressID, checkout.Instruction]
	windows      shelf[string, checkout.Window]
}

type checkoutStore struct {
	kindTable[checkout.ID, checkout.Session]
}

// Checkout returns the port of checkout sessions.
func (u *unit) Checkout() checkout.Store {
	return checkoutStore{tableOf(u, checkout.SessionKind, &u.tables.checkout.sessions)}
}

func (s checkoutStore) Instructions() records.Table[wallets.AddressID, checkout.Instruction] {
	return tableOf(s.unit, checkout.InstructionKind, &s.tables.checkout.instructions)
}

func (s checkoutStore) Windows() records.Table[string, checkout.Window] {
	return tableOf(s.unit, checkout.WindowKind, &s.tables.checkout.windows)
}
