//go:build !unix

package pgtest

import (
	"os"
	"testing"
)

// Main runs the tests of a package. No cluster can be started here: files that
// need one carry the build tag postgres, with which they do not compile.
func Main(m *testing.M) { os.Exit(m.Run()) }
