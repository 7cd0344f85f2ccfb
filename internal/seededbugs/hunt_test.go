//go:build seeded

package seededbugs_test

import (
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/seededbugs"
)

var (
	most = flag.Int("most", 60, "how many seeds a bug may live through")
	only = flag.String("only", "", "the bug to look for, or all")
)

// found is what a run prints that breaks a promise.
var found = regexp.MustCompile(`sim: seed (\d+): step (\d+): (\w+): ([^\n]{0,200})`)

func TestTheStormFindsEveryBug(t *testing.T) {
	for _, b := range seededbugs.All() {
		if *only != "" && *only != b.Name {
			continue
		}
		t.Run(b.Name, func(t *testing.T) {
			overlay, err := seededbugs.Overlay(root, t.TempDir(), b)
			require.NoError(t, err)
			storm := filepath.Join(t.TempDir(), "storm.test")
			build := exec.Command("go", "test", "-c", "-overlay", overlay, "-o", storm, "./ferrytest/sim")
			build.Dir = root
			out, err := build.CombinedOutput()
			require.NoError(t, err, "%s", out)
			for seed := range *most {
				run := exec.Command(storm, "-test.run", "TestTheStorm$", "-seeds", "1", "-steps", "2000", "-seed", fmt.Sprint(seed+1))
				if out, err := run.CombinedOutput(); err != nil {
					hit := found.FindSubmatch(out)
					require.NotNil(t, hit, "%s", out)
					t.Logf("%s (%s): seed %s, step %s, by %s: %s", b.Name, b.What, hit[1], hit[2], hit[3], hit[4])
					return
				}
			}
			t.Errorf("%s (%s) lives through %d seeds", b.Name, b.What, *most)
		})
	}
}
