package arch

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// floors are the packages of the table of floors in docs/layout.md, each with its floor.
// Names are relative to the module; * stands for one element of a path.
var floors = sync.OnceValues(func() (map[string]int, error) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "layout.md"))
	return floorsIn(string(text)), err
})

var (
	floorRow = regexp.MustCompile(`(?m)^\| (\d+) \| (.*?) \|`)
	quoted   = regexp.MustCompile("`([^`]+)`")
	braces   = regexp.MustCompile(`\{([^}]*)\}`)
)

// floorsIn reads the rows of a table of floors. In the name of a package, {a,b} stands for
// both, … for any element, and ferry for the package at the top.
func floorsIn(text string) map[string]int {
	found := map[string]int{}
	for _, row := range floorRow.FindAllStringSubmatch(text, -1) {
		floor, _ := strconv.Atoi(row[1])
		for _, name := range quoted.FindAllStringSubmatch(row[2], -1) {
			for _, name := range expanded(name[1]) {
				found[name] = floor
			}
		}
	}
	return found
}

// expanded returns the patterns that a name of the table stands for.
func expanded(name string) []string {
	alternatives := braces.FindStringSubmatchIndex(name)
	if alternatives == nil {
		if name == "ferry" {
			name = "."
		}
		return []string{strings.ReplaceAll(name, "…", "*")}
	}
	var names []string
	for element := range strings.SplitSeq(name[alternatives[2]:alternatives[3]], ",") {
		names = append(names, expanded(name[:alternatives[0]]+element+name[alternatives[1]:])...)
	}
	return names
}

// floorOf returns the floor of a package, and false when the table has none.
func floorOf(t *testing.T, pkg string) (floor int, ok bool) {
	t.Helper()
	table, err := floors()
	require.NoError(t, err)
	for pattern, floor := range table {
		if ok, _ := path.Match(pattern, relative(pkg)); ok {
			return floor, true
		}
	}
	return 0, false
}

func TestFloorsAreRead(t *testing.T) {
	table := "| Floor | Packages | What |\n|---|---|---|\n" +
		"| 10 | `cmd/ferry`, `examples/…` | `programs` |\n| 1 | `a/{b,c/d}`, `e` | e |\n| 0 | `ferry` (root) | words |\n"
	require.Equal(t, map[string]int{"cmd/ferry": 10, "examples/*": 10, "a/b": 1, "a/c/d": 1, "e": 1, ".": 0}, floorsIn(table))
}

func TestEveryPackageHasAFloor(t *testing.T) {
	for _, p := range packages(t) {
		_, ok := floorOf(t, p.ImportPath)
		require.True(t, ok, "%s has no floor: give it one in the first table of docs/layout.md", p.ImportPath)
	}
}

func TestTheTableOfFloorsNamesNoPackageThatIsGone(t *testing.T) {
	table, err := floors()
	require.NoError(t, err)
	for pattern := range table {
		stands := slices.ContainsFunc(packages(t), func(p listed) bool {
			ok, _ := path.Match(pattern, relative(p.ImportPath))
			return ok
		})
		require.True(t, stands, "docs/layout.md has a floor for %s, which is gone", pattern)
	}
}

func TestImportsGoDown(t *testing.T) {
	for _, p := range packages(t) {
		floor, _ := floorOf(t, p.ImportPath)
		for _, i := range p.Imports {
			if below, _ := floorOf(t, i); ours(i) && below >= floor {
				t.Errorf("%s (floor %d) imports %s (floor %d)", relative(p.ImportPath), floor, relative(i), below)
			}
		}
	}
}
