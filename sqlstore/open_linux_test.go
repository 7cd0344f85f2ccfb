package sqlstore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore/sqlite"
)

func TestAnOpeningThatFailsLeavesNoFileOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.db")
	require.NoError(t, open(t, path).Close(t.Context()))
	require.NoError(t, directly(t, path, "CREATE TRIGGER refused BEFORE UPDATE ON openings BEGIN SELECT RAISE(ABORT, 'not today'); END"))
	_, err := sqlite.Open(t.Context(), path)
	require.ErrorContains(t, err, "not today")
	descriptors, err := filepath.Glob("/proc/self/fd/*")
	require.NoError(t, err)
	for _, descriptor := range descriptors {
		name, _ := os.Readlink(descriptor) // some are gone by now
		require.False(t, strings.HasPrefix(name, filepath.Dir(path)), name)
	}
}
