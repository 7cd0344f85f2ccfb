// Command elsewhere type-checks every package of the tree, tests included, as other operating
// systems compile it. It reads sources only: go vet would first compile every dependency for each
// system, which takes minutes.
//
//	go run ./internal/elsewhere windows darwin
package main

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/ferrypay/ferry/internal/golist"
)

func main() {
	for _, system := range os.Args[1:] {
		checked, err := check(context.Background(), system, "work")
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", system, err)
			os.Exit(1)
		}
		fmt.Printf("%s: %d packages and tests are well typed\n", system, checked)
	}
}

// listed is a package as go list describes it.
type listed struct {
	ImportPath, Dir string
	GoFiles         []string
	// ImportMap maps paths in the source to other packages: a vendored one, or one that is
	// built for a test.
	ImportMap map[string]string
	Standard  bool
	Module    *struct {
		GoVersion string
		Main      bool
	}
}

// ours says whether a package is of a module of this tree.
func (p *listed) ours() bool { return !p.Standard && p.Module != nil && p.Module.Main }

// check type-checks what patterns name, with its tests, for a system. It returns how many
// packages of this tree that were.
func check(ctx context.Context, system string, patterns ...string) (checked int, err error) {
	list := exec.CommandContext(ctx, "go", append([]string{"list", "-deps", "-test",
		"-json=ImportPath,Dir,GoFiles,ImportMap,Standard,Module"}, patterns...)...)
	list.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
	found, err := golist.Read[listed](list)
	if err != nil {
		return 0, err
	}
	c := checker{files: token.NewFileSet(), done: map[string]*types.Package{"unsafe": types.Unsafe}}
	for _, p := range found {
		if strings.HasSuffix(p.ImportPath, ".test") || p.ImportPath == "unsafe" {
			continue // the main package that the go command writes for a test
		}
		c.add(&p)
		if p.ours() {
			checked++
		}
	}
	return checked, errors.Join(c.failed...)
}

// checker type-checks packages of one system in the order of their imports.
type checker struct {
	files  *token.FileSet
	done   map[string]*types.Package
	failed []error
}

// add type-checks one package. The bodies of functions matter in this tree only.
func (c *checker) add(p *listed) {
	var sources []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(c.files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			c.failed = append(c.failed, err)
		}
		sources = append(sources, file)
	}
	config := types.Config{
		Importer: importer{c.done, p.ImportMap}, IgnoreFuncBodies: !p.ours(),
		Sizes: types.SizesFor("gc", runtime.GOARCH),
		Error: func(err error) { c.failed = append(c.failed, err) },
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	path, _, _ := strings.Cut(p.ImportPath, " ")                        // without the test that it is built for
	c.done[p.ImportPath], _ = config.Check(path, c.files, sources, nil) // Error has them
}

// importer finds what a package imports among the packages that are checked.
type importer struct {
	done    map[string]*types.Package
	renamed map[string]string
}

func (i importer) Import(path string) (*types.Package, error) {
	if other, ok := i.renamed[path]; ok {
		path = other
	}
	if p, ok := i.done[path]; ok {
		return p, nil
	}
	return nil, fmt.Errorf("package %s is not listed", path)
}
