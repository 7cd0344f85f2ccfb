package arch

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// embedder is a module that somebody writes on ferry.
type embedder struct {
	t   *testing.T
	dir string
}

// newEmbedder writes a module with a program that imports packages of ferry. The
// modules of ferry are those of this checkout.
func newEmbedder(t *testing.T, imports ...string) embedder {
	t.Helper()
	e := embedder{t: t, dir: t.TempDir()}
	top, err := filepath.Abs(root)
	require.NoError(t, err)
	file := "module example.com/shop\n\ngo 1.26.0\n"
	var sums bytes.Buffer
	for _, m := range published {
		dir := filepath.Join(top, filepath.FromSlash(m))
		file += fmt.Sprintf("\nreplace %s => %s\n", strings.TrimSuffix(module+"/"+m, "/."), dir)
		sum, err := os.ReadFile(filepath.Join(dir, "go.sum"))
		require.NoError(t, err)
		sums.Write(sum)
	}
	program := "package main\n\nimport (\n"
	for _, i := range imports {
		program += fmt.Sprintf("\t_ %q\n", module+"/"+i)
	}
	e.write("go.mod", file)
	e.write("go.sum", sums.String())
	e.write("main.go", program+")\n\nfunc main() {}\n")
	e.run("mod", "tidy")
	return e
}

func (e embedder) write(name, text string) {
	e.t.Helper()
	require.NoError(e.t, os.WriteFile(filepath.Join(e.dir, name), []byte(text), 0o600))
}

// run returns the lines that a go command prints.
func (e embedder) run(args ...string) []string {
	e.t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = e.dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOSUMDB=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(e.t, err, stderr.String())
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// modules are those in the graph beside the program and ferry itself.
func (e embedder) modules() []string {
	e.t.Helper()
	found := e.run("list", "-m", "-f", "{{if not .Main}}{{.Path}}{{end}}", "all")
	return slices.DeleteFunc(found, func(path string) bool { return path == "" || ours(path) })
}

// foreign are the packages that are compiled in from other modules than ferry's.
func (e embedder) foreign() []string {
	e.t.Helper()
	found := e.run("list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{$.ImportPath}}{{end}}{{end}}", ".")
	return slices.DeleteFunc(found, func(path string) bool { return path == "" || ours(path) })
}

func requireNoneBelow(t *testing.T, found []string, tops ...string) {
	t.Helper()
	for _, path := range found {
		for _, top := range tops {
			require.False(t, below(path, top), "%s is brought along", path)
		}
	}
}

func TestAProgramOnTheEngineHasFewModules(t *testing.T) {
	e := newEmbedder(t, "engine", "memstore")
	modules, packages := e.modules(), e.foreign()
	t.Log(len(modules), "modules:", modules)
	t.Log(len(packages), "packages:", packages)
	require.LessOrEqual(t, len(modules), maxModules)
	require.LessOrEqual(t, len(packages), maxForeign)
	requireNoneBelow(t, modules, heavy...)
}

func TestAProgramIsLinkedWithTheSQLDatabaseThatItImports(t *testing.T) {
	for _, c := range []struct{ own, driver, other string }{
		{"sqlstore/sqlite", "modernc.org/sqlite", "github.com/jackc"},
		{"sqlstore/postgres", "github.com/jackc/pgx/v5", "modernc.org"},
	} {
		packages := newEmbedder(t, "engine", c.own).foreign()
		require.Contains(t, packages, c.driver, c.own)
		requireNoneBelow(t, packages, c.other)
	}
}
