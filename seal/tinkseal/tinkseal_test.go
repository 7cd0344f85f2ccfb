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
		requireDamaged(t, broken, flipped, kek)
	}
	for i := range len(whole) - 1 { // the last byte ends the line
		requireDamaged(t, broken, whole[:i], kek)
	}
	requireDamaged(t, broken, append(bytes.Clone(whole), whole...), kek)
	requireDamaged(t, broken, []byte("null"), kek)
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

func TestAfterARotationTheNewKeySealsAndAllOpen(t *testing.T) {
	path, kek := created(t)
	first := loaded(t, path, kek)
	before := sealed(t, first)
	digest, pepper := first.Digest(secret, "p"), first.Pepper()
	for n := 2; n <= 4; n++ {
		require.NoError(t, tinkseal.Rotate(path, kek))
		k := loaded(t, path, kek)
		require.Len(t, k.Keys(), n)
		requireOpens(t, k, before)
		require.False(t, k.Current(before))
		after := sealed(t, k)
		requireOpens(t, k, after)
		require.True(t, k.Current(after))
		require.Equal(t, k.Keys()[n-1].ID, k.KeyOf(after))
		require.Equal(t, k.Keys()[0].ID, k.KeyOf(before))
		require.Equal(t, digest, k.Digest(secret, "p"))
		require.Equal(t, pepper, k.Pepper())
		requireOnePrimary(t, k.Keys(), n-1)
	}
}

func requireOnePrimary(t *testing.T, keys []tinkseal.Key, at int) {
	t.Helper()
	for i, key := range keys {
		require.Equal(t, i == at, key.Primary)
		require.Equal(t, "ENABLED", key.Status)
		require.NotEmpty(t, key.ID)
	}
}

func TestAPepperIsSecretAndItsCallersOwn(t *testing.T) {
	path, kek := created(t)
	k := loaded(t, path, kek)
	pepper := k.Pepper()
	require.Len(t, pepper, 32)
	clear(pepper)
	require.NotEqual(t, pepper, k.Pepper())
	require.NotEqual(t, k.Pepper(), k.Digest(nil, "pepper"))
	other, otherKEK := created(t)
	require.NotEqual(t, k.Pepper(), loaded(t, other, otherKEK).Pepper())
}

func TestAServerFollowsARotationWithoutARestart(t *testing.T) {
	path, kek := created(t)
	server := loaded(t, path, kek)
	require.NoError(t, tinkseal.Rotate(path, kek))

	requireOpens(t, server, sealed(t, loaded(t, path, kek)))
	require.True(t, loaded(t, path, kek).Current(sealed(t, server)), "and it seals under the new key")
	require.True(t, server.Current(sealed(t, server)))

	another := loaded(t, path, kek)
	require.NoError(t, tinkseal.Rotate(path, kek))
	require.True(t, loaded(t, path, kek).Current(sealed(t, another)), "though it has met no text under it")
}

func TestAServerNeverSealsUnderAFormerKeyBecauseItCannotReadTheFile(t *testing.T) {
	path, kek := created(t)
	server, before := loaded(t, path, kek), read(t, path)
	text := sealed(t, server)
	require.NoError(t, tinkseal.Rotate(path, kek))
	after := read(t, path)
	for name, c := range map[string]struct {
		spoil func(t *testing.T)
		err   error
	}{
		"exposed": {func(t *testing.T) { require.NoError(t, os.Chmod(path, 0o644)) }, tinkseal.ErrExposed},
		"damaged": {func(t *testing.T) { require.NoError(t, os.WriteFile(path, after[:40], 0o600)) }, tinkseal.ErrDamaged},
		"another KEK": {func(t *testing.T) {
			require.NoError(t, tinkseal.ChangeKEK(path, kek, newKEK(t)))
		}, tinkseal.ErrWrongKEK},
		"foreign": {func(t *testing.T) {
			require.NoError(t, os.Remove(path))
			require.NoError(t, tinkseal.Create(path, kek))
		}, tinkseal.ErrReplaced},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(path, after, 0o600))
			require.NoError(t, os.Chmod(path, 0o600))
			c.spoil(t)
			_, err := server.Seal(secret, home)
			require.ErrorIs(t, err, c.err)
			requireOpens(t, server, text)
		})
	}
	t.Run("but a file that is gone has nothing newer", func(t *testing.T) {
		require.NoError(t, os.Remove(path))
		requireOpens(t, server, sealed(t, server))
	})
	t.Run("and one that is good again is followed", func(t *testing.T) {
		require.NoError(t, os.WriteFile(path, before, 0o600))
		requireOpens(t, server, sealed(t, server))
	})
}

func TestChangingTheKEKChangesNothingElse(t *testing.T) {
	path, kek := created(t)
	require.NoError(t, tinkseal.Rotate(path, kek))
	server := loaded(t, path, kek)
	text, digest, keys := sealed(t, server), server.Digest(secret, "p"), server.Keys()

	to := newKEK(t)
	require.ErrorIs(t, tinkseal.ChangeKEK(path, to, kek), tinkseal.ErrWrongKEK)
	require.NoError(t, tinkseal.ChangeKEK(path, kek, to))
	_, err := tinkseal.Load(path, kek)
	require.ErrorIs(t, err, tinkseal.ErrWrongKEK)
	k := loaded(t, path, to)
	requireOpens(t, k, text)
	require.Equal(t, digest, k.Digest(secret, "p"))
	require.Equal(t, keys, k.Keys())

	requireOpens(t, k, sealed(t, server))
	require.NoError(t, tinkseal.Rotate(path, to))
	_, err = server.Seal(secret, home)
	require.ErrorIs(t, err, tinkseal.ErrWrongKEK, "it cannot know the new key")
	requireOpens(t, server, text)
}

func TestAKeyIsDroppedWhenNothingIsSealedUnderIt(t *testing.T) {
	path, kek := created(t)
	text := sealed(t, loaded(t, path, kek))
	require.NoError(t, tinkseal.Rotate(path, kek))
	keys := loaded(t, path, kek).Keys()
	counting := func(n int, err error) func(string) (int, error) {
		return func(id string) (int, error) {
			require.Equal(t, keys[0].ID, id)
			return n, err
		}
	}
	broken := errors.New("no database")
	require.ErrorIs(t, tinkseal.Drop(path, kek, keys[0].ID, counting(1, nil)), tinkseal.ErrInUse)
	require.ErrorIs(t, tinkseal.Drop(path, kek, keys[0].ID, counting(0, broken)), broken)
	require.ErrorIs(t, tinkseal.Drop(path, kek, keys[1].ID, counting(0, nil)), tinkseal.ErrPrimary)
	for _, id := range []string{"", "x", "1", "99999999999999", "-1"} {
		require.ErrorIs(t, tinkseal.Drop(path, kek, id, counting(0, nil)), tinkseal.ErrUnknownKey, id)
	}
	require.Equal(t, keys, loaded(t, path, kek).Keys())

	require.NoError(t, tinkseal.Drop(path, kek, keys[0].ID, counting(0, nil)))
	k := loaded(t, path, kek)
	require.Equal(t, keys[1:], k.Keys())
	_, err := k.Open(text, home)
	require.ErrorIs(t, err, seal.ErrTampered)
	requireAlone(t, path)
}

func TestADraftThatWasLeftBehindStopsWhoeverChangesKeys(t *testing.T) {
	path, kek := created(t)
	require.NoError(t, os.WriteFile(path+".new", []byte("half"), 0o600))
	err := tinkseal.Rotate(path, kek)
	require.ErrorIs(t, err, tinkseal.ErrBusy)
	require.ErrorContains(t, err, path+".new")
	require.ErrorIs(t, tinkseal.Create(path, kek), tinkseal.ErrBusy)
	loaded(t, path, kek)
	require.FileExists(t, path+".new", "it may be somebody's who is at work")
}

func TestAKEKComesFromAFileOrTheEnvironment(t *testing.T) {
	text := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32))
	path := filepath.Join(t.TempDir(), "kek")
	require.NoError(t, os.WriteFile(path, []byte(text+"\n"), 0o600))
	fromFile, err := tinkseal.FileKEK(path)
	require.NoError(t, err)
	t.Setenv("FERRY_KEK", text)
	fromEnv, err := tinkseal.EnvKEK("FERRY_KEK")
	require.NoError(t, err)

	keys := filepath.Join(t.TempDir(), "keys.json")
	require.NoError(t, tinkseal.Create(keys, fromFile))
	loaded(t, keys, fromEnv)
}

func TestWhatIsNoKEKIsRefusedAndNotShown(t *testing.T) {
	short := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 31))
	for name, text := range map[string]string{
		"nothing": "", "too short": short, "no base64": "this is not a key, but a passphrase",
		"too long": base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 33)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("FERRY_KEK", text)
			_, err := tinkseal.EnvKEK("FERRY_KEK")
			require.ErrorIs(t, err, tinkseal.ErrNoKEK)
			require.ErrorContains(t, err, "$FERRY_KEK")
			path := filepath.Join(t.TempDir(), "kek")
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			_, fileErr := tinkseal.FileKEK(path)
			require.ErrorIs(t, fileErr, tinkseal.ErrNoKEK)
			if text != "" {
				require.NotContains(t, err.Error(), text)
				require.NotContains(t, fileErr.Error(), text)
			}
		})
	}
	_, err := tinkseal.EnvKEK("FERRY_KEK_THAT_IS_NOT_SET")
	require.ErrorIs(t, err, tinkseal.ErrNoKEK)
}

func TestAKEKFileThatOthersCanReadIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kek")
	_, err := tinkseal.FileKEK(path)
	require.ErrorIs(t, err, tinkseal.ErrMissing)
	require.NoError(t, tinkseal.CreateKEK(path))
	require.ErrorIs(t, tinkseal.CreateKEK(path), tinkseal.ErrExists)
	for _, mode := range []fs.FileMode{0o640, 0o604} {
		require.NoError(t, os.Chmod(path, mode))
		_, err := tinkseal.FileKEK(path)
		require.ErrorIs(t, err, tinkseal.ErrExposed)
	}
}

func TestAKEKIsNotPrinted(t *testing.T) {
	kek := newKEK(t)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
		require.Equal(t, "[redacted]", fmt.Sprintf(verb, kek))
	}
	text, err := json.Marshal(kek)
	require.NoError(t, err)
	require.JSONEq(t, `"[redacted]"`, string(text))
}

// service is a key management service: its key does not leave it, and it may
// refuse.
type service struct {
	tinkseal.KEK
	calls int
	bound [][]byte
	err   error
}

func (s *service) Decrypt(text, bound []byte) ([]byte, error) {
	s.calls++
	s.bound = append(s.bound, bound)
	if s.err != nil {
		return nil, s.err
	}
	return s.KEK.Decrypt(text, bound)
}

func TestAKeyManagementServiceIsAKEK(t *testing.T) {
	path, kek := created(t)
	kms := &service{KEK: kek}
	k := loaded(t, path, kms)
	calls := kms.calls
	require.Positive(t, calls)
	require.NotEqual(t, kms.bound[0], kms.bound[1], "each keyset is bound to what it is for")
	requireOpens(t, k, sealed(t, k))
	require.Equal(t, calls, kms.calls, "it is not asked for single texts")

	kms.err = errors.New("access denied")
	_, err := tinkseal.Load(path, kms)
	require.ErrorIs(t, err, tinkseal.ErrWrongKEK)
	require.ErrorContains(t, err, "access denied")
}

func TestWhatIsNoTextIsUnderNoKey(t *testing.T) {
	path, kek := created(t)
	k := loaded(t, path, kek)
	require.Empty(t, k.KeyOf(nil))
	require.Empty(t, k.KeyOf([]byte{1, 2, 3}))
	require.Empty(t, k.KeyOf(bytes.Repeat([]byte{2}, 64)))
	require.False(t, k.Current(nil))
}
