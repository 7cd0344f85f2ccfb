package webhook

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOnlyACursorThatWasGivenIsRead(t *testing.T) {
	for _, c := range []cursor{{0, 0}, {0, 42}, {3, 0}, {3, 42}} {
		got, ok := parseCursor(c.String(), c.resets)
		require.True(t, ok)
		require.Equal(t, c, got)
		got, ok = parseCursor(c.String(), c.resets+1)
		require.True(t, ok)
		require.Equal(t, cursor{resets: c.resets + 1}, got, "it counts anew")
	}
	for _, plain := range []string{"events:", "events:-1", "events:+1", "events:01", "events:0:1", "events:1:", "events:1:2:3", "events:1:-2", "events: 1", "1", "events:1 ", "events:99999999999999999999", "events:1:2x"} {
		_, ok := parseCursor(base64.RawURLEncoding.EncodeToString([]byte(plain)), 0)
		require.False(t, ok, plain)
	}
	_, ok := parseCursor("not base64!", 0)
	require.False(t, ok)
}
