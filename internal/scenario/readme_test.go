package scenario_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheProgramOfTheREADMERuns runs it as it stands there.
func TestTheProgramOfTheREADMERuns(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(readme), "```go\n")
	require.True(t, found)
	program, _, found := strings.Cut(rest, "```")
	require.True(t, found)

	require.NoError(t, os.MkdirAll("../../bin", 0o755))
	dir, err := os.MkdirTemp("../../bin", "_readme-") // out of sight of ./...
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	file := filepath.Join(dir, "main.go")
	require.NoError(t, os.WriteFile(file, []byte(program), 0o600))
	out, err := exec.Command("go", "run", file).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Regexp(t, `^wal_[0-9a-f]{32} active\n$`, string(out))
}
