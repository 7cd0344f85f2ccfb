package seededbugs_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/seededbugs"
)

const root = "../.."

func TestEveryBugFitsTheSource(t *testing.T) {
	require.Len(t, seededbugs.All(), 12)
	for _, b := range seededbugs.All() {
		path, err := seededbugs.Overlay(root, t.TempDir(), b)
		require.NoError(t, err)
		require.FileExists(t, path)
	}
}

func TestAnEditThatDoesNotFitIsRefused(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("one two two"), 0o600))
	for old, fits := range map[string]bool{"one": true, "two": false, "three": false} {
		_, err := seededbugs.Overlay(dir, t.TempDir(), seededbugs.Bug{Name: "B", Edits: []seededbugs.Edit{{File: "a.go", Old: old, New: "x"}}})
		require.Equal(t, fits, err == nil, "%s: %v", old, err)
	}
}
