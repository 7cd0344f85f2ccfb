package mac_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"sync"
	"testing"

	"github.com/ferrypay/ferry/internal/mac"
	"github.com/stretchr/testify/require"
)

func TestASumIsTheHMACOfItsParts(t *testing.T) {
	plain := hmac.New(sha256.New, []byte("key"))
	plain.Write([]byte("one two"))
	want := plain.Sum(nil)
	key := mac.New(sha256.New, []byte("key"))
	require.Equal(t, want, key.Sum([]byte("one two")))
	require.Equal(t, want, key.Sum([]byte("one"), []byte(" two")), "after another sum")
}

func TestManySumAtOnce(t *testing.T) {
	key := mac.New(sha256.New, []byte("key"))
	want := key.Sum([]byte("text"))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				if got := key.Sum([]byte("text")); !hmac.Equal(want, got) {
					t.Error("another sum")
				}
			}
		})
	}
	all.Wait()
}
