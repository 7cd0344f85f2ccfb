package ferry_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestAnIDIsAPrefixAndTheDigitsOfAUUIDv7(t *testing.T) {
	id := ferry.NewIDs(rand.Reader).NewID("wal_", noon.Add(7*time.Millisecond))

	require.Regexp(t, `^wal_[0-9a-f]{32}$`, id)
	parsed, err := uuid.Parse(strings.TrimPrefix(id, "wal_"))
	require.NoError(t, err)
	require.Equal(t, uuid.Version(7), parsed.Version())
	require.Equal(t, uuid.RFC4122, parsed.Variant())
	sec, nsec := parsed.Time().UnixTime()
	require.Equal(t, noon.Add(7*time.Millisecond), time.Unix(sec, nsec).UTC())
}

func TestIDsOfOneProcessSortInTheOrderTheyWereMade(t *testing.T) {
	for name, at := range map[string]func(i int) time.Time{
		"within a millisecond":              func(int) time.Time { return noon },
		"as time goes on":                   func(i int) time.Time { return noon.Add(time.Duration(i) * time.Millisecond) },
		"from units of two instants":        func(i int) time.Time { return noon.Add(time.Duration(i%2) * time.Millisecond) },
		"when the clock is set back":        func(i int) time.Time { return noon.Add(-time.Duration(i) * time.Second) },
		"before the beginning of all times": func(int) time.Time { return time.Unix(-1, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			ids := ferry.NewIDs(rand.Reader)
			var made []string
			for i := range 2000 {
				made = append(made, ids.NewID("", at(i)))
			}
			require.True(t, slices.IsSorted(made))
			require.Len(t, slices.Compact(slices.Clone(made)), len(made))
		})
	}
}

func TestIDsSortWhenTheCounterOfAMillisecondIsUsedUp(t *testing.T) {
	ids := ferry.NewIDs(rand.Reader)
	last := ids.NewID("", noon)
	ids.UseUp()
	for range 10 {
		next := ids.NewID("", noon)
		require.Greater(t, next, last)
		last = next
	}
}

func TestTheSameRandomnessMakesTheSameIDs(t *testing.T) {
	of := func() string { return ferry.NewIDs(bytes.NewReader(make([]byte, 100))).NewID("evt_", noon) }
	one, two := of(), of()
	require.Equal(t, one, two)
}

func TestIDsAreUniqueAcrossGoroutines(t *testing.T) {
	ids := ferry.NewIDs(rand.Reader)
	var mu sync.Mutex
	seen := map[string]bool{}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 500 {
				id := ids.NewID("", noon)
				mu.Lock()
				seen[id] = true
				mu.Unlock()
			}
		})
	}
	all.Wait()
	require.Len(t, seen, 4000)
}

func TestNoIDIsMadeWithoutRandomness(t *testing.T) {
	for _, source := range []io.Reader{strings.NewReader("short"), iotest.ErrReader(errors.New("broken"))} {
		require.Panics(t, func() { ferry.NewIDs(source).NewID("wal_", noon) })
	}
}

const digits = "018f0a1b2c3d7e4f8a5b6c7d8e9f0a1b"

func TestAnIDIsAcceptedInItsCurrentAndItsLegacyForm(t *testing.T) {
	require.Equal(t, "uid_"+digits, ferry.UID("wal_"+digits))
	require.Equal(t, digits, ferry.UID(digits), "what has no prefix stays")
	for _, text := range []string{"wal_" + digits, "uid_" + digits} {
		id, ok := ferry.CanonicalID("wal_", text)
		require.True(t, ok)
		require.Equal(t, "wal_"+digits, id)
	}
}

func TestOtherTextIsNoID(t *testing.T) {
	for _, text := range []string{
		"", "wal_", digits, "cus_" + digits, "wal_" + digits[1:], "wal_" + digits + "0", "WAL_" + digits,
		"wal_" + strings.ToUpper(digits), "wal_" + digits[:31] + "g", " wal_" + digits, "wal_" + digits + "\n",
		"wal_uid_" + digits, "uid_wal_" + digits, "wal_" + digits[:28] + "éé",
	} {
		id, ok := ferry.CanonicalID("wal_", text)
		require.False(t, ok, text)
		require.Empty(t, id)
	}
}

func FuzzCanonicalID(f *testing.F) {
	f.Add("wal_" + digits)
	f.Add("uid_" + digits)
	f.Add("wal_")
	f.Fuzz(func(t *testing.T, text string) {
		id, ok := ferry.CanonicalID("wal_", text)
		if !ok {
			return
		}
		require.Regexp(t, `^wal_[0-9a-f]{32}$`, id)
		again, ok := ferry.CanonicalID("wal_", ferry.UID(id))
		require.True(t, ok)
		require.Equal(t, id, again)
	})
}

func TestAFrozenSourceMakesTheSameIdentifiersAgain(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	run := func() (ids []string) {
		source := ferry.NewFrozenIDs(strings.NewReader(strings.Repeat("chance", 10)), at)
		for i := range 3 {
			ids = append(ids, source.NewID("cus_", at.Add(time.Duration(i)*time.Hour)))
		}
		return ids
	}
	require.Equal(t, run(), run())
	require.IsIncreasing(t, run())
}

func TestNumbersOfIdentifiersRiseAndDiffer(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, source := range map[string]*ferry.IDs{
		"of one instant": ferry.NewFrozenIDs(mathrand.NewChaCha8([32]byte{1}), at),
		"of their own":   ferry.NewIDs(mathrand.NewChaCha8([32]byte{1})),
	} {
		t.Run(name, func(t *testing.T) {
			last := int64(0)
			for n := range 20_000 {
				number := ferry.Number(source.NewID("trf_", at.Add(time.Duration(n/10_000)*time.Millisecond)))
				require.Greater(t, number, last)
				last = number
			}
			require.Less(t, last, int64(1)<<53, "JavaScript reads it exactly")
		})
	}
	require.Zero(t, ferry.Number("trf_"))
	require.Zero(t, ferry.Number("trf_"+strings.Repeat("x", 32)))
}
