package sqlstore

import (
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
)

var (
	sessionRows     = defineKind(checkout.SessionKind)
	instructionRows = defineKind(checkout.InstructionKind)
	windowRows      = defineKind(checkout.WindowKind)
)

type checkoutStore struct {
	kindTable[checkout.ID, checkout.Session]
}

// Checkout returns the port of checkout sessions.
func (u *unit) Checkout() checkout.Store { return checkoutStore{sessionRows.in(u)} }

func (s checkoutStore) Instructions() records.Table[wallets.AddressID, checkout.Instruction] {
	return instructionRows.in(s.unit)
}

func (s checkoutStore) Windows() records.Table[string, checkout.Window] { return windowRows.in(s.unit) }
