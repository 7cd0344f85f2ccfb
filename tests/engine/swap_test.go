package engine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/sqlstore/sqlitetest"
	"github.com/ferrypay/ferry/wallets"
)

// swap exchanges a column of the rows of a table that two keys name.
func swap(table, key, column string, a, b any) string {
	return fmt.Sprintf(`CREATE TEMP TABLE former AS SELECT %[2]s AS k, %[3]s AS v FROM %[1]s;
		UPDATE %[1]s SET %[3]s = (SELECT v FROM former WHERE k = '%[5]s') WHERE %[2]s = '%[4]s';
		UPDATE %[1]s SET %[3]s = (SELECT v FROM former WHERE k = '%[4]s') WHERE %[2]s = '%[5]s';
		DROP TABLE former`, table, key, column, a, b)
}

// Whoever can write to the database can exchange sealed texts, but not make
// another row use them.
func TestSealedTextsThatWereSwappedInTheFileAreRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		kind string
		swap func(made *sealedThings) []string
		used func(t *testing.T, d *durable, e *engine.Engine, made *sealedThings)
	}{
		{"the keys of two addresses", "address_key",
			func(made *sealedThings) []string {
				return []string{swap("address_keys", "id", "sealed", made.wallets[0].Primary, made.wallets[1].Primary)}
			}, nothingIsSigned},
		{"the keys of two addresses with all that they are bound to", "address_key",
			func(made *sealedThings) []string {
				a, b := made.wallets[0].Primary, made.wallets[1].Primary
				return []string{
					"DROP TRIGGER address_keys_stay", // which refuses this
					swap("address_keys", "id", "public_key", a, b), swap("address_keys", "id", "wallet", a, b), swap("address_keys", "id", "sealed", a, b),
				}
			}, nothingIsSigned},
		{"the BVNs of two customers", "customer",
			func(made *sealedThings) []string {
				return []string{swap("customers", "id", "bvn_sealed", made.customers[0].ID, made.customers[1].ID)}
			}, numbersAreHidden},
		{"the BVN and the NIN of customers", "customer",
			func(*sealedThings) []string { return []string{"UPDATE customers SET bvn_sealed = nin_sealed"} }, numbersAreHidden},
		{"the numbers of two identities", "identity",
			func(made *sealedThings) []string {
				return []string{swap("identities", "id", "number_sealed", made.identities[0], made.identities[1])}
			}, nil}, // nothing but Rewrap opens it
		{"the webhook secrets of two businesses", "webhook_endpoint",
			func(made *sealedThings) []string {
				a, b := made.tenants[0].Business.Scope.Business, made.tenants[1].Business.Scope.Business
				return []string{swap("webhook_endpoints", "business", "secrets", a, b)}
			}, nothingIsDelivered},
		{"the present and the former webhook secret", "webhook_endpoint",
			func(*sealedThings) []string {
				return []string{`UPDATE webhook_endpoints SET secrets = json_set(secrets,
					'$[0].Sealed', json_extract(secrets, '$[1].Sealed'), '$[1].Sealed', json_extract(secrets, '$[0].Sealed'))`}
			}, nothingIsDelivered},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := durable{file: sqlitetest.File(t), keys: newKeys(t)}
			e, stop := d.open(t)
			made := fill(t, e)
			made.requireOpen(t, e)
			stop()
			d.byHand(t, c.swap(made)...)

			e, _ = d.open(t)
			d.keys.rotate(t)
			requireBothFail(t, e, c.kind)
			if c.used != nil {
				c.used(t, &d, e, made)
			}
			require.ErrorContains(t, d.keys.drop(t.Context(), e, d.keys.oldest(t)), "sealed under", "the rows are left as they are")
		})
	}
}

// requireBothFail has everything sealed anew but the two rows that were swapped.
func requireBothFail(t *testing.T, e *engine.Engine, kind string) {
	t.Helper()
	report, err := e.Rewrap(t.Context())
	require.NoError(t, err)
	require.Equal(t, rowsSealed-2, report.Resealed)
	require.Len(t, report.Failed, 2)
	for _, failed := range report.Failed {
		require.Equal(t, kind, failed.Kind)
		require.NotEmpty(t, failed.ID)
		require.ErrorIs(t, failed.Err, seal.ErrTampered)
	}
}

func nothingIsSigned(t *testing.T, d *durable, e *engine.Engine, made *sealedThings) {
	for _, w := range made.wallets {
		transfer, err := send(t, e, w)
		require.NoError(t, err)
		require.Equal(t, wallets.Pending, transfer.Status)
		require.Empty(t, transfer.Signature)
		require.Zero(t, transfer.Attempts)
	}
	require.Contains(t, d.log.String(), "a transfer was not signed")
}

func numbersAreHidden(t *testing.T, _ *durable, e *engine.Engine, made *sealedThings) {
	for _, c := range made.customers {
		c, err := e.Customers.Customer(t.Context(), c.Scope, c.ID)
		require.NoError(t, err)
		masks, err := e.Customers.Masks(c)
		require.ErrorIs(t, err, seal.ErrTampered)
		require.Zero(t, masks)
	}
}

func nothingIsDelivered(t *testing.T, _ *durable, e *engine.Engine, made *sealedThings) {
	for _, tenant := range made.tenants {
		require.Empty(t, receive(t, e, tenant.Business.Scope))
	}
}
