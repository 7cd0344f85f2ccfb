package wallets_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// aged calls every text old.
type aged struct{ seal.Sealer }

func (aged) KeyOf([]byte) string { return "old" }
func (aged) Current([]byte) bool { return false }

func (b *bench) reseal(w wallets.Wallet) error {
	return b.units.In(ferry.Test).Write(b.t.Context(), func(ctx context.Context, tx store.Tx) error {
		return b.ResealKeyIn(ctx, tx, w.Scope, w.Primary)
	})
}

func TestAKeySealedAnewSigns(t *testing.T) {
	b := setup(t, func(c *config) { c.Sealer = aged{c.Sealer} })
	w := b.wallet("w")
	before := b.key(w)
	require.NoError(t, b.reseal(w))
	after := b.key(w)
	require.NotEqual(t, before.Sealed, after.Sealed)
	require.Equal(t, before.KeyVersion+1, after.KeyVersion)
	require.NoError(t, b.reseal(w), "and can be sealed anew again")

	require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		k, err := wallets.SealedKeyKind.Get(ctx, tx, w.Scope, w.Primary)
		if err != nil {
			return err
		}
		k.Sealed = before.Sealed // put back, without its version
		return wallets.SealedKeyKind.Update(ctx, tx, k)
	}))
	require.ErrorIs(t, b.reseal(w), seal.ErrTampered)
}

func TestAKeyThatIsCurrentIsLeftAlone(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	before := b.key(w)
	require.NoError(t, b.reseal(w))
	require.Equal(t, before, b.key(w))
}

func TestAKeyThatIsNotItsAddressesIsNotSealedAnew(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	before := b.key(w)
	b.config.Sealer = aged{tampered{b.config.Sealer}} // opens, as another seed
	b.restart()
	require.ErrorIs(t, b.reseal(w), seal.ErrTampered)
	require.Equal(t, before, b.key(w))
}

func TestAKeyIsSealedAnewInItsScopeOnly(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	w.Scope = ferry.Scope{Business: "biz_other", Env: w.Scope.Env}
	require.ErrorIs(t, b.reseal(w), wallets.ErrAddressNotFound)
}

// garbling seals what nothing opens.
type garbling struct{ aged }

func (g garbling) Seal(plain []byte, c seal.Context) ([]byte, error) {
	sealed, err := g.aged.Seal(plain, c)
	if err == nil {
		sealed[len(sealed)-1] ^= 1
	}
	return sealed, err
}

func TestAKeyThatWouldNotOpenAgainStaysAsItWas(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	before := b.key(w)
	b.config.Sealer = garbling{aged{b.config.Sealer}}
	b.restart()
	require.ErrorContains(t, b.reseal(w), "does not open")
	require.Equal(t, before, b.key(w))
}
