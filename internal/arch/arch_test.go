package arch

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/golist"
)

// root is the directory of the module, seen from here.
const root = "../.."

// listed is what `go list` says of a package.
type listed struct {
	Name         string
	ImportPath   string
	Dir          string
	Standard     bool
	Imports      []string
	GoFiles      []string
	XTestGoFiles []string
}

// packages are all of the tree, whichever module they belong to.
func packages(t *testing.T) []listed {
	t.Helper()
	found, err := all()
	require.NoError(t, err)
	require.NotEmpty(t, found)
	return found
}

var all = sync.OnceValues(func() ([]listed, error) { return list("work") })

func list(args ...string) ([]listed, error) {
	cmd := exec.Command("go", append([]string{"list", "-json=Name,ImportPath,Dir,Standard,Imports,GoFiles,XTestGoFiles"}, args...)...)
	cmd.Dir = root
	return golist.Read[listed](cmd)
}

func TestDependenciesStayWhereTheyBelong(t *testing.T) {
	for _, p := range packages(t) {
		for _, i := range p.Imports {
			if reason, ok := strays(relative(p.ImportPath), i); ok {
				t.Errorf("%s imports %s: %s", relative(p.ImportPath), i, reason)
			}
		}
	}
}

// strays reports whether a package may not import a dependency, and why.
func strays(pkg, dependency string) (reason string, ok bool) {
	for _, c := range confined {
		if !below(dependency, c.dependency) {
			continue
		}
		if !slices.ContainsFunc(c.to, func(pattern string) bool { ok, _ := path.Match(pattern, pkg); return ok }) {
			return c.reason, true
		}
	}
	return "", false
}

// below reports whether an import path is the given one or stands under it.
func below(pkg, top string) bool { return pkg == top || strings.HasPrefix(pkg, top+"/") }

func TestTheRulesOfDependenciesBind(t *testing.T) {
	for _, c := range []struct {
		pkg, dependency string
		stray           bool
	}{
		{"wallets", "github.com/gagliardetto/solana-go/rpc", true},
		{"wallets", "github.com/gagliardetto/solana-go/base58", true},
		{"provider/chain/solana", "github.com/gagliardetto/solana-go/rpc", false},
		{"engine", "github.com/jackc/pgx/v5/pgxpool", true},
		{"sqlstore/sqlite", "modernc.org/sqlite", false},
		{"sqlstore", "modernc.org/sqlite", true},
		{"sqlstore", "github.com/jackc/pgx/v5", true},
		{"sqlstore/sqlite", "github.com/jackc/pgx/v5", true},
		{"sqlstore/postgres", "github.com/jackc/pgx/v5/pgxpool", false},
		{"store/storetest", "github.com/stretchr/testify/require", false},
		{"store/storefault", "github.com/stretchr/testify/require", true},
		{"customers", "testing", true},
		{"customers", "testing/fstest", true},
		{"customers", "math/rand/v2", true},
		{"customers", "strings", false},
	} {
		_, stray := strays(c.pkg, c.dependency)
		require.Equal(t, c.stray, stray, "%s imports %s", c.pkg, c.dependency)
	}
}

// TestAnEmbedderGetsLittle keeps the price of importing the engine low: a new
// dependency is a decision, taken in arch.go.
func TestAnEmbedderGetsLittle(t *testing.T) {
	dependencies, err := list("-deps", "./engine", "./memstore")
	require.NoError(t, err)
	for _, p := range dependencies {
		known := p.Standard || ours(p.ImportPath) ||
			slices.ContainsFunc(embedded, func(top string) bool { return below(p.ImportPath, top) })
		if !known {
			t.Errorf("engine or memstore brings %s into every program", p.ImportPath)
		}
	}
}

func TestDomainsAskTheirUnitForTimeAndChance(t *testing.T) {
	for _, p := range packages(t) {
		if !slices.Contains(domains, relative(p.ImportPath)) {
			continue
		}
		for _, name := range p.GoFiles {
			file := path.Join(relative(p.ImportPath), name)
			for _, call := range ambientIn(t, filepath.Join(p.Dir, name)) {
				if allowed[file] != call {
					t.Errorf("%s uses %s: take it from the unit of work or the configuration", file, call)
				}
			}
		}
	}
}

// ambientIn returns what a file uses of ambient, as package.Name.
func ambientIn(t *testing.T, file string) (found []string) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	imports := map[string]string{} // name in the file to import path
	for _, spec := range parsed.Imports {
		pkg, err := strconv.Unquote(spec.Path.Value)
		require.NoError(t, err)
		name := path.Base(strings.TrimSuffix(pkg, "/v2"))
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = pkg
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := selector.X.(*ast.Ident); ok && isAmbient(imports[x.Name], selector.Sel.Name) {
			found = append(found, imports[x.Name]+"."+selector.Sel.Name)
		}
		return true
	})
	return found
}

func isAmbient(pkg, name string) bool {
	names, ok := ambient[pkg]
	return ok && (names == nil || slices.Contains(names, name))
}

func TestAmbientCallsAreSeen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.go")
	source := `package x
import ("time"; mr "math/rand/v2"; "crypto/rand"; "io")
var _ = time.Now
var _ = time.Duration(mr.Int())
var _ io.Reader = rand.Reader
func f(time struct{ Now int }) { rand.Text() }
`
	require.NoError(t, os.WriteFile(file, []byte(source), 0o600))
	require.Equal(t, []string{"time.Now", "math/rand/v2.Int", "crypto/rand.Text"}, ambientIn(t, file))
}

// generated is the mark of files that no person writes.
var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

func TestNoFileIsTooLong(t *testing.T) {
	for _, p := range packages(t) {
		if slices.Contains(suites, relative(p.ImportPath)) {
			continue
		}
		for _, name := range p.GoFiles {
			source, err := os.ReadFile(filepath.Join(p.Dir, name))
			require.NoError(t, err)
			if lines := bytes.Count(source, []byte("\n")); lines > maxLines && !generated.Match(source) {
				t.Errorf("%s/%s has %d lines: a second noun hides in it", relative(p.ImportPath), name, lines)
			}
		}
	}
}

// localPath finds paths of the machine that a file was written on.
var localPath = regexp.MustCompile(`(^|[^\w./-])/(home|root|Users|work|workspace)/[\w.]`)

func TestNoFileNamesAPathOfOneMachine(t *testing.T) {
	// The checkout may belong to another user than the one who tests it.
	cmd := exec.Command("git", "-c", "safe.directory=*", "ls-files", "-z")
	cmd.Dir = root
	out, err := cmd.Output()
	require.NoError(t, err, "the rule is about the files of a checkout")
	files := strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
	require.NotEmpty(t, files)
	for _, file := range files {
		source, err := os.ReadFile(filepath.Join(root, file))
		if errors.Is(err, os.ErrNotExist) {
			continue // removed, and not yet committed
		}
		require.NoError(t, err)
		if found := localPath.Find(source); found != nil {
			t.Errorf("%s mentions %q", file, found)
		}
	}
}
