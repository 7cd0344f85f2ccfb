package sqlstore_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
)

func TestOrdersThatCameWithAPublicKeyBeforeTheirMigrationKeepTheirNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	s := open(t, path)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		for name, of := range map[string]checkout.Session{
			"public": {Variant: business.DialectA}, "own": {Variant: business.DialectB}, "link": {Variant: business.DialectA, Link: "plink_1"},
		} {
			of.ID, of.TrxID, of.Payment = checkout.ID("sess_"+name), name, payments.ID("pay_"+name)
			of.Scope, of.Status, of.ExpiresAt, of.CreatedAt = scope, checkout.Pending, noon, noon
			of.Pricing = checkout.Pricing{Type: checkout.InFiat, Base: money.NGN(1)}
			if err := insertOrder(ctx, p, of); err != nil {
				return err
			}
		}
		return nil
	}))
	require.NoError(t, s.Close(t.Context()))

	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	migration, err := sqlstore.MigrationOfFile("0031_public_names.sql")
	require.NoError(t, err)
	_, err = db.Exec(migration)
	require.NoError(t, err)
	require.NoError(t, db.Close())

	s = open(t, path)
	require.NoError(t, s.Read(t.Context(), func(ctx context.Context, p store.Ports) error {
		for _, trxID := range []string{"public", "own", "link"} {
			name := statement.Name{TrxID: trxID, Public: trxID == "public"}
			of, err := checkout.SessionKind.Find(ctx, p, checkout.SessionKind.Unique[0], checkout.Session{Scope: scope, TrxID: name.TrxID, Public: name.Public})
			require.NoError(t, err)
			require.Equal(t, name, of.Name())
			paid, err := payments.PaymentKind.Find(ctx, p, payments.ByName, payments.PaymentNamed(scope, name))
			require.NoError(t, err)
			require.Equal(t, of.Payment, paid.ID)
			_, err = statement.Kind.Find(ctx, p, statement.ByTrxID, statement.TransactionNamed(scope, name))
			require.NoError(t, err)
		}
		return nil
	}))
}

// insertOrder adds a session with its payment, and the line of that.
func insertOrder(ctx context.Context, p store.Ports, of checkout.Session) error {
	if err := payments.PaymentKind.Insert(ctx, p, payments.Payment{
		ID: of.Payment, Scope: of.Scope, Reference: of.TrxID, Status: payments.Pending, Channel: fees.Checkout,
		Session: string(of.ID), CreatedAt: noon, UpdatedAt: noon,
	}); err != nil {
		return err
	}
	if err := statement.Kind.Insert(ctx, p, statement.Transaction{
		ID: statement.ID("trx_" + of.TrxID), Scope: of.Scope, TrxID: of.TrxID, Reference: string(of.Payment),
		Direction: statement.In, CreatedAt: noon, UpdatedAt: noon,
	}); err != nil {
		return err
	}
	return checkout.SessionKind.Insert(ctx, p, of)
}
