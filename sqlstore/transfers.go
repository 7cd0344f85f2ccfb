package sqlstore

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/wallets"
)

// transferReference is the unique index of transfers by reference.
const transferReference = 0

var transferTable = define(table[wallets.Transfer]{
	name: "wallet_transfers",
	key:  []string{"id"},
	fields: func(t *wallets.Transfer) []field {
		return []field{
			col("id", &t.ID),
			col("env", &t.Scope.Env),
			col("business", &t.Scope.Business),
			col("reference", &t.Reference),
			col("kind", &t.Kind),
			col("wallet", &t.Wallet),
			col("wallet_reference", &t.WalletReference),
			col("from_id", &t.FromID),
			col("from_address", &t.From),
			col("to_address", &t.To),
			col("to_id", &t.ToID),
			col("amount", usdc(&t.Amount)),
			col("fee", usdc(&t.Fee)),
			col("memo", &t.Memo),
			col("metadata", document(&t.Metadata)),
			col("status", &t.Status),
			col("failure", &t.Failure),
			col("attempts", &t.Attempts),
			col("signature", &t.Signature),
			col("waits_for", &t.WaitsFor),
			col("created_at", instant(&t.CreatedAt)),
			col("updated_at", instant(&t.UpdatedAt)),
			col("confirmed_at", instant(&t.ConfirmedAt)),
		}
	},
	version: func(t *wallets.Transfer) *int64 { return &t.Version },
	scope:   func(t wallets.Transfer) ferry.Scope { return t.Scope },
	unique: []unique[wallets.Transfer]{
		transferReference: {columns: []string{"env", "business", "reference"}, taken: wallets.ErrDuplicateReference},
	},
	missing: wallets.ErrTransactionNotFound,
	keep: func(stored wallets.Transfer, t *wallets.Transfer) {
		t.Reference, t.CreatedAt = stored.Reference, stored.CreatedAt
	},
})

func (s walletStore) InsertTransfer(_ context.Context, t wallets.Transfer) error {
	return transferTable.insert(s.unit, t)
}

func (s walletStore) Transfer(ctx context.Context, scope ferry.Scope, id wallets.TransferID) (wallets.Transfer, error) {
	return transferTable.owned(ctx, s.unit, scope, id)
}

func (s walletStore) FindTransfer(ctx context.Context, env ferry.Env, id wallets.TransferID) (wallets.Transfer, error) {
	t, err := transferTable.get(ctx, s.unit, id)
	if err == nil && t.Scope.Env != env {
		return wallets.Transfer{}, wallets.ErrTransactionNotFound
	}
	return t, err
}

func (s walletStore) TransferByReference(ctx context.Context, scope ferry.Scope, reference string) (wallets.Transfer, error) {
	return transferTable.find(ctx, s.unit, transferReference, scope.Env, scope.Business, reference)
}

func (s walletStore) UpdateTransfer(ctx context.Context, t wallets.Transfer) error {
	return transferTable.update(ctx, s.unit, t)
}

func (s walletStore) PendingTransfers(ctx context.Context, env ferry.Env, after wallets.TransferID, limit int) ([]wallets.Transfer, error) {
	return transferTable.read(ctx, s.unit, "env = ? AND status = 'pending' AND id > ? ORDER BY id LIMIT ?", []any{env, after, limit})
}
