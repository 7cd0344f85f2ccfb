package wallets

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/records"
)

// isDeposit is a transaction that no transfer made.
var isDeposit = records.None("transfer")

// bySignature finds a deposit by Address and Signature, which it keeps.
var bySignature = &records.Unique{
	Columns: []string{"address", "signature"}, When: isDeposit, Kept: true, Taken: ErrDeposited,
}

// TransactionKind is what a transaction is as a row. One without a transfer is a deposit.
var TransactionKind = records.Define(records.Kind[TransactionID, Transaction]{
	Name: "wallet_transactions",
	Columns: func(t *Transaction) []records.Column {
		return []records.Column{
			records.ID(&t.ID), records.Owner(&t.Scope), records.Version(&t.Version),
			records.Text("reference", &t.Reference),
			records.Word("direction", &t.Direction, In, Out),
			records.Text("wallet", &t.Wallet),
			records.Text("wallet_reference", &t.WalletReference),
			records.Text("address", &t.Address),
			records.Optional("transfer", &t.Transfer),
			records.Text("from_address", &t.From),
			records.Text("to_address", &t.To),
			records.Amount("amount", &t.Amount, Asset),
			records.Amount("fee", &t.Fee, Asset),
			records.Word("status", &t.Status, Pending, Success, Failed),
			records.Text("signature", &t.Signature),
			records.Word("waiting", &t.Waiting, Waitings()...),
			records.Optional("posting", &t.Entry.Posting),
			records.Int("leg", &t.Entry.Leg),
			records.CreatedAt(&t.CreatedAt), records.Time("confirmed_at", &t.ConfirmedAt),
		}
	},
	Scope:   func(t *Transaction) ferry.Scope { return t.Scope },
	Unique:  []*records.Unique{bySignature},
	Fixed:   []string{"wallet", "address", "transfer"},
	Lists:   [][]string{{}, {"wallet"}, {"status"}, {"wallet", "status"}},
	Groups:  []records.Group{{By: []string{"signature"}, When: isDeposit}},
	Missing: ErrTransactionNotFound,
})

// Deposit returns the deposit of a signature on an address, or ErrTransactionNotFound.
func Deposit(ctx context.Context, tx records.Tx, id AddressID, signature chain.Signature) (Transaction, error) {
	return TransactionKind.Find(ctx, tx, bySignature, Transaction{Address: id, Signature: signature})
}

// DepositsOf selects the deposits of a signature, on whatever addresses. They are few.
func DepositsOf(signature chain.Signature) records.Query {
	return records.Where(isDeposit, records.Is("signature", signature))
}

// Query selects the transactions that the filter keeps.
func (f TransactionFilter) Query() records.Query {
	return records.Where(records.Is("wallet", f.Wallet), records.Is("status", f.Status), records.Is("direction", f.Direction)).
		During(f.Range)
}
