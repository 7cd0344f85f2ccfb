package wallets

import (
	"context"
	"iter"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/records"
)

// TransactionQuery asks for transactions. The zero value asks for all.
type TransactionQuery struct {
	// Wallet keeps the transactions of one wallet.
	Wallet    WalletRef
	Status    TransferStatus
	Direction Direction
	Range     ferry.Range
}

// Transactions lists what went in and out, newest first. A Wallet that is not
// there is ErrWalletNotFound.
func (s *Service) Transactions(ctx context.Context, scope ferry.Scope, q TransactionQuery, page ferry.Page) (ferry.List[StatementLine], error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (ferry.List[StatementLine], error) {
		filter := TransactionFilter{Status: q.Status, Direction: q.Direction, Range: q.Range}
		if q.Wallet != (WalletRef{}) {
			w, err := findWallet(ctx, tx, scope, q.Wallet)
			if err != nil {
				return ferry.List[StatementLine]{}, err
			}
			filter.Wallet = w.ID
			listed := TransactionKind.RowsOn(scope, filter.Query(), page)
			tx.Ledger().PrefetchLegsOf(listed.Values("posting")) // with the page: the wallet took a round trip already
		}
		list, err := TransactionKind.Page(ctx, tx, scope, filter.Query(), page)
		if err != nil {
			return ferry.List[StatementLine]{}, err
		}
		for _, t := range list.Data {
			if t.Entry != (ledger.EntryID{}) {
				tx.Ledger().PrefetchLegs(t.Entry.Posting)
			}
		}
		return ferry.MapList(list, func(t Transaction) (StatementLine, error) { return line(ctx, tx, t) })
	})
}

// AllTransactions iterates over the transactions that Transactions lists.
func (s *Service) AllTransactions(ctx context.Context, scope ferry.Scope, q TransactionQuery) iter.Seq2[StatementLine, error] {
	return ferry.WalkList(ctx, s.Transactions, scope, q, func(l StatementLine) string { return string(l.ID) })
}

// Transaction returns one line by its id in either form, or ErrTransactionNotFound.
func (s *Service) Transaction(ctx context.Context, scope ferry.Scope, name string) (StatementLine, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (StatementLine, error) {
		id, ok := ferry.CanonicalID("trx_", name)
		if !ok {
			return StatementLine{}, ErrTransactionNotFound
		}
		tx.Ledger().PrefetchLegsOf(TransactionKind.Rows(scope, records.Is("id", id)).Values("posting"))
		return TransactionIn(ctx, tx, scope, TransactionID(id))
	})
}

// TransactionIn is Transaction within a unit.
func TransactionIn(ctx context.Context, tx Tx, scope ferry.Scope, id TransactionID) (StatementLine, error) {
	t, err := TransactionKind.Get(ctx, tx, scope, id)
	if err != nil {
		return StatementLine{}, err
	}
	return line(ctx, tx, t)
}

// PrefetchTransactionsOf says that the unit will read, by TransactionIn, the transactions that
// have these ids.
func PrefetchTransactionsOf(tx Tx, ids records.Values) {
	TransactionKind.PrefetchOf(tx, ids)
	tx.Ledger().PrefetchLegsOf(TransactionKind.RowsOf("id", ids).Values("posting"))
}

// line adds the wallet's posted balance before and after a transaction. The event of the
// transaction has the same figures.
func line(ctx context.Context, tx Tx, t Transaction) (StatementLine, error) {
	if t.Entry == (ledger.EntryID{}) {
		return StatementLine{Transaction: t}, nil
	}
	before, after, err := ledger.BalancesAround(ctx, tx.Ledger(), t.Entry)
	if err != nil {
		return StatementLine{}, err
	}
	return StatementLine{t, &Balances{Before: before, After: after}}, nil
}
