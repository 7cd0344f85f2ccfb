package engine_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/seal/tinkseal"
	"github.com/ferrypay/ferry/sqlstore/sqlitetest"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/webhook"
)

func rewrap(t *testing.T, e *engine.Engine) engine.RewrapReport {
	t.Helper()
	report, err := e.Rewrap(t.Context())
	require.NoError(t, err)
	return report
}

func sealedUnder(t *testing.T, e *engine.Engine, key string) int {
	t.Helper()
	n, err := e.SealedUnder(t.Context(), key)
	require.NoError(t, err)
	return n
}

func TestAnOldKeyCanBeDroppedAfterEverythingIsSealedAnew(t *testing.T) {
	d := durable{file: sqlitetest.File(t), keys: newKeys(t)}
	e, stop := d.open(t)
	made := fill(t, e)
	old := d.keys.oldest(t)
	require.Equal(t, textsSealed, sealedUnder(t, e, old))
	require.Equal(t, engine.RewrapReport{Current: rowsSealed}, rewrap(t, e), "there is nothing to do before a rotation")

	require.ErrorIs(t, d.keys.drop(t.Context(), e, old), tinkseal.ErrPrimary)
	d.keys.rotate(t)
	require.ErrorIs(t, d.keys.drop(t.Context(), e, old), tinkseal.ErrInUse)
	made.requireOpen(t, e)

	require.Equal(t, engine.RewrapReport{Resealed: rowsSealed}, rewrap(t, e))
	require.Equal(t, engine.RewrapReport{Current: rowsSealed}, rewrap(t, e))
	require.Zero(t, sealedUnder(t, e, old))
	require.NoError(t, d.keys.drop(t.Context(), e, old))
	made.requireOpen(t, e)
	stop()

	e, _ = d.open(t)
	made.requireOpen(t, e)
	made.requireFound(t, e)
}

// requireFound asks for what is found by a digest.
func (made *sealedThings) requireFound(t *testing.T, e *engine.Engine) {
	t.Helper()
	_, err := e.Businesses.Authenticate(t.Context(), made.tenants[0].SecretKey)
	require.NoError(t, err, "API keys are known after a rotation")
	_, err = e.Customers.Identity(t.Context(), made.tenants[0].Business.Scope, "bvn", "22212340000")
	require.NoError(t, err, "numbers are found after a rotation")
}

func TestSealingAnewChangesNothingElse(t *testing.T) {
	keys := newKeys(t)
	e := keys.over(t, memstore.New(), nil, nil)
	made := fill(t, e)
	_, err := e.Customers.Create(t.Context(), made.tenants[0].Business.Scope, customers.CreateParams{ // who has no number to seal
		Type: customers.Company, BusinessName: "Obi Foods", CACNumber: "RC123456", Email: "foods@example.com", Phone: "+2347012345678",
	})
	require.NoError(t, err)
	before := made.rows(t, e)
	keys.rotate(t)
	require.Equal(t, engine.RewrapReport{Resealed: rowsSealed}, rewrap(t, e))
	require.Equal(t, engine.RewrapReport{Current: rowsSealed}, rewrap(t, e))
	after := made.rows(t, e)
	require.Equal(t, before.plain(), after.plain())
	for i, k := range after.keys {
		require.Equal(t, before.keys[i].KeyVersion+1, k.KeyVersion)
	}
}

// rows are the sealed rows of the first tenant, and its events.
type rows struct {
	keys      []wallets.SealedKey
	customers []customers.Customer
	endpoint  webhook.Endpoint
	events    int
}

func (made *sealedThings) rows(t *testing.T, e *engine.Engine) rows {
	t.Helper()
	scope := made.tenants[0].Business.Scope
	found, err := ferry.InRead(t.Context(), e.Units(ferry.Test), func(ctx context.Context, tx store.Tx) (r rows, err error) {
		if r.keys, err = wallets.SealedKeyKind.After(ctx, tx, records.Where(records.Is("env", ferry.Test)), "", 99); err != nil {
			return r, err
		}
		if r.customers, err = customers.CustomerKind.After(ctx, tx, records.Where(records.Is("env", ferry.Test)), "", 99); err != nil {
			return r, err
		}
		if r.endpoint, err = webhook.EndpointOf(ctx, tx, scope); err != nil {
			return r, err
		}
		events, err := tx.Webhooks().Feed(ctx, scope, 0, made.wallets[0].CreatedAt.AddDate(-1, 0, 0), 999)
		r.events = len(events)
		return r, err
	})
	require.NoError(t, err)
	require.Len(t, found.keys, addressesSealed)
	return found
}

// plain is rows without what sealing them anew may change.
func (r rows) plain() rows {
	var plain rows
	for _, k := range r.keys {
		k.Sealed, k.KeyVersion, k.Version = nil, 0, 0
		plain.keys = append(plain.keys, k)
	}
	for _, c := range r.customers {
		c.BVN.Sealed, c.NIN.Sealed, c.Version = nil, nil, 0
		plain.customers = append(plain.customers, c)
	}
	plain.endpoint, plain.events = r.endpoint, r.events
	plain.endpoint.Version, plain.endpoint.Secrets = 0, nil
	for _, secret := range r.endpoint.Secrets {
		secret.Sealed = nil
		plain.endpoint.Secrets = append(plain.endpoint.Secrets, secret)
	}
	return plain
}

// dying is a backend whose process is killed: after so many units nothing is
// written any more, and the last one that was is not known to be.
type dying struct {
	store.Backend
	left int // below 0: it does not die
}

var errKilled = errors.New("killed")

func (d *dying) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
	if d.left == 0 {
		return errKilled
	}
	err := d.Backend.Write(ctx, body)
	if err == nil {
		if d.left--; d.left == 0 {
			return errKilled
		}
	}
	return err
}

func TestAPassThatWasKilledIsDoneByTheNext(t *testing.T) {
	keys, backend := newKeys(t), &dying{memstore.New(), -1}
	e := keys.over(t, backend, nil, nil)
	made := fill(t, e)
	for range 70 { // three units of addresses
		_, err := e.Wallets.CreateAddress(t.Context(), made.wallets[0].Scope, wallets.AddressParams{
			Wallet: wallets.WalletRef{ID: string(made.wallets[0].ID)},
		})
		require.NoError(t, err)
	}
	const all, units = rowsSealed + 70, 3 + 3
	for killed := 1; killed <= units; killed++ {
		t.Run(fmt.Sprintf("after %d units", killed), func(t *testing.T) {
			old := keys.oldest(t)
			keys.rotate(t)
			backend.left = killed
			report, err := e.Rewrap(t.Context())
			require.ErrorIs(t, err, errKilled)
			require.Less(t, report.Resealed, all)
			backend.left = -1
			if killed < units {
				require.ErrorIs(t, keys.drop(t.Context(), e, old), tinkseal.ErrInUse)
			}

			e = keys.over(t, backend, nil, nil)
			again := rewrap(t, e)
			require.Empty(t, again.Failed)
			require.Equal(t, all, again.Resealed+again.Current)
			require.GreaterOrEqual(t, again.Current, report.Resealed, "what was done is not done again")
			require.Equal(t, engine.RewrapReport{Current: all}, rewrap(t, e))
			require.NoError(t, keys.drop(t.Context(), e, old))
			made.requireOpen(t, keys.over(t, backend, nil, nil))
		})
	}
}

func TestAnErrorOfTheStoreEndsAPassAndLosesNothing(t *testing.T) {
	keys := newKeys(t)
	broken := errors.New("the disk is on fire")
	backend := storefault.FailNth(memstore.New(), 0, broken)
	e := keys.over(t, backend, nil, nil)
	made := fill(t, e)
	for n := 1; ; n++ {
		keys.rotate(t)
		backend.Arm(n)
		_, err := e.Rewrap(t.Context())
		fired := backend.Fired()
		backend.Arm(0)
		if !fired {
			require.NoError(t, err)
			require.Greater(t, n, 10)
			break
		}
		require.ErrorIs(t, err, broken)
		require.Empty(t, rewrap(t, e).Failed)
	}
	made.requireOpen(t, e)
}

func TestABodyThatRunsTwiceCountsOnce(t *testing.T) {
	keys := newKeys(t)
	backend := memstore.New()
	fill(t, keys.over(t, backend, nil, nil))
	keys.rotate(t)
	e := keys.over(t, storefault.Rerun(backend), nil, nil)
	require.Equal(t, engine.RewrapReport{Resealed: rowsSealed}, rewrap(t, e))
	require.Equal(t, engine.RewrapReport{Current: rowsSealed}, rewrap(t, e))
}

func TestASealerOfOneKeyHasNothingToSealAnew(t *testing.T) {
	e, tenant := enginetest.New(t)
	enginetest.Deposit(t, e, tenant, money.USDC(1_000_000))
	report := rewrap(t, e)
	require.Zero(t, report.Resealed)
	require.Positive(t, report.Current)
	require.Empty(t, report.Failed)
	require.Positive(t, sealedUnder(t, e, ""))
}

func TestRowsAreSealedAnewBesideWorkOnThem(t *testing.T) {
	d := durable{file: sqlitetest.File(t), keys: newKeys(t)}
	e, _ := d.open(t)
	made := fill(t, e)
	ctx, stop := context.WithCancel(t.Context())
	worked := make(chan error)
	go func() { worked <- made.work(ctx, e) }()
	for range 5 {
		d.keys.rotate(t)
		for report := rewrap(t, e); report.Resealed > 0; report = rewrap(t, e) {
			require.Empty(t, report.Failed)
		}
		for _, key := range d.keys.load(t).Keys() {
			if !key.Primary {
				require.NoError(t, d.keys.drop(t.Context(), e, key.ID))
			}
		}
	}
	stop()
	require.NoError(t, <-worked)
	require.Empty(t, rewrap(t, e).Failed)
	made.requireOpen(t, e)
	findings, err := e.Audit(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.Empty(t, findings)
}

// work changes rows that are sealed anew, and makes new ones, until ctx ends.
func (made *sealedThings) work(ctx context.Context, e *engine.Engine) error {
	for n := 0; ctx.Err() == nil; n++ {
		scope, city := made.tenants[0].Business.Scope, fmt.Sprint("City ", n)
		if _, err := e.Customers.Update(context.WithoutCancel(ctx), scope, made.customers[0].ID, customers.UpdateParams{City: &city}); err != nil {
			return err
		}
		if _, err := e.Webhooks.RotateSecret(context.WithoutCancel(ctx), scope, webhook.RotateSecretParams{}); err != nil {
			return err
		}
		if n%8 == 0 {
			if _, err := e.Wallets.Create(context.WithoutCancel(ctx), scope, wallets.CreateParams{}); err != nil {
				return err
			}
		}
	}
	return nil
}
