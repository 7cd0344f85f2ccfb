//go:build unix

package pgtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// install makes the files of a version, as a distribution would.
func install(t *testing.T, dir string, names ...string) {
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for _, name := range names {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o755))
	}
}

func TestAMissingPostgreSQLIsAnErrorThatSaysWhatToInstall(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := programs(filepath.Join(t.TempDir(), "*", "bin"))
	require.ErrorContains(t, err, "sudo apt-get install -y postgresql")
}

func TestTheNewestVersionIsTaken(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	root := t.TempDir()
	for _, version := range []string{"9.6", "13", "15", "9"} {
		install(t, filepath.Join(root, version, "bin"), "initdb", "pg_ctl", "postgres")
	}
	install(t, filepath.Join(root, "17", "bin"), "pg_ctl") // a client only
	dir, err := programs(filepath.Join(root, "*", "bin"))
	require.NoError(t, err)
	require.Equal(t, filepath.Join(root, "15", "bin"), dir)
}

func TestWhatIsInPATHGoesFirst(t *testing.T) {
	root, linked := t.TempDir(), t.TempDir()
	install(t, filepath.Join(root, "14", "bin"), "initdb", "pg_ctl", "postgres")
	install(t, filepath.Join(root, "15", "bin"), "initdb", "pg_ctl", "postgres")
	require.NoError(t, os.Symlink(filepath.Join(root, "14", "bin", "initdb"), filepath.Join(linked, "initdb")))
	t.Setenv("PATH", linked)
	dir, err := programs(filepath.Join(root, "*", "bin"))
	require.NoError(t, err)
	require.Equal(t, filepath.Join(root, "14", "bin"), dir)
}
