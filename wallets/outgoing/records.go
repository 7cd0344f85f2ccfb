package outgoing

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
)

var (
	// transferByReference finds a transfer by Scope and Reference.
	transferByReference = &records.Unique{Columns: []string{"env", "business", "reference"}, Taken: wallets.ErrDuplicateReference}
	isPending           = records.Is("status", wallets.Pending)
	// whyWaiting are the pending transfers by why they are not signed yet.
	whyWaiting = records.Group{By: []string{"env", "waiting"}, When: isPending}
	isOfOnramp = records.Is("origin_kind", FromOnramp)
)

// TransferKind is what a transfer is as a row. A treasury transfer has a scope without a
// business.
var TransferKind = records.Define(records.Kind[wallets.TransferID, Transfer]{
	Name: "wallet_transfers",
	Columns: func(t *Transfer) []records.Column {
		return []records.Column{
			records.ID(&t.ID), records.Owner(&t.Scope), records.Version(&t.Version),
			records.Text("reference", &t.Reference),
			records.Word("kind", &t.Kind, Internal, External, Treasury),
			records.Word("origin_kind", &t.Origin.Kind, NoOrigin, FromReceipt, FromRefund, FromOfframp, FromOnramp),
			records.Text("origin_id", &t.Origin.ID),
			records.Text("wallet", &t.Wallet),
			records.Text("wallet_reference", &t.WalletReference),
			records.Text("from_id", &t.FromID),
			records.Text("from_address", &t.From),
			records.Text("to_address", &t.To),
			records.Text("to_id", &t.ToID),
			records.Amount("amount", &t.Amount, wallets.Asset),
			records.Amount("fee", &t.Fee, wallets.Asset),
			records.Text("memo", &t.Memo),
			records.Document("metadata", &t.Metadata),
			records.Word("status", &t.Status, TransferLifecycle.States()...),
			records.Word("stage", &t.Stage, outflow.Stages()...),
			records.Word("waiting", &t.Waiting, wallets.Waitings()...),
			records.Text("failure", &t.Failure),
			records.Int("attempts", &t.Attempts),
			records.Text("signature", &t.Signature),
			records.Text("waits_for", &t.WaitsFor),
			records.CreatedAt(&t.CreatedAt), records.Time("updated_at", &t.UpdatedAt),
			records.Time("confirmed_at", &t.ConfirmedAt),
		}
	},
	Scope:   func(t *Transfer) ferry.Scope { return t.Scope },
	Unique:  []*records.Unique{transferByReference},
	Fixed:   []string{"reference", "origin_kind", "origin_id"},
	Groups:  []records.Group{{By: []string{"env"}, When: isPending}, whyWaiting, {By: []string{"env"}, When: outflow.Waits}, {By: []string{"env"}, When: isOfOnramp}},
	Missing: wallets.ErrTransactionNotFound,
})

// TransferByReference returns the transfer of a reference, or ErrTransactionNotFound.
func TransferByReference(ctx context.Context, tx records.Tx, scope ferry.Scope, reference string) (Transfer, error) {
	return TransferKind.Find(ctx, tx, transferByReference, Transfer{Scope: scope, Reference: reference})
}

// PendingIn selects the pending transfers of an environment.
func PendingIn(env ferry.Env) records.Query { return records.Where(records.Is("env", env), isPending) }

// WaitingIn selects the pending transfers of an environment that are not signed yet for a reason.
func WaitingIn(env ferry.Env, why wallets.Waiting) records.Query {
	return records.Where(records.Is("env", env), records.Is("waiting", why), isPending)
}

// OfOnrampsIn selects the transfers of an environment that were made for onramps.
func OfOnrampsIn(env ferry.Env) records.Query {
	return records.Where(records.Is("env", env), isOfOnramp)
}
