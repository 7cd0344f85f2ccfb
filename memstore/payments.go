package memstore

import (
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/records"
)

type paymentTables struct {
	payments shelf[payments.ID, payments.Payment]
	receipts shelf[payments.ReceiptID, payments.Receipt]
	returns  shelf[payments.ReturnID, payments.Return]
}

type paymentStore struct {
	kindTable[payments.ID, payments.Payment]
}

// Payments returns the port of payments, their receipts and returns.
func (u *unit) Payments() payments.Store {
	return paymentStore{tableOf(u, payments.PaymentKind, &u.tables.payments.payments)}
}

func (s paymentStore) Receipts() records.Table[payments.ReceiptID, payments.Receipt] {
	return tableOf(s.unit, payments.ReceiptKind, &s.tables.payments.receipts)
}

func (s paymentStore) Returns() records.Table[payments.ReturnID, payments.Return] {
	return tableOf(s.unit, payments.ReturnKind, &s.tables.payments.returns)
}
