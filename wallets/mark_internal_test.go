package wallets

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/seal"
)

func TestAMarkTellsWhoHasTheKeysWhichAttemptItIs(t *testing.T) {
	ours := New(ferry.EnvUnits[Tx]{}, Config{Sealer: seal.Ephemeral()}, Hooks[Tx]{})
	others := New(ferry.EnvUnits[Tx]{}, Config{Sealer: seal.Ephemeral()}, Hooks[Tx]{})
	rapid.Check(t, func(t *rapid.T) {
		m := mark{
			Transfer: TransferID(fmt.Sprintf("trx_%032x", rapid.Uint64().Draw(t, "id"))),
			Attempt:  rapid.IntRange(1, 65535).Draw(t, "attempt"),
		}
		text, err := ours.writeMark(ferry.Test, m)
		require.NoError(t, err)
		require.Len(t, " "+text, attemptMark)
		memo := uniqueMemo(rapid.String().Draw(t, "memo"), text)
		read, ok := ours.readMark(ferry.Test, memo)
		require.True(t, ok)
		require.Equal(t, m, read)
		for _, c := range []struct {
			reader *Service
			env    ferry.Env
			memo   string
		}{{others, ferry.Test, memo}, {ours, ferry.Live, memo}, {ours, ferry.Test, memo + "x"}, {ours, ferry.Test, memo + " x"}, {ours, ferry.Test, strings.ToLower(memo) + "A"}} {
			_, ok := c.reader.readMark(c.env, c.memo)
			require.False(t, ok, "%q", c.memo)
		}
	})
	for _, memo := range []string{"", " ", "rent", strings.Repeat("A", 32), strings.Repeat("€", 32)} {
		_, ok := ours.readMark(ferry.Test, memo)
		require.False(t, ok)
	}
	_, err := ours.writeMark(ferry.Test, mark{Transfer: "trx_short", Attempt: 1})
	require.Error(t, err)
}

func TestMarksOfTwoAttemptsDiffer(t *testing.T) {
	s := New(ferry.EnvUnits[Tx]{}, Config{Sealer: seal.Ephemeral()}, Hooks[Tx]{})
	seen := map[string]bool{}
	for id := range 20 {
		for attempt := range 20 {
			text, err := s.writeMark(ferry.Test, mark{TransferID(fmt.Sprintf("trx_%032x", id)), attempt})
			require.NoError(t, err)
			require.False(t, seen[text])
			seen[text] = true
		}
	}
}
