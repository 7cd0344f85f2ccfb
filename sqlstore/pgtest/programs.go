//go:build unix

package pgtest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

var errNotInstalled = errors.New("pgtest: PostgreSQL 13 or later is needed: sudo apt-get install -y postgresql" +
	" (or name a running server in FERRY_TEST_POSTGRES, as a URL)")

// installed are the directories in which distributions keep the programs of each
// version of PostgreSQL.
const installed = "/usr/lib/postgresql/*/bin"

// programs returns the directory of initdb and pg_ctl: where PATH leads, else the
// newest of those that a pattern finds.
func programs(pattern string) (string, error) {
	if initdb, err := exec.LookPath("initdb"); err == nil {
		if initdb, err = filepath.EvalSymlinks(initdb); err == nil && complete(filepath.Dir(initdb)) {
			return filepath.Dir(initdb), nil
		}
	}
	found, err := filepath.Glob(pattern)
	if err != nil {
		return "", err
	}
	return newest(found)
}

// newest returns the directory of the highest version.
func newest(directories []string) (string, error) {
	directories = slices.DeleteFunc(directories, func(dir string) bool { return !complete(dir) })
	if len(directories) == 0 {
		return "", errNotInstalled
	}
	return slices.MaxFunc(directories, func(a, b string) int { return version(a) - version(b) }), nil
}

// version is the 15 of /usr/lib/postgresql/15/bin.
func version(dir string) int {
	n, err := strconv.Atoi(filepath.Base(filepath.Dir(dir)))
	if err != nil {
		return 0 // 9.6 and before
	}
	return n
}

// complete reports whether a directory has the programs of a server.
func complete(dir string) bool {
	for _, name := range []string{"initdb", "pg_ctl", "postgres"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}
