package engine

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/memstore"
)

// A domain registers itself once, in domains. These tests find each part that a domain
// has, in its service or in its source, and require that its entry names it.

// services are the services of an engine, by field.
func services(e *Engine) map[string]reflect.Value {
	found := map[string]reflect.Value{}
	for field, value := range reflect.ValueOf(e.Services).Fields() {
		found[field.Name] = value
	}
	return found
}

// nameOf is the name of a function as a stack shows it.
func nameOf(function any) string {
	return strings.TrimSuffix(runtime.FuncForPC(reflect.ValueOf(function).Pointer()).Name(), "-fm")
}

// forgotten lists the methods of services that are of a type and that no entry has.
func forgotten[F any](e *Engine, named string, registered []F) (missing []string) {
	var names []string
	for _, r := range registered {
		names = append(names, nameOf(r))
	}
	for _, service := range services(e) {
		of := service.Type().Elem()
		for method := range service.Type().Methods() {
			if !strings.HasPrefix(method.Name, named) || service.MethodByName(method.Name).Type() != reflect.TypeFor[F]() {
				continue
			}
			if name := of.PkgPath() + ".(*" + of.Name() + ")." + method.Name; !slices.Contains(names, name) {
				missing = append(missing, name)
			}
		}
	}
	return missing
}

func TestNoServiceIsForgotten(t *testing.T) {
	e, err := New(Config{Store: memstore.New()})
	require.NoError(t, err)
	require.NotEmpty(t, services(e))
	for name, service := range services(e) {
		require.False(t, service.IsNil(), "no entry of domains makes %s", name)
		of := reflect.TypeOf(service.Interface()).Elem().PkgPath()
		require.True(t, slices.ContainsFunc(e.domains, func(d domain) bool { return d.Name == filepath.Base(of) }), "%s has no entry in domains", of)
	}
}

func TestNoPassIsForgotten(t *testing.T) {
	e, err := New(Config{Store: memstore.New()})
	require.NoError(t, err)
	type work = func(context.Context, int) (int, error)
	var works []work
	for _, p := range e.passes() {
		works = append(works, p.work)
	}
	require.Empty(t, forgotten(e, "", works), "no entry in engine/domains.go has a pass that runs it")
	require.Contains(t, forgotten(e, "", works[1:]), nameOf(works[0]))
}

func TestDueWorkHasAPass(t *testing.T) {
	e, err := New(Config{Store: memstore.New()})
	require.NoError(t, err)
	for _, d := range e.domains {
		require.True(t, d.pass != nil || len(d.due()) == 0, "%s has queues and no pass", d.Name)
	}
}

func TestNothingRememberedOutlivesAReset(t *testing.T) {
	e, err := New(Config{Store: memstore.New()})
	require.NoError(t, err)
	var forgets []func()
	for _, d := range e.domains {
		if d.forget != nil {
			forgets = append(forgets, d.forget)
		}
	}
	require.Empty(t, forgotten(e, "Forget", forgets), "no entry in engine/domains.go has it as its forget")
	require.Contains(t, forgotten(e, "Forget", forgets[1:]), nameOf(forgets[0]))
}

// outsideDomains are the parts that no entry names, with the reason.
var outsideDomains = map[string]string{
	"engine.QueueReconcile":    "regular comparisons are due in real hours: Advance does not stop for them",
	"sqlstore.reservationKind": "reservations are rows in the SQL store alone: the ledger is their port",
}

func TestNoPartOfADomainIsForgotten(t *testing.T) {
	tree := parseTree(t)
	entries := tree.uses["engine/domains.go"]
	for _, p := range tree.declared {
		if p.in == "" || outsideDomains[p.name] != "" {
			continue
		}
		switch p.in {
		case inDomains:
			require.True(t, entries[p.name], "%s: %s is not named in engine/domains.go", p.at, p.name)
		case inEngine:
			require.True(t, tree.engine[p.name], "%s: nothing in package engine calls %s", p.at, p.name)
		}
	}
}

// Where a part has to be named.
const (
	inDomains = "domains"
	inEngine  = "engine"
)

// part is something that a domain has.
type part struct {
	name string // package.Name, or .Method
	at   string
	in   string
}

// source is what the tree declares, and what some files of it use.
type source struct {
	declared []part
	uses     map[string]map[string]bool // by file: package.Name and .Method
	engine   map[string]bool            // of all files of package engine
}

// parseTree reads the code of the module that is no test.
func parseTree(t *testing.T) source {
	t.Helper()
	s := source{uses: map[string]map[string]bool{}, engine: map[string]bool{}}
	root := os.DirFS("..")
	require.NoError(t, fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "tools/") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", path), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		s.read(filepath.ToSlash(path), parsed)
		return nil
	}))
	require.NotEmpty(t, s.declared)
	return s
}

func (s *source) read(path string, file *ast.File) {
	uses := map[string]bool{}
	s.uses[path] = uses
	ast.Inspect(file, func(n ast.Node) bool {
		if n, ok := n.(*ast.SelectorExpr); ok {
			uses["."+n.Sel.Name] = true
			uses[textOf(n)] = true
		}
		return true
	})
	if filepath.ToSlash(filepath.Dir(path)) == "engine" {
		maps.Copy(s.engine, uses)
	}
	for _, d := range file.Decls {
		s.declare(path, file.Name.Name, d)
	}
}

// declare notes the parts of domains that a declaration makes.
func (s *source) declare(path, pkg string, d ast.Decl) {
	add := func(name, in string) { s.declared = append(s.declared, part{name, path, in}) }
	switch d := d.(type) {
	case *ast.FuncDecl:
		switch name := d.Name.Name; {
		case d.Recv == nil && (name == "Audit" || name == "Explain"):
			add(pkg+"."+name, inDomains)
		case d.Recv != nil && pkg != "engine" && textOf(d.Recv.List[0].Type) == "*Service" && (name == "Reconcile" || strings.HasPrefix(name, "Reseal")):
			add("."+name, inEngine)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			v, ok := spec.(*ast.ValueSpec)
			if !ok || len(v.Values) != 1 {
				continue
			}
			name := pkg + "." + v.Names[0].Name
			if call, ok := v.Values[0].(*ast.CallExpr); ok && textOf(call.Fun) == "records.Define" {
				add(name, inDomains) // a kind that is not exported cannot be named there
			}
			if !v.Names[0].IsExported() {
				continue
			}
			if drawn, ok := v.Values[0].(*ast.CompositeLit); ok && strings.HasPrefix(textOf(drawn.Type), "ferry.Lifecycle") {
				add(name, inDomains)
			}
			if v.Type != nil && textOf(v.Type) == "lease.Kind" {
				add(name, inDomains)
			}
		}
	}
}

// textOf is a name, or a selection, as it is written; "" for anything else.
func textOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return "*" + textOf(e.X)
	case *ast.SelectorExpr:
		return textOf(e.X) + "." + e.Sel.Name
	case *ast.IndexListExpr:
		return textOf(e.X)
	}
	return ""
}
