package wallets_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// tampered opens every sealed text as another seed.
type tampered struct{ seal.Sealer }

func (t tampered) Open(sealed []byte, c seal.Context) ([]byte, error) {
	plain, err := t.Sealer.Open(sealed, c)
	if err == nil {
		plain[0] ^= 1
	}
	return plain, err
}

func (b *bench) key(w wallets.Wallet) wallets.SealedKey {
	b.t.Helper()
	return look(b, func(ctx context.Context, tx store.Tx) (wallets.SealedKey, error) {
		return wallets.SealedKeyKind.Get(ctx, tx, w.Scope, w.Primary)
	})
}

func TestAKeyIsSealedForItsEnvironmentWalletAndAddress(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	k := b.key(w)
	right := seal.Context{Purpose: "wallets.seed", Env: "test", Owner: string(w.ID) + "/" + string(w.PrimaryAddress), Version: 1}
	plain, err := b.config.Sealer.Open(k.Sealed, right)
	require.NoError(t, err)
	seed, err := chain.OpenSeed(plain)
	require.NoError(t, err)
	require.Equal(t, w.PrimaryAddress, seed.Address())
	require.NotContains(t, string(k.Sealed), string(plain))
	for _, change := range []func(*seal.Context){
		func(c *seal.Context) { c.Env = "live" },
		func(c *seal.Context) { c.Owner = "wal_x/" + string(w.PrimaryAddress) },
		func(c *seal.Context) { c.Version = 2 },
		func(c *seal.Context) { c.Purpose = "other" },
	} {
		wrong := right
		change(&wrong)
		_, err := b.config.Sealer.Open(k.Sealed, wrong)
		require.ErrorIs(t, err, seal.ErrTampered)
	}
}

func TestEveryAddressHasItsOwnKey(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	seen := map[chain.Address]bool{w.PrimaryAddress: true}
	for range 20 {
		a := b.address(w)
		require.False(t, seen[a.Address])
		seen[a.Address] = true
	}
}

func TestAFreshKeyIsNeverPrinted(t *testing.T) {
	b := setup(t)
	k, err := b.NewKey()
	require.NoError(t, err)
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		require.Contains(t, fmt.Sprintf(format, k), "[redacted]", format)
	}
	text, err := json.Marshal(k)
	require.NoError(t, err)
	require.JSONEq(t, `"[redacted]"`, string(text))
}

// watching is a Sealer that keeps what it has opened, for a test to look at.
type watching struct {
	seal.Sealer
	opened [][]byte
	cut    bool
}

func (w *watching) Open(sealed []byte, c seal.Context) ([]byte, error) {
	plain, err := w.Sealer.Open(sealed, c)
	if w.cut {
		plain = plain[:len(plain)-1]
	}
	w.opened = append(w.opened, plain)
	return plain, err
}

func TestAKeyIsOpenedOnceToShowItsAddressesAndDoesNotStayInMemory(t *testing.T) {
	w := &watching{}
	b := setup(t, func(c *config) {
		w.Sealer = c.Sealer
		c.Sealer = w
	})
	one, two := b.wallet("one"), b.wallet("two")
	b.get(one)
	b.get(two)
	opened := len(w.opened)
	require.NotZero(t, opened)
	for range 2 {
		b.get(one)
		b.get(two)
	}
	require.Len(t, w.opened, opened)
	for _, plain := range w.opened {
		require.Equal(t, make([]byte, len(plain)), plain)
	}
}

func TestAnAddressWhoseKeyIsNoKeyIsNotShown(t *testing.T) {
	w := &watching{cut: true}
	b := setup(t, func(c *config) {
		w.Sealer = c.Sealer
		c.Sealer = w
	})
	made := b.wallet("w")
	_, err := b.Get(t.Context(), home, wallets.WalletRef{ID: string(made.ID)})
	require.ErrorIs(t, err, wallets.ErrAddressCompromised)
}

func TestAnAddressWithoutAKeyIsNotShown(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	a := wallets.Address{
		ID: "addr_000000000000000000000000000000ff", Scope: home, Wallet: w.ID, WalletReference: w.Reference,
		Address: b.stranger(), Status: wallets.AddressActive, TotalReceived: usdc("0"),
	}
	require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return wallets.AddressKind.Insert(ctx, tx, a)
	}))
	_, err := b.GetAddress(t.Context(), home, wallets.AddressRef{ID: string(a.ID)})
	require.ErrorIs(t, err, wallets.ErrAddressCompromised)
}

func TestWithoutRandomnessThereIsNoWallet(t *testing.T) {
	empty := errors.New("no entropy")
	b := setup(t, func(c *config) { c.Random = dry{empty} })
	_, err := b.Create(t.Context(), home, wallets.CreateParams{})
	require.ErrorIs(t, err, empty)
}

func TestKeysAreRandomUnlessATestSaysOtherwise(t *testing.T) {
	b := setup(t, func(c *config) { c.Random = nil })
	other := setup(t, func(c *config) { c.Random = nil })
	require.NotEqual(t, b.wallet("w").PrimaryAddress, other.wallet("w").PrimaryAddress)
}

type dry struct{ err error }

func (f dry) Read([]byte) (int, error) { return 0, f.err }

var _ io.Reader = dry{}
