package storetest

import (
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/biller"
)

// goods are electricity, with no field empty.
func goods() bills.Goods {
	return bills.Goods{
		Target:      biller.Target{Service: biller.Utility, Provider: "ikeja-electric", Product: "ikeja-electric-prepaid", Number: "45012345670"},
		ProductName: "Ikeja Electric prepaid", VendType: biller.Prepaid, Customer: "Ada Obi", Phone: "08031234567",
		Amount: money.NGN(5_000_00), Fees: fees.Fees{Platform: money.NGN(2), Processing: money.NGN(3)},
	}
}

var _ = caseOf(kindCase[bills.ID, bills.Bill]{
	kind: bills.Kind,
	row: func(scope ferry.Scope, n int) bills.Bill {
		return bills.Bill{
			ID: bills.ID(idOf(bills.Prefix, n)), Scope: scope, Reference: fmt.Sprintf("power-%d", n), Status: bills.Processing, Stage: outflow.PendingApproval,
			Goods: goods(), PaidBy: "ofr_1",
			BillerRef: "SB1", Receipt: biller.Receipt{Token: "12345678901234567890", Units: "25.0 kWh"}, Failure: "why",
			Progress:    disburse.Progress{Answer: disburse.InProgress, Attempts: 2, UpdatedAt: after(n + 4), Submissions: 1},
			DeliveredAt: after(n + 1), CreatedAt: after(n),
		}
	},
	change: func(b *bills.Bill) {
		b.Stage, b.Status, b.BillerRef, b.Receipt = outflow.Free, bills.Failed, "SB2", biller.Receipt{}
		b.Failure, b.Progress = "", disburse.Progress{Answer: disburse.Declined}
	},
	vary: func(b *bills.Bill, n int) {
		if n%2 == 0 {
			b.Status, b.Service = bills.Pending, biller.Airtime
		}
	},
})
