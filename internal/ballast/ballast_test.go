package ballast_test

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/ballast"
)

func TestGarbageGathersBeforeItIsCollected(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	without := collections()
	taken := ballast.Take()
	with := collections()
	runtime.KeepAlive(taken)
	require.Greater(t, without, 4*with)
}

// collections is how often 256 MB of garbage are collected.
func collections() int {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 1 << 16 {
		kept = make([]byte, 4<<10)
	}
	runtime.ReadMemStats(&after)
	return int(after.NumGC - before.NumGC)
}

var kept []byte

func TestAnOperatorsOwnSettingStands(t *testing.T) {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "100")
			require.Empty(t, ballast.Take())
		})
	}
}
