package tinkseal_test

import (
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/seal/tinkseal"
)

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
