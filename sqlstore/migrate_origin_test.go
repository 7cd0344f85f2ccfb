package sqlstore_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// What a transfer was made for stood in its metadata before, where a business may write.
func TestTransfersThatRefundAReceiptGetItAsTheirOrigin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	s := open(t, path)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		for _, id := range []wallets.TransferID{"trx_1", "trx_2"} {
			if err := outgoing.TransferKind.Insert(ctx, p, outgoing.Transfer{
				ID: id, Scope: scope, Reference: string(id), Kind: outgoing.External, Status: wallets.Pending,
				Metadata: ferry.Metadata{"receipt_id": "rcpt_1"}, CreatedAt: noon,
			}); err != nil {
				return err
			}
		}
		if err := payments.PaymentKind.Insert(ctx, p, payments.Payment{ID: "pay_1", Scope: scope, Status: payments.Failed, CreatedAt: noon}); err != nil {
			return err
		}
		return payments.ReceiptKind.Insert(ctx, p, payments.Receipt{
			ID: "rcpt_1", Scope: scope, Payment: "pay_1", Amount: money.USDC(1), State: payments.Refunded, Outcome: "trx_1", CreatedAt: noon,
		})
	}))
	require.NoError(t, s.Close(t.Context()))

	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	execute(t, db, "0072_transfer_origin", "UPDATE")
	require.NoError(t, db.Close())

	s = open(t, path)
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		for id, want := range map[wallets.TransferID]outgoing.Origin{"trx_1": {Kind: outgoing.FromReceipt, ID: "rcpt_1"}, "trx_2": {}} {
			of, err := outgoing.TransferKind.Get(ctx, p, scope, id)
			require.NoError(t, err)
			require.Equal(t, want, of.Origin, "only the transfer that the receipt names refunds it")
		}
		return nil
	}))
}
