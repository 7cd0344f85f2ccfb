package sandbox_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sandbox/sandboxtest"
)

func TestMemoryKeepsTheContract(t *testing.T) {
	sandboxtest.Run(t, func(*testing.T) sandbox.Store { return sandbox.NewMemory() })
}

func TestMemoryAgreesWithASortedMap(t *testing.T) {
	key, part := rapid.StringMatching(`[ab]{1,4}`), rapid.StringMatching(`[ab]{0,4}`)
	rapid.Check(t, func(t *rapid.T) {
		store, model := sandbox.NewMemory(), map[string]string{}
		for i := range rapid.IntRange(1, 60).Draw(t, "steps") {
			k := key.Draw(t, "key")
			remove := rapid.Bool().Draw(t, "remove")
			require.NoError(t, store.Update(t.Context(), func(kv sandbox.KV) error {
				if remove {
					return kv.Delete(k)
				}
				return kv.Put(k, fmt.Append(nil, i))
			}))
			delete(model, k)
			if !remove {
				model[k] = fmt.Sprint(i)
			}
		}
		prefix, after := part.Draw(t, "prefix"), part.Draw(t, "after")
		require.NoError(t, store.View(t.Context(), 0, func(kv sandbox.KV) error {
			docs, err := kv.Scan(prefix, after, 1000)
			var got, want []string
			for _, d := range docs {
				got = append(got, d.Key+"="+string(d.Data))
			}
			for k, v := range model {
				if strings.HasPrefix(k, prefix) && (k > after || after == "") {
					want = append(want, k+"="+v)
				}
			}
			slices.SortFunc(want, func(a, b string) int { return strings.Compare(a[:strings.Index(a, "=")], b[:strings.Index(b, "=")]) })
			require.Equal(t, want, got)
			return err
		}))
	})
}
