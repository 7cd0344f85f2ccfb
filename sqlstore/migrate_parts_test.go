package sqlstore_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
)

// old are receipts as they were stored before their parts were kept, with what became of
// them.
var old = map[payments.ReceiptID]struct {
	receipt payments.Receipt
	want    payments.Parts
}{
	"rcpt_back":     {payments.Receipt{Method: payments.BankTransfer, State: payments.Returned, Amount: money.NGN(14)}, kobo(0, 0, 0, 14)},
	"rcpt_over":     {payments.Receipt{Method: payments.BankTransfer, State: payments.Settled, Amount: money.NGN(16), Source: "over"}, kobo(15, 0, 0, 1)},
	"rcpt_exact":    {payments.Receipt{Method: payments.BankTransfer, State: payments.Settled, Amount: money.NGN(15), Source: "exact"}, kobo(15, 0, 0, 0)},
	"rcpt_refunded": {payments.Receipt{Method: payments.USDC, State: payments.Refunded, Amount: money.NGN(4)}, kobo(0, 0, 4, 0)},
}

func kobo(kept, held, refunded, returned int64) payments.Parts {
	return payments.Parts{Kept: money.NGN(kept), Held: money.NGN(held), Refunded: money.NGN(refunded), Returned: money.NGN(returned)}
}

func TestReceiptsThatWereThereBeforeSayWhatBecameOfTheirParts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	s := open(t, path)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		if err := payments.PaymentKind.Insert(ctx, p, payments.Payment{
			ID: "pay_1", Scope: scope, Reference: "order-1", Status: payments.Success, Channel: fees.Checkout, Amount: money.USDC(1), CreatedAt: noon, UpdatedAt: noon,
		}); err != nil {
			return err
		}
		if err := payments.ReturnKind.Insert(ctx, p, payments.Return{
			ID: "ret_1", Scope: scope, Session: "over", Amount: money.NGN(1), State: payments.ReturnAccepted, CreatedAt: noon, Progress: disburse.Progress{UpdatedAt: noon},
		}); err != nil {
			return err
		}
		for id, o := range old {
			r := o.receipt
			r.ID, r.Scope, r.Payment, r.Held, r.Decided = id, scope, "pay_1", money.NGN(0), money.NGN(0)
			r.CreatedAt, r.UpdatedAt = noon, noon
			if err := payments.ReceiptKind.Insert(ctx, p, r); err != nil {
				return err
			}
		}
		return statement.Kind.Insert(ctx, p, statement.Transaction{
			ID: "trx_1", Scope: scope, TrxID: "order-1", Reference: "pay_1", Direction: statement.In, Status: statement.Success,
			Amount: money.USDC(1), Fee: money.USDC(0), CreatedAt: noon, UpdatedAt: noon,
		})
	}))
	require.NoError(t, s.Close(t.Context()))

	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	for _, name := range []string{"0035_order_price", "0036_parts"} {
		migration, err := sqlstore.MigrationOfFile(name + ".sql")
		require.NoError(t, err)
		_, filling, ok := strings.Cut(migration, "UPDATE ")
		require.True(t, ok)
		_, err = db.Exec("UPDATE " + filling)
		require.NoError(t, err)
	}
	require.NoError(t, db.Close())

	s = open(t, path)
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		for id, o := range old {
			r, err := payments.ReceiptKind.Get(ctx, p, scope, id)
			require.NoError(t, err)
			parts, err := r.Parts()
			require.NoError(t, err)
			require.Equal(t, o.want, parts, id)
		}
		line, err := statement.Kind.Get(ctx, p, scope, "trx_1")
		require.Equal(t, money.USDC(1), line.Order)
		return err
	}))
}
