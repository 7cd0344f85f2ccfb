package httpapi

import (
	"path"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAPathIsCleanAsTheStandardLibrarySays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.StringOfN(rapid.SampledFrom([]rune("/.a")), 0, 8, -1).Draw(t, "path")
		require.Equal(t, path.Clean(of) == of, isClean(of), "%q", of)
	})
}
