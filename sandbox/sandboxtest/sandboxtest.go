// Package sandboxtest is the executable contract of sandbox.Store.
//
//	func TestMine(t *testing.T) {
//		sandboxtest.Run(t, func(t *testing.T) sandbox.Store { return open(t) })
//	}
package sandboxtest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/sandbox"
)

// Run tests a store. open returns an empty one.
func Run(t *testing.T, open func(t *testing.T) sandbox.Store) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, s sandbox.Store)
	}{
		{"an absent key has no document", testAbsent},
		{"a document is read as it was written", testPut},
		{"a later write replaces and a delete removes", testReplace},
		{"a transaction reads its own writes", testOwnWrites},
		{"an error leaves no trace", testError},
		{"a panic leaves no trace", testPanic},
		{"a view refuses writes", testReadOnly},
		{"a scan tells keys in order, after a key, with a limit", testScan},
		{"a scan keeps to its prefix", testPrefix},
		{"clear leaves what it is to keep", testClear},
		{"updates of many do not lose one another", testConcurrent},
		{"a view sees whole updates only", testWholeUpdates},
		{"a context that has ended opens nothing", testContext},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

func put(t *testing.T, s sandbox.Store, pairs ...string) {
	t.Helper()
	require.NoError(t, s.Update(t.Context(), func(kv sandbox.KV) error {
		for i := 0; i < len(pairs); i += 2 {
			if err := kv.Put(pairs[i], []byte(pairs[i+1])); err != nil {
				return err
			}
		}
		return nil
	}))
}

// get returns the document of a key, or "absent".
func get(t *testing.T, s sandbox.Store, key string) string {
	t.Helper()
	text := "absent"
	require.NoError(t, s.View(t.Context(), 0, func(kv sandbox.KV) error {
		doc, found, err := kv.Get(key)
		if found {
			text = string(doc)
		}
		return err
	}))
	return text
}

func scan(t *testing.T, s sandbox.Store, prefix, after string, limit int) []string {
	t.Helper()
	var keys []string
	require.NoError(t, s.View(t.Context(), 0, func(kv sandbox.KV) error {
		docs, err := kv.Scan(prefix, after, limit)
		for _, d := range docs {
			keys = append(keys, d.Key+"="+string(d.Data))
		}
		return err
	}))
	return keys
}

func testAbsent(t *testing.T, s sandbox.Store) {
	require.Equal(t, "absent", get(t, s, "a"))
	require.Empty(t, scan(t, s, "", "", 10))
}

func testPut(t *testing.T, s sandbox.Store) {
	doc := []byte("one")
	require.NoError(t, s.Update(t.Context(), func(kv sandbox.KV) error {
		defer func() { doc[0] = 'X' }() // the caller may reuse its bytes
		return errors.Join(kv.Put("a/1", doc), kv.Put("empty", []byte{}))
	}))
	require.Equal(t, "one", get(t, s, "a/1"))
	require.Equal(t, "", get(t, s, "empty"))
}

func testReplace(t *testing.T, s sandbox.Store) {
	put(t, s, "a", "1", "b", "2")
	put(t, s, "a", "3")
	require.Equal(t, "3", get(t, s, "a"))
	require.NoError(t, s.Update(t.Context(), func(kv sandbox.KV) error {
		return errors.Join(kv.Delete("a"), kv.Delete("never there"))
	}))
	require.Equal(t, []string{"b=2"}, scan(t, s, "", "", 10))
}

func testOwnWrites(t *testing.T, s sandbox.Store) {
	put(t, s, "k/1", "1", "k/2", "2")
	require.NoError(t, s.Update(t.Context(), func(kv sandbox.KV) error {
		require.NoError(t, kv.Put("k/3", []byte("3")))
		require.NoError(t, kv.Delete("k/1"))
		_, found, err := kv.Get("k/1")
		require.NoError(t, err)
		require.False(t, found)
		docs, err := kv.Scan("k/", "", 10)
		require.NoError(t, err)
		require.Len(t, docs, 2)
		require.Equal(t, "k/3", docs[1].Key)
		return nil
	}))
}

var errBody = errors.New("the body failed")

func spoil(kv sandbox.KV) error {
	return errors.Join(kv.Put("a", []byte("9")), kv.Delete("b"), kv.Put("c", []byte("9")), kv.Put("a", []byte("8")))
}

func testError(t *testing.T, s sandbox.Store) {
	put(t, s, "a", "1", "b", "2")
	err := s.Update(t.Context(), func(kv sandbox.KV) error { return errors.Join(spoil(kv), errBody) })
	require.ErrorIs(t, err, errBody)
	require.Equal(t, []string{"a=1", "b=2"}, scan(t, s, "", "", 10))
}

func testPanic(t *testing.T, s sandbox.Store) {
	put(t, s, "a", "1", "b", "2")
	require.PanicsWithValue(t, "boom", func() {
		_ = s.Update(t.Context(), func(kv sandbox.KV) error {
			require.NoError(t, spoil(kv))
			panic("boom")
		})
	})
	require.Equal(t, []string{"a=1", "b=2"}, scan(t, s, "", "", 10))
}

func testReadOnly(t *testing.T, s sandbox.Store) {
	put(t, s, "a", "1")
	for name, write := range map[string]func(sandbox.KV) error{
		"Put":              func(kv sandbox.KV) error { return kv.Put("a", []byte("2")) },
		"Delete":           func(kv sandbox.KV) error { return kv.Delete("a") },
		"Delete of nobody": func(kv sandbox.KV) error { return kv.Delete("b") },
	} {
		require.ErrorIs(t, s.View(t.Context(), 0, write), ferry.ErrReadOnly, name)
	}
	require.Equal(t, "1", get(t, s, "a"))
}

func testScan(t *testing.T, s sandbox.Store) {
	var all []string
	for i := range 30 {
		n := (i * 7) % 30 // in another order than that of the keys
		put(t, s, fmt.Sprintf("k/%02d", n), strconv.Itoa(n))
		all = append(all, fmt.Sprintf("k/%02d=%d", i, i))
	}
	require.Equal(t, all, scan(t, s, "k/", "", 100))
	require.Equal(t, all[:4], scan(t, s, "k/", "", 4))
	require.Equal(t, all[11:15], scan(t, s, "k/", "k/10", 4))
	require.Equal(t, all[11:12], scan(t, s, "k/", "k/10x", 1), "after a key that is absent")
	require.Empty(t, scan(t, s, "k/", "k/29", 4))
	require.Empty(t, scan(t, s, "k/", "", 0))
}

func testPrefix(t *testing.T, s sandbox.Store) {
	put(t, s, "A", "0", "a", "1", "a/", "2", "a/b", "3", "a/b/c", "4", "a0", "5", "b%_", "6", "b%_x", "7", "bxyz", "8")
	require.Equal(t, []string{"a/=2", "a/b=3", "a/b/c=4"}, scan(t, s, "a/", "", 10))
	require.Equal(t, []string{"a/b=3", "a/b/c=4"}, scan(t, s, "a/", "a/", 10))
	require.Equal(t, []string{"a/=2", "a/b=3", "a/b/c=4"}, scan(t, s, "a/", "A", 10), "after a key before the prefix")
	require.Equal(t, []string{"b%_=6", "b%_x=7"}, scan(t, s, "b%_", "", 10), "nothing in a prefix is a pattern")
	require.Len(t, scan(t, s, "", "", 10), 9)
}

func testConcurrent(t *testing.T, s sandbox.Store) {
	put(t, s, "n", "0")
	const workers, rounds = 8, 20
	var running sync.WaitGroup
	failures := make(chan error, workers*rounds)
	for range workers {
		running.Go(func() {
			for range rounds {
				failures <- s.Update(t.Context(), increment)
			}
		})
	}
	running.Wait()
	close(failures)
	for err := range failures {
		require.NoError(t, err)
	}
	require.Equal(t, strconv.Itoa(workers*rounds), get(t, s, "n"))
}

func increment(kv sandbox.KV) error {
	doc, _, err := kv.Get("n")
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(string(doc))
	if err != nil {
		return err
	}
	return kv.Put("n", []byte(strconv.Itoa(n+1)))
}

func testWholeUpdates(t *testing.T, s sandbox.Store) {
	put(t, s, "a", "0", "b", "0")
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := range 100 {
			text := []byte(strconv.Itoa(i))
			_ = s.Update(t.Context(), func(kv sandbox.KV) error {
				return errors.Join(kv.Put("a", text), kv.Put("b", text))
			})
		}
	})
	for range 100 {
		require.NoError(t, s.View(t.Context(), 0, func(kv sandbox.KV) error {
			a, _, errA := kv.Get("a")
			b, _, errB := kv.Get("b")
			if err := errors.Join(errA, errB); err != nil {
				return err // the body runs again
			}
			require.Equal(t, string(a), string(b))
			return nil
		}))
	}
	writer.Wait()
}

func testContext(t *testing.T, s sandbox.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	body := func(sandbox.KV) error { return nil }
	require.ErrorIs(t, s.Update(ctx, body), context.Canceled)
	require.ErrorIs(t, s.View(ctx, 0, body), context.Canceled)
}

func testClear(t *testing.T, s sandbox.Store) {
	put(t, s, "chain/head", "1", "world", "5")
	failed := errors.New("failed")
	require.ErrorIs(t, s.Update(t.Context(), func(kv sandbox.KV) error {
		require.NoError(t, kv.Clear())
		require.NoError(t, kv.Put("world", []byte("6")))
		return failed
	}), failed)
	require.Equal(t, "1", get(t, s, "chain/head"), "it is taken back")
	require.Equal(t, "5", get(t, s, "world"))

	require.NoError(t, s.Update(t.Context(), func(kv sandbox.KV) error {
		if err := kv.Clear(); err != nil {
			return err
		}
		return kv.Put("world", []byte("6"))
	}))
	for key, want := range map[string]string{"chain/head": "absent", "world": "6"} {
		require.Equal(t, want, get(t, s, key), key)
	}
	require.ErrorIs(t, s.View(t.Context(), 0, func(kv sandbox.KV) error { return kv.Clear() }), ferry.ErrReadOnly)
}
