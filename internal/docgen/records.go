package main

import (
	"fmt"
	"io"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/payments/links"
)

const recordsHead = `# Records

Written from the code by ` + "`make generate`" + `; do not edit. Each kind of row that its domain declares with package
` + "`records`" + `: its columns, and what no update changes. Every store keeps them so, and ` + "`store/storetest`" + ` derives its tests from
the same declarations.
`

// writeRecords prints every kind of record that is declared.
func writeRecords(w io.Writer) {
	fmt.Fprint(w, recordsHead)
	for _, kind := range []interface{ Describe(io.Writer) }{
		business.Kind, business.KeyKind,
		customers.CustomerKind, customers.IdentityKind, customers.TrailKind,
		payments.PaymentKind, payments.ReceiptKind, payments.TransactionKind, payments.ReturnKind,
		links.LinkKind, links.TallyKind, accounts.AccountKind,
		checkout.SessionKind, checkout.InstructionKind, checkout.WindowKind,
	} {
		kind.Describe(w)
	}
}
