package memo_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/wallets/internal/memo"
)

func TestAMarkTellsWhoHasTheKeysWhichAttemptItIs(t *testing.T) {
	ours := memo.Marks{Sealer: seal.Ephemeral()}
	others := memo.Marks{Sealer: seal.Ephemeral()}
	rapid.Check(t, func(t *rapid.T) {
		m := memo.Mark{
			Transfer: fmt.Sprintf("trx_%032x", rapid.Uint64().Draw(t, "id")),
			Attempt:  rapid.IntRange(1, 65535).Draw(t, "attempt"),
		}
		text, err := ours.Write(ferry.Test, m)
		require.NoError(t, err)
		require.Len(t, " "+text, memo.Length)
		full := memo.Unique(rapid.String().Draw(t, "memo"), text)
		read, ok := ours.Read(ferry.Test, full)
		require.True(t, ok)
		require.Equal(t, m, read)
		for _, c := range []struct {
			reader memo.Marks
			env    ferry.Env
			text   string
		}{{others, ferry.Test, full}, {ours, ferry.Live, full}, {ours, ferry.Test, full + "x"}, {ours, ferry.Test, full + " x"}, {ours, ferry.Test, strings.ToLower(full) + "A"}} {
			_, ok := c.reader.Read(c.env, c.text)
			require.False(t, ok, "%q", c.text)
		}
	})
	for _, text := range []string{"", " ", "rent", strings.Repeat("A", 32), strings.Repeat("€", 32)} {
		_, ok := ours.Read(ferry.Test, text)
		require.False(t, ok)
	}
	for _, id := range []string{"trx_short", "trx_" + strings.Repeat("0", 30), "trx_" + strings.Repeat("0", 34)} {
		_, err := ours.Write(ferry.Test, memo.Mark{Transfer: id, Attempt: 1})
		require.Error(t, err, id)
	}
}

func TestMarksOfTwoAttemptsDiffer(t *testing.T) {
	s := memo.Marks{Sealer: seal.Ephemeral()}
	seen := map[string]bool{}
	for id := range 20 {
		for attempt := range 20 {
			text, err := s.Write(ferry.Test, memo.Mark{Transfer: fmt.Sprintf("trx_%032x", id), Attempt: attempt})
			require.NoError(t, err)
			require.False(t, seen[text])
			seen[text] = true
		}
	}
}
