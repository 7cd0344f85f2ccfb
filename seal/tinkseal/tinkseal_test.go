package tinkseal_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/seal/tinkseal"
)

var (
	home   = seal.Context{Purpose: "customer.bvn", Env: "test", Owner: "cus_1", Version: 1}
	secret = []byte("22212345678")
)

func sealed(t *testing.T, s seal.Sealer) []byte {
	t.Helper()
	text, err := s.Seal(secret, home)
	require.NoError(t, err)
	return text
}

func requireOpens(t *testing.T, s seal.Sealer, text []byte) {
	t.Helper()
	plain, err := s.Open(text, home)
	require.NoError(t, err)
	require.Equal(t, secret, plain)
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return text
}

func requireAlone(t *testing.T, path string) {
	t.Helper()
	require.NoFileExists(t, path+".new", "no draft stays behind")
}

func TestAKeyFileIsItsOwners(t *testing.T) {
	path, kek := created(t)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode())
	require.NoError(t, tinkseal.Rotate(path, kek))
	info, err = os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode())
}

func TestAKeyFileShowsNoKey(t *testing.T) {
	path, kek := created(t)
	k := loaded(t, path, kek)
	require.NotContains(t, string(read(t, path)), base64.StdEncoding.EncodeToString(k.Pepper()))
	var document map[string]any
	require.NoError(t, json.Unmarshal(read(t, path), &document))
	require.Equal(t, k.Keys()[0].ID, document["primary"])
}

func TestCreateLeavesAFileAlone(t *testing.T) {
	path, kek := created(t)
	before := read(t, path)
	require.ErrorIs(t, tinkseal.Create(path, kek), tinkseal.ErrExists)
	require.ErrorIs(t, tinkseal.CreateKEK(path), tinkseal.ErrExists)
	require.Equal(t, before, read(t, path))
	requireAlone(t, path)

	empty := filepath.Join(t.TempDir(), "empty")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	require.ErrorIs(t, tinkseal.Create(empty, kek), tinkseal.ErrExists)
}

func TestOfManyWhoCreateAFileOneSucceeds(t *testing.T) {
	path, kek := filepath.Join(t.TempDir(), "keys.json"), newKEK(t)
	errs := make([]error, 8)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { errs[i] = tinkseal.Create(path, kek) })
	}
	all.Wait()
	succeeded := 0
	for _, err := range errs {
		if err == nil {
			succeeded++
			continue
		}
		require.True(t, errors.Is(err, tinkseal.ErrExists) || errors.Is(err, tinkseal.ErrBusy), err)
	}
	require.Equal(t, 1, succeeded)
	loaded(t, path, kek)
	requireAlone(t, path)
}

func TestNoRotationOfManyIsLost(t *testing.T) {
	path, kek := created(t)
	k := loaded(t, path, kek)
	rotated, failed := make([]error, 8), make([]error, 8)
	texts := make([][]byte, 8)
	var all sync.WaitGroup
	for i := range texts {
		all.Go(func() {
			rotated[i] = tinkseal.Rotate(path, kek)
			texts[i], failed[i] = k.Seal(secret, home)
		})
	}
	all.Wait()
	keys := 1
	for i, err := range rotated {
		require.NoError(t, failed[i])
		requireOpens(t, loaded(t, path, kek), texts[i])
		if err == nil {
			keys++
		} else {
			require.ErrorIs(t, err, tinkseal.ErrBusy)
		}
	}
	require.Greater(t, keys, 1)
	require.Len(t, loaded(t, path, kek).Keys(), keys)
}

func TestAKeyFileThatOthersCanReadIsRefused(t *testing.T) {
	path, kek := created(t)
	for _, mode := range []fs.FileMode{0o640, 0o604, 0o660, 0o606, 0o610, 0o777} {
		t.Run(mode.String(), func(t *testing.T) {
			require.NoError(t, os.Chmod(path, mode))
			_, err := tinkseal.Load(path, kek)
			require.ErrorIs(t, err, tinkseal.ErrExposed)
			require.ErrorContains(t, err, path)
			require.ErrorIs(t, tinkseal.Rotate(path, kek), tinkseal.ErrExposed)
			requireAlone(t, path)
		})
	}
	for _, mode := range []fs.FileMode{0o600, 0o400} {
		require.NoError(t, os.Chmod(path, mode))
		loaded(t, path, kek)
	}
}

func TestAKeyFileThatIsMissingIsNamed(t *testing.T) {
	path, kek := filepath.Join(t.TempDir(), "keys.json"), newKEK(t)
	_, err := tinkseal.Load(path, kek)
	require.ErrorIs(t, err, tinkseal.ErrMissing)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, path)
	require.ErrorIs(t, tinkseal.Rotate(path, kek), tinkseal.ErrMissing)
	require.NoFileExists(t, path)
	requireAlone(t, path)
}

func TestAnotherKEKIsToldFromADamagedFile(t *testing.T) {
	path, kek := created(t)
	_, err := tinkseal.Load(path, newKEK(t))
	require.ErrorIs(t, err, tinkseal.ErrWrongKEK)
	require.NotErrorIs(t, err, tinkseal.ErrDamaged)
	require.ErrorIs(t, tinkseal.Rotate(path, newKEK(t)), tinkseal.ErrWrongKEK)

	whole, broken := read(t, path), filepath.Join(t.TempDir(), "keys.json")
	for i := range whole {
		flipped := bytes.Clone(whole)
		flipped[i] ^= 0x11
		if saysTheSame(whole, flipped) {
			continue
		}
		requireDamaged(t, broken, flipped, kek)
	}
	for i := range len(whole) - 1 { // the last byte ends the line
		requireDamaged(t, broken, whole[:i], kek)
	}
	requireDamaged(t, broken, append(bytes.Clone(whole), whole...), kek)
	requireDamaged(t, broken, []byte("null"), kek)
}

// saysTheSame reports whether two key files have the same content: some bits of the last
// character of base64 mean nothing.
func saysTheSame(one, other []byte) bool {
	type document struct {
		Format, ID, Primary, Sum string
		Seal, Digest             []byte
	}
	var a, b document
	return json.Unmarshal(one, &a) == nil && json.Unmarshal(other, &b) == nil && reflect.DeepEqual(a, b)
}

func requireDamaged(t *testing.T, path string, text []byte, kek tinkseal.KEK) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, text, 0o600))
	_, err := tinkseal.Load(path, kek)
	require.ErrorIs(t, err, tinkseal.ErrDamaged)
	require.NotErrorIs(t, err, tinkseal.ErrWrongKEK)
}

func TestTheKeysetsOfTwoFilesDoNotMix(t *testing.T) {
	type document struct {
		Format, ID, Primary, Sum string
		Seal, Digest             []byte
	}
	kek, path := newKEK(t), filepath.Join(t.TempDir(), "mixed.json")
	var a, b document
	for _, d := range []*document{&a, &b} {
		keys := filepath.Join(t.TempDir(), "keys.json")
		require.NoError(t, tinkseal.Create(keys, kek))
		require.NoError(t, json.Unmarshal(read(t, keys), d))
	}
	for name, mix := range map[string]func(d *document){
		"the keys that seal": func(d *document) { d.Seal = b.Seal },
		"the digest's":       func(d *document) { d.Digest = b.Digest },
		"the id":             func(d *document) { d.ID = b.ID },
		"one for the other":  func(d *document) { d.Seal, d.Digest = d.Digest, d.Seal },
	} {
		t.Run(name, func(t *testing.T) {
			mixed := a
			mix(&mixed)
			text, err := json.Marshal(mixed)
			require.NoError(t, err)
			requireDamaged(t, path, text, kek) // by the checksum, to begin with

			sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %x %x", mixed.Format, mixed.ID, mixed.Primary, mixed.Seal, mixed.Digest))
			mixed.Sum = hex.EncodeToString(sum[:])
			text, err = json.Marshal(mixed)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, text, 0o600))
			_, err = tinkseal.Load(path, kek)
			require.ErrorIs(t, err, tinkseal.ErrWrongKEK, "and each is bound to its file")
		})
	}
}
