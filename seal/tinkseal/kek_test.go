package tinkseal_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/seal/tinkseal"
)

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
