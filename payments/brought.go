package payments

import (
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/statement"
)

// Brought is what a success brought to the books: money in the asset in which it moved,
// which may be another one than that of the order.
type Brought struct {
	// Amount is all of it, and Fees what was taken of it. The business got the rest.
	Amount money.Amount
	Fees   fees.Fees
	// Order is what the order cost, in its own asset.
	Order money.Amount
}

// lineOf is the line of a payment that was paid: of the money that moved.
func lineOf(tx Tx, p Payment, b Brought) (statement.Transaction, error) {
	fee, err := b.Fees.Total()
	return statement.Transaction{
		ID: statement.ID(tx.NewID(statement.Prefix)), Scope: p.Scope,
		TrxID: p.Reference, Public: p.Public, Reference: string(p.ID), Direction: statement.In, Channel: string(p.Channel),
		Status: statement.Success, Amount: b.Amount, Fee: fee, Order: b.Order, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}, err
}
