package offramp

import (
	"errors"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
)

// ErrDepositNotFound says that there is no such deposit.
var ErrDepositNotFound = ramp.ErrNotFound.Saying("Deposit not found")

var (
	// ByReference finds an order by Scope and Reference.
	ByReference = &records.Unique{Columns: []string{"env", "business", "reference"}, Taken: ramp.ErrDuplicateReference}
	// byAddress finds an order by the environment and its Address.
	byAddress = &records.Unique{Columns: []string{"env", "address"}, Taken: errTwice}

	errTwice = errors.New("offramp: the address is another order's")
)

// Kind is what an order is as a row.
var Kind = records.Define(records.Kind[ID, Order]{
	Name: "offramps",
	Columns: func(o *Order) []records.Column {
		return slices.Concat([]records.Column{
			records.ID(&o.ID), records.Owner(&o.Scope), records.Version(&o.Version),
			records.Text("reference", &o.Reference),
			records.Word("status", &o.Status, ramp.Pending, ramp.Processing, ramp.Successful, ramp.Failed),
			records.Word("stage", &o.Stage, append(Lifecycle.States(), ramp.PurchaseRefused)...),
			records.Word("pays", &o.Pays, ToAccount, ToBill),
			records.Amount("amount", &o.Amount, money.AssetNGN),
			records.Text("quote", &o.Quote),
			records.Amount("crypto", &o.Crypto, money.AssetUSDC),
			records.Text("rate", &o.Rate),
			records.Time("rate_until", &o.RateUntil),
			records.Text("address", &o.Address),
			records.Text("deposit", &o.Deposit),
			records.Amount("received", &o.Received, money.AssetUSDC),
			records.Amount("asked", &o.Asked, money.AssetUSDC),
			records.Amount("credited", &o.Credited, money.AssetNGN),
			records.Text("bank_code", &o.To.BankCode),
			records.Text("account_number", &o.To.AccountNumber),
			records.Text("account_name", &o.To.AccountName),
			records.Text("source_number", &o.Source),
			records.Text("bank_session", &o.SessionID),
			records.Text("failure", &o.Failure),
			records.Time("expires_at", &o.ExpiresAt),
			records.Time("funded_at", &o.FundedAt),
			records.Time("paid_at", &o.PaidAt),
			records.Time("returned_at", &o.ReturnedAt),
			records.CreatedAt(&o.CreatedAt),
		}, o.Purchase.columns(), disburse.PayingColumns(&o.Progress))
	},
	Scope:  func(o *Order) ferry.Scope { return o.Scope },
	Unique: []*records.Unique{ByReference, byAddress},
	Fixed: append(bills.GoodsFixed("bill_amount"),
		"reference", "pays", "made_by", "amount", "quote", "crypto", "rate", "rate_until", "address", "deposit", "bank_code", "account_number",
		"source_number", "expires_at",
	),
	Lists:   [][]string{{}, {"status"}, {"pays"}, {"status", "pays"}},
	Search:  []string{"reference", "account_number", "account_name", "number"},
	Missing: ramp.ErrNotFound,
})

// DepositKind is what a deposit is as a row.
var DepositKind = records.Define(records.Kind[DepositID, Deposit]{
	Name: "offramp_deposits",
	Columns: func(d *Deposit) []records.Column {
		return []records.Column{
			records.ID(&d.ID), records.Owner(&d.Scope), records.Version(&d.Version),
			records.Text("offramp", &d.Order),
			records.Text("address", &d.Address),
			records.Amount("amount", &d.Amount, wallets.Asset),
			records.Text("rate", &d.Rate),
			records.Text("source", &d.Source),
			records.Text("sender", &d.Sender),
			records.Word("state", &d.State, DepositLifecycle.States()...),
			records.Word("reason", &d.Reason, NoReason, Excess, Late, Short, Undeliverable, Unsold),
			records.Text("transfer", &d.Transfer),
			records.Amount("sent_back", &d.Returned, wallets.Asset),
			records.Text("return_to", &d.To),
			records.Text("return_by", &d.By),
			records.Text("return_why", &d.Why),
			records.Text("signature", &d.Signature),
			records.Int("attempts", &d.Attempts),
			records.CreatedAt(&d.CreatedAt), records.Time("updated_at", &d.UpdatedAt),
		}
	},
	Scope:   func(d *Deposit) ferry.Scope { return d.Scope },
	Fixed:   []string{"offramp", "address", "amount", "rate", "source", "sender"},
	Groups:  []records.Group{{By: []string{"offramp"}}},
	Missing: ErrDepositNotFound,
})

// ofOrder selects the deposits of an order.
func ofOrder(id ID) records.Query { return records.Where(records.Is("offramp", id)) }
