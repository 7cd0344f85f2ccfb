package engine_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal/tinkseal"
	"github.com/ferrypay/ferry/sqlstore/sqlite"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
	"github.com/ferrypay/ferry/webhook"
)

// keyFile is a key file and its KEK.
type keyFile struct {
	path string
	kek  tinkseal.KEK
}

func newKeys(t *testing.T) keyFile {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, tinkseal.CreateKEK(filepath.Join(dir, "kek")))
	kek, err := tinkseal.FileKEK(filepath.Join(dir, "kek"))
	require.NoError(t, err)
	k := keyFile{filepath.Join(dir, "keys.json"), kek}
	require.NoError(t, tinkseal.Create(k.path, kek))
	return k
}

func (k keyFile) load(t *testing.T) *tinkseal.Keyset {
	t.Helper()
	set, err := tinkseal.Load(k.path, k.kek)
	require.NoError(t, err)
	return set
}

func (k keyFile) rotate(t *testing.T) {
	t.Helper()
	require.NoError(t, tinkseal.Rotate(k.path, k.kek))
}

// oldest is the id of the key that was made first.
func (k keyFile) oldest(t *testing.T) string {
	t.Helper()
	return k.load(t).Keys()[0].ID
}

func (k keyFile) drop(ctx context.Context, e *engine.Engine, id string) error {
	return tinkseal.Drop(k.path, k.kek, id, func(id string) (int, error) { return e.SealedUnder(ctx, id) })
}

// over returns an engine over a store, under the keys of a file.
func (k keyFile) over(t *testing.T, s store.Backend, world sandbox.Store, log *bytes.Buffer) *engine.Engine {
	t.Helper()
	set := k.load(t)
	config := engine.Config{Store: s, Sealer: set, Pepper: set.Pepper()}
	if log != nil {
		config.Logger = slog.New(slog.NewTextHandler(&locked{to: log}, nil))
	}
	if world != nil {
		config.World = sandbox.New(sandbox.Config{Store: world, Seed: 1})
	}
	e, err := engine.New(config)
	require.NoError(t, err)
	return e
}

// locked is a writer for several goroutines.
type locked struct {
	mu sync.Mutex
	to *bytes.Buffer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to.Write(b)
}

// sealedThings are two of each kind of rows with sealed texts.
type sealedThings struct {
	tenants    []engine.Tenant
	wallets    []wallets.Wallet // of the first tenant, with money
	customers  []customers.Customer
	identities []customers.IdentityID
}

const (
	addressesSealed = 4 // two wallets and two addresses more
	rowsSealed      = addressesSealed + 2 + 2 + 2
	textsSealed     = addressesSealed + 2*2 + 2 + 2*2 // customers have two numbers, endpoints two secrets
)

// fill makes sealed rows.
func fill(t *testing.T, e *engine.Engine) *sealedThings {
	t.Helper()
	made := &sealedThings{}
	for n := range 2 {
		tenant, err := e.CreateTenant(t.Context(), ferry.Test, fmt.Sprint("Tenant ", n))
		require.NoError(t, err)
		_, err = e.Webhooks.RotateSecret(t.Context(), tenant.Business.Scope, webhook.RotateSecretParams{})
		require.NoError(t, err)
		made.tenants = append(made.tenants, tenant)
	}
	for n := range 2 {
		made.add(t, e, n)
	}
	return made
}

func (made *sealedThings) add(t *testing.T, e *engine.Engine, n int) {
	t.Helper()
	scope := made.tenants[0].Business.Scope
	w := enginetest.Deposit(t, e, made.tenants[0], money.USDC(5_000_000))
	made.wallets = append(made.wallets, w)
	_, err := e.Wallets.CreateAddress(t.Context(), scope, wallets.AddressParams{Wallet: wallets.WalletRef{ID: string(w.ID)}})
	require.NoError(t, err)
	c, err := e.Customers.Create(t.Context(), scope, customers.CreateParams{
		Type: customers.Individual, FirstName: "Ada", LastName: "Obi",
		Email: fmt.Sprintf("ada%d@example.com", n), Phone: fmt.Sprintf("+234801234567%d", n),
		BVN: customers.Number(fmt.Sprintf("2221234567%d", n)), NIN: customers.Number(fmt.Sprintf("5551234567%d", n)),
	})
	require.NoError(t, err)
	made.customers = append(made.customers, c)
	began, err := e.Customers.Initiate(t.Context(), scope, customers.InitiateParams{
		Type: kyc.BVN, Number: customers.Number(fmt.Sprintf("22212340%d00", n)),
	})
	require.NoError(t, err)
	made.identities = append(made.identities, began.Identity.ID)
}

// requireOpen uses everything that is sealed, through the services.
func (made *sealedThings) requireOpen(t *testing.T, e *engine.Engine) {
	t.Helper()
	for n, c := range made.customers {
		c, err := e.Customers.Customer(t.Context(), c.Scope, c.ID)
		require.NoError(t, err)
		masks, err := e.Customers.Masks(c)
		require.NoError(t, err)
		require.Equal(t, customers.Masks{BVN: fmt.Sprintf("222123****%d", n), NIN: fmt.Sprintf("555123****%d", n)}, masks)
	}
	for _, w := range made.wallets {
		transfer, err := send(t, e, w)
		require.NoError(t, err)
		require.NotEmpty(t, transfer.Signature, "the transfer was signed")
	}
	for _, tenant := range made.tenants {
		require.NotEmpty(t, receive(t, e, tenant.Business.Scope), "the event was signed")
	}
}

// send begins a transfer from a wallet to the outside.
func send(t *testing.T, e *engine.Engine, w wallets.Wallet) (outgoing.Transfer, error) {
	t.Helper()
	return e.Outgoing.Transfer(t.Context(), w.Scope, outgoing.TransferParams{
		From: string(w.PrimaryAddress), To: "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin", Amount: money.USDC(100_000),
	})
}

// receive has an event sent to a receiver, and returns the signature it came
// with; none when nothing came.
func receive(t *testing.T, e *engine.Engine, scope ferry.Scope) (signature string) {
	t.Helper()
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		signature = r.Header.Get("Webhook-Signature")
	}))
	defer receiver.Close()
	_, err := e.Webhooks.Configure(t.Context(), scope, webhook.ConfigureParams{URL: &receiver.URL})
	require.NoError(t, err)
	_, err = e.Webhooks.SendTest(t.Context(), scope)
	require.NoError(t, err)
	_, _ = e.Webhooks.RunDue(t.Context(), 100)
	none := ""
	_, err = e.Webhooks.Configure(t.Context(), scope, webhook.ConfigureParams{URL: &none})
	require.NoError(t, err)
	return signature
}

// durable is a store in a file that a test closes and looks into.
type durable struct {
	file string
	keys keyFile
	log  bytes.Buffer
}

// open starts an engine over the file; stop closes it.
func (d *durable) open(t *testing.T) (e *engine.Engine, stop func()) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), d.file)
	require.NoError(t, err)
	closed := false
	stop = func() {
		if !closed {
			closed = true
			require.NoError(t, s.Close(context.Background()))
		}
	}
	t.Cleanup(stop)
	return d.keys.over(t, s, s.World(), &d.log), stop
}

// by hand runs statements on the file of a store that is closed.
func (d *durable) byHand(t *testing.T, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", d.file)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	for _, s := range statements {
		done, err := db.ExecContext(t.Context(), s)
		require.NoError(t, err, s)
		if strings.HasPrefix(s, "UPDATE") {
			n, err := done.RowsAffected()
			require.NoError(t, err)
			require.NotZero(t, n, s)
		}
	}
}
