package webhook

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAFlowTellsHowManyAttemptsEndWithinATime(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f := flow{window: 4}
	f.begin(at)
	f.begin(at)
	require.Zero(t, f.within(time.Hour, at), "none has ended yet")
	f.end(at.Add(10 * time.Millisecond))
	require.Equal(t, 10, f.within(100*time.Millisecond, at.Add(10*time.Millisecond)))
	require.Equal(t, 2, f.within(100*time.Millisecond, at.Add(60*time.Millisecond)), "the next one is late")
	f.end(at.Add(20 * time.Millisecond))
	f.begin(at.Add(time.Hour))
	require.Equal(t, 10, f.within(100*time.Millisecond, at.Add(time.Hour)), "a rest is no gap")
	f.end(at)
	require.Positive(t, f.gap, "the clock was set back")
	f.begin(at)
	f.end(at.Add(100 * time.Hour))
	require.Less(t, f.gap, time.Second, "a machine that slept is no slow receiver for long")
}
