package tinkseal_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/seal/sealtest"
	"github.com/ferrypay/ferry/seal/tinkseal"
)

func newKEK(t testing.TB) tinkseal.KEK {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kek")
	require.NoError(t, tinkseal.CreateKEK(path))
	kek, err := tinkseal.FileKEK(path)
	require.NoError(t, err)
	return kek
}

// created makes a key file.
func created(t testing.TB) (path string, kek tinkseal.KEK) {
	t.Helper()
	path, kek = filepath.Join(t.TempDir(), "keys.json"), newKEK(t)
	require.NoError(t, tinkseal.Create(path, kek))
	return path, kek
}

func loaded(t testing.TB, path string, kek tinkseal.KEK) *tinkseal.Keyset {
	t.Helper()
	k, err := tinkseal.Load(path, kek)
	require.NoError(t, err)
	return k
}

func TestAKeysetIsASealer(t *testing.T) {
	for _, c := range []struct {
		name      string
		rotations int
	}{{"with one key", 0}, {"with keys of three rotations", 3}} {
		t.Run(c.name, func(t *testing.T) {
			sealtest.Run(t, func(t testing.TB) (seal.Sealer, func() seal.Sealer) {
				path, kek := created(t)
				for range c.rotations {
					require.NoError(t, tinkseal.Rotate(path, kek))
				}
				return loaded(t, path, kek), func() seal.Sealer { return loaded(t, path, kek) }
			})
		})
	}
}
