package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// testSealed is about walks over all rows of an environment that have sealed
// texts, and about sealing them anew.
func testSealed(t *testing.T, open func(*testing.T) store.Backend) {
	for _, w := range []sealedWalk{addressKeys} {
		t.Run(w.name, func(t *testing.T) { testSealedWalk(t, open(t), w) })
	}
	t.Run("address keys", func(t *testing.T) { testKeyUpdate(t, open) })
	readOnly(t, open, map[string]body{"UpdateKey": updateKey(sealedKey(address(1)))})
}

// sealedWalk is one of the walks. insert adds a row of a scope that comes n-th.
type sealedWalk struct {
	name   string
	id     func(n int) string
	insert func(scope ferry.Scope, n int) body
	page   func(ctx context.Context, p store.Ports, env ferry.Env, after string, limit int) ([]string, error)
}

var addressKeys = sealedWalk{
	"keys of addresses are walked by id",
	func(n int) string { return string(address(n).ID) },
	func(scope ferry.Scope, n int) body {
		a := address(n)
		a.Scope = scope
		return insertAddress(a)
	},
	func(ctx context.Context, p store.Ports, env ferry.Env, after string, limit int) ([]string, error) {
		rows, err := p.Wallets().SealedKeys(ctx, env, wallets.AddressID(after), limit)
		return idsOf(rows, func(k wallets.SealedKey) string { return string(k.ID) }), err
	},
}

func idsOf[R any](rows []R, id func(R) string) []string {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = id(row)
	}
	return ids
}

func walk(t *testing.T, b store.Backend, w sealedWalk, env ferry.Env, after string, limit int) []string {
	t.Helper()
	return look(t, b, func(ctx context.Context, p store.Ports) ([]string, error) {
		return w.page(ctx, p, env, after, limit)
	})
}

func testSealedWalk(t *testing.T, b store.Backend, w sealedWalk) {
	require.Empty(t, walk(t, b, w, ferry.Test, "", 9))
	for n, scope := range map[int]ferry.Scope{2: home, 1: home, 3: away, 4: live, 5: home} {
		write(t, b, w.insert(scope, n))
	}
	require.Equal(t, []string{w.id(1), w.id(2), w.id(3), w.id(5)}, walk(t, b, w, ferry.Test, "", 9))
	require.Equal(t, []string{w.id(1), w.id(2)}, walk(t, b, w, ferry.Test, "", 2))
	require.Equal(t, []string{w.id(3), w.id(5)}, walk(t, b, w, ferry.Test, w.id(2), 2))
	require.Equal(t, []string{w.id(5)}, walk(t, b, w, ferry.Test, w.id(4), 2), "the id after which it begins may be of another environment")
	require.Empty(t, walk(t, b, w, ferry.Test, w.id(5), 2))
	require.Equal(t, []string{w.id(4)}, walk(t, b, w, ferry.Live, "", 9))
}

func updateKey(k wallets.SealedKey) body {
	return func(ctx context.Context, p store.Ports) error { return p.Wallets().UpdateKey(ctx, k) }
}

func testKeyUpdate(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("a key is sealed anew, and compared from then on", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAddress(address(1)))
		row := look(t, b, sealedKeyOf(home, address(1).ID))
		row.Sealed, row.KeyVersion = []byte{9, 0, 9}, 2
		write(t, b, updateKey(row))
		staleWrite(t, b, updateKey(row))
		row.Version = 2
		require.Equal(t, row, look(t, b, sealedKeyOf(home, row.ID)))
	})
	t.Run("whose a key is, and the key itself, stay", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAddress(address(1)))
		want := look(t, b, sealedKeyOf(home, address(1).ID))
		other := want
		other.PublicKey, other.Wallet, other.CreatedAt = "B", custodyWallet(2).ID, after(7)
		write(t, b, updateKey(other))
		want.Version = 2
		require.Equal(t, want, look(t, b, sealedKeyOf(home, want.ID)))
	})
	t.Run("a key is replaced in its scope only", func(t *testing.T) {
		b := open(t)
		write(t, b, insertAddress(address(1)))
		for _, scope := range []ferry.Scope{away, live} {
			foreign := look(t, b, sealedKeyOf(home, address(1).ID))
			foreign.Scope = scope
			refuse(t, b, wallets.ErrAddressNotFound, updateKey(foreign))
		}
		refuse(t, b, wallets.ErrAddressNotFound, updateKey(sealedKey(address(2))))
	})
}

// all is several bodies in one unit.
func all(bodies ...body) body {
	return func(ctx context.Context, p store.Ports) error {
		for _, do := range bodies {
			if err := do(ctx, p); err != nil {
				return err
			}
		}
		return nil
	}
}
