package sqlstore

import (
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/records"
)

var (
	paymentRows = defineKind(payments.PaymentKind)
	receiptRows = defineKind(payments.ReceiptKind)
	returnRows  = defineKind(payments.ReturnKind)
)

type paymentStore struct {
	kindTable[payments.ID, payments.Payment]
}

// Payments returns the port of payments, their receipts and returns.
func (u *unit) Payments() payments.Store { return paymentStore{paymentRows.in(u)} }

func (s paymentStore) Receipts() records.Table[payments.ReceiptID, payments.Receipt] {
	return receiptRows.in(s.unit)
}

func (s paymentStore) Returns() records.Table[payments.ReturnID, payments.Return] {
	return returnRows.in(s.unit)
}
