package main

import (
	"context"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/ferrypay/ferry/internal/golist"
)

// source is a file of a package, with the types of what stands in it.
type source struct {
	pkg, path string // path is relative to the root
	text      []byte
	file      *ast.File
	set       *token.FileSet
	info      *types.Info
}

// listed is a package as go list describes it.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	DepOnly                 bool
}

// load reads and type-checks the packages that patterns name.
func load(ctx context.Context, root string, patterns []string) ([]*source, error) {
	list := exec.CommandContext(ctx, "go", append([]string{"list", "-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles,DepOnly"}, patterns...)...)
	list.Dir = root
	found, err := golist.Read[listed](list)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	var named []listed
	for _, p := range found {
		exports[p.ImportPath] = p.Export
		if !p.DepOnly {
			named = append(named, p)
		}
	}
	set := token.NewFileSet()
	imports := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var all []*source
	for _, p := range named {
		of, err := check(set, imports, root, p)
		if err != nil {
			return nil, err
		}
		all = append(all, of...)
	}
	return all, nil
}

// check type-checks one package.
func check(set *token.FileSet, imports types.Importer, root string, p listed) ([]*source, error) {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	var all []*source
	var files []*ast.File
	for _, name := range p.GoFiles {
		path := filepath.Join(p.Dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(set, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		short, err := filepath.Rel(root, path)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
		all = append(all, &source{p.ImportPath, filepath.ToSlash(short), text, file, set, info})
	}
	_, err := (&types.Config{Importer: imports}).Check(p.ImportPath, set, files, info)
	return all, err
}
