package onramp

import (
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/records"
)

var (
	// ByReference finds an order by Scope and Reference.
	ByReference = &records.Unique{Columns: []string{"env", "business", "reference"}, Taken: ramp.ErrDuplicateReference}
	// byNumber finds an order by the environment and the number of its account.
	byNumber = &records.Unique{Columns: []string{"env", "number"}, Taken: errTwice}

	errTwice = errors.New("onramp: the account is another order's")
)

// Kind is what an order is as a row.
var Kind = records.Define(records.Kind[ID, Order]{
	Name: "onramps",
	Columns: func(o *Order) []records.Column {
		return []records.Column{
			records.ID(&o.ID), records.Owner(&o.Scope), records.Version(&o.Version),
			records.Text("reference", &o.Reference),
			records.Word("status", &o.Status, ramp.Pending, ramp.Processing, ramp.Successful, ramp.Failed),
			records.Word("stage", &o.Stage, Lifecycle.States()...),
			records.Amount("amount", &o.Amount, money.AssetNGN),
			records.Amount("crypto", &o.Crypto, money.AssetUSDC),
			records.Text("quote", &o.Quote),
			records.Text("rate", &o.Rate),
			records.Text("address", &o.Address),
			records.Text("bank_code", &o.Bank.BankCode),
			records.Text("bank_name", &o.Bank.BankName),
			records.Text("number", &o.Bank.AccountNumber),
			records.Text("name", &o.Bank.AccountName),
			records.Amount("received", &o.Received, money.AssetNGN),
			records.Document("credits", &o.Credits),
			records.Text("transfer", &o.Transfer),
			records.Text("signature", &o.Signature),
			records.Text("failure", &o.Failure),
			records.Time("expires_at", &o.ExpiresAt),
			records.Time("funded_at", &o.FundedAt),
			records.Time("ended_at", &o.EndedAt),
			records.CreatedAt(&o.CreatedAt), records.Time("updated_at", &o.UpdatedAt),
		}
	},
	Scope:   func(o *Order) ferry.Scope { return o.Scope },
	Unique:  []*records.Unique{ByReference, byNumber},
	Fixed:   []string{"reference", "amount", "crypto", "quote", "rate", "address", "bank_code", "bank_name", "number", "name", "expires_at"},
	Lists:   [][]string{{}, {"status"}},
	Search:  []string{"reference"},
	Missing: ramp.ErrNotFound,
})
