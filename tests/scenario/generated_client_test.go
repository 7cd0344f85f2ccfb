package scenario_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/httpapi"
)

// TestAGeneratedClientMovesMoneyExactly makes a client from the document by
// oapi-codegen, as tools/oapi pins it, and runs the program there with it.
func TestAGeneratedClientMovesMoneyExactly(t *testing.T) {
	t.Parallel()
	s := openMemory(t)
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(folder, os.DirFS("../../tools/oapi")))
	require.NoError(t, os.Rename(filepath.Join(folder, "main.go.txt"), filepath.Join(folder, "main.go"))) // it compiles with the client only
	require.NoError(t, os.WriteFile(filepath.Join(folder, "openapi.json"), httpapi.OpenAPI(), 0o600))
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "gen"), 0o700))
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir, cmd.Env = folder, append(os.Environ(), "GOFLAGS=-mod=readonly", "GOWORK=off", "CGO_ENABLED=0")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "go %v: %s", args, out)
		return string(out)
	}
	run("tool", "oapi-codegen", "-config", "config.yaml", "openapi.json")
	require.Equal(t, "20 calls, payments of 25000077 kobo, 25000077 kobo more\n", run("run", ".", s.URL, s.Tenant.SecretKey))
}
