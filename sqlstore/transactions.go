package sqlstore

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

const transactionRows = "wallet_transactions"

// depositBySignature is the unique index of deposits by address and signature.
const depositBySignature = 0

var transactionTable = define(table[wallets.Transaction]{
	name: transactionRows,
	key:  []string{"id"},
	fields: func(t *wallets.Transaction) []field {
		return []field{
			col("id", &t.ID),
			col("env", &t.Scope.Env),
			col("business", &t.Scope.Business),
			col("reference", &t.Reference),
			col("direction", &t.Direction),
			col("wallet", &t.Wallet),
			col("wallet_reference", &t.WalletReference),
			col("address", &t.Address),
			col("transfer", optional(&t.Transfer)),
			col("from_address", &t.From),
			col("to_address", &t.To),
			col("amount", usdc(&t.Amount)),
			col("fee", usdc(&t.Fee)),
			col("status", &t.Status),
			col("signature", &t.Signature),
			col("posting", optional(&t.Entry.Posting)),
			col("leg", &t.Entry.Leg),
			col("created_at", instant(&t.CreatedAt)),
			col("confirmed_at", instant(&t.ConfirmedAt)),
		}
	},
	version: func(t *wallets.Transaction) *int64 { return &t.Version },
	scope:   func(t wallets.Transaction) ferry.Scope { return t.Scope },
	unique: []unique[wallets.Transaction]{depositBySignature: {
		columns: []string{"address", "signature"},
		when:    "transfer IS NULL",
		holds:   func(t wallets.Transaction) bool { return t.Transfer == "" },
		taken:   wallets.ErrDeposited,
	}},
	lists: func(t wallets.Transaction) []string {
		return walletLists(transactionRows, t.Scope, t.Wallet, string(t.Status))
	},
	missing: wallets.ErrTransactionNotFound,
	keep: func(stored wallets.Transaction, t *wallets.Transaction) {
		t.Wallet, t.Address, t.Transfer, t.CreatedAt = stored.Wallet, stored.Address, stored.Transfer, stored.CreatedAt
		if t.Transfer == "" {
			t.Signature = stored.Signature // by which a deposit is known
		}
	},
})

func (s walletStore) InsertTransaction(_ context.Context, t wallets.Transaction) error {
	return transactionTable.insert(s.unit, t)
}

func (s walletStore) Transaction(ctx context.Context, scope ferry.Scope, id wallets.TransactionID) (wallets.Transaction, error) {
	return transactionTable.owned(ctx, s.unit, scope, id)
}

func (s walletStore) Deposit(ctx context.Context, id wallets.AddressID, signature chain.Signature) (wallets.Transaction, error) {
	return transactionTable.find(ctx, s.unit, depositBySignature, id, signature)
}

func (s walletStore) UpdateTransaction(ctx context.Context, t wallets.Transaction) error {
	return transactionTable.update(ctx, s.unit, t)
}

func (s walletStore) Transactions(ctx context.Context, scope ferry.Scope, f wallets.TransactionFilter, page ferry.Page) (ferry.List[wallets.Transaction], error) {
	return transactionTable.page(ctx, s.unit, transactionsOf(scope, f), page)
}

// transactionsOf returns the filter of a list of transactions.
func transactionsOf(scope ferry.Scope, f wallets.TransactionFilter) *filter {
	rows := inScope(scope)
	if f.Wallet != "" {
		rows.and("wallet = ?", f.Wallet)
	}
	if f.Status != "" {
		rows.and("status = ?", f.Status)
	}
	if f.Direction == "" && f.Range == (ferry.Range{}) {
		return rows.counted(walletList(transactionRows, scope, f.Wallet, string(f.Status)))
	}
	if f.Direction != "" {
		rows.and("direction = ?", f.Direction)
	}
	return rows.within(f.Range)
}

// anomalyRow is an anomaly with a version, which never changes.
type anomalyRow struct {
	wallets.Anomaly
	version int64
}

var anomalyTable = define(table[anomalyRow]{
	name: "wallet_anomalies",
	key:  []string{"address", "signature", "mint"},
	fields: func(a *anomalyRow) []field {
		return []field{
			col("env", &a.Scope.Env),
			col("business", &a.Scope.Business),
			col("wallet", &a.Wallet),
			col("address", &a.Address),
			col("signature", &a.Signature),
			col("mint", &a.Mint),
			col("kind", &a.Kind),
			col("delta", usdc(&a.Delta)),
			col("created_at", instant(&a.CreatedAt)),
		}
	},
	version: func(a *anomalyRow) *int64 { return &a.version },
	missing: wallets.ErrTransactionNotFound,
	exists:  wallets.ErrDeposited,
})

func (s walletStore) InsertAnomaly(_ context.Context, a wallets.Anomaly) error {
	return anomalyTable.insert(s.unit, anomalyRow{Anomaly: a})
}

func (s walletStore) Anomaly(ctx context.Context, id wallets.AddressID, signature chain.Signature, mint string) (wallets.Anomaly, error) {
	a, err := anomalyTable.get(ctx, s.unit, id, signature, mint)
	return a.Anomaly, err
}

func (s walletStore) Anomalies(ctx context.Context, id wallets.AddressID) ([]wallets.Anomaly, error) {
	rows, err := anomalyTable.read(ctx, s.unit, "address = ? ORDER BY created_at, signature, mint", []any{id})
	anomalies := make([]wallets.Anomaly, len(rows))
	for i, a := range rows {
		anomalies[i] = a.Anomaly
	}
	return anomalies, err
}
