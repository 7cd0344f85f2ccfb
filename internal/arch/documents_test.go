package arch

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/golist"
)

// documents are those whose programs and pieces of programs a reader copies.
var documents = []string{"README.md", "docs/embedding.md", "docs/providers.md", "docs/storage.md"}

// standard is what pieces use of the standard library.
var standard = []string{"context", "errors", "fmt", "log/slog", "testing", "time"}

// given is what every piece goes on from. A comment before a piece adds to it:
// declarations of Go behind the word given.
const given = `var (
	ctx   context.Context
	e     *engine.Engine
	scope ferry.Scope
	err   error
)
`

// snippet is a block of Go in a document.
type snippet struct {
	at    string // the document and the line of the first line, as //line has it
	given string
	code  string
}

var fenced = regexp.MustCompile("(?ms)(?:^<!-- given\n(.*?)^-->\n+)?^```go\n(.*?)^```$")

func TestTheProgramsOfTheDocumentsCompile(t *testing.T) {
	var snippets []snippet
	for _, document := range documents {
		found := snippetsOf(t, document)
		require.NotEmpty(t, found, document)
		snippets = append(snippets, found...)
	}
	require.NoError(t, compile(t, snippets))
}

func TestASnippetThatDoesNotCompileIsNamedByItsLine(t *testing.T) {
	err := compile(t, []snippet{
		{at: "whole.md:7", code: "package main\n\nfunc main() { nothing() }\n"},
		{at: "piece.md:3", code: "id := e.Wallets.NewKey()\nscope = other\n"},
		{at: "right.md:1", given: "var other ferry.Scope", code: "scope = other\n"},
	})
	require.ErrorContains(t, err, "whole.md:9:")
	require.ErrorContains(t, err, "undefined: nothing")
	require.ErrorContains(t, err, "piece.md:3:")
	require.ErrorContains(t, err, "declared and not used: id")
	require.ErrorContains(t, err, "piece.md:4:")
	require.NotContains(t, err.Error(), "right.md")
}

func snippetsOf(t *testing.T, document string) (found []snippet) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(document)))
	require.NoError(t, err)
	blocks := fenced.FindAllSubmatchIndex(text, -1)
	require.Len(t, blocks, strings.Count(string(text), "```go\n"), "%s has a block that is not read", document)
	for _, at := range blocks {
		s := snippet{at: fmt.Sprintf("%s:%d", document, 1+strings.Count(string(text[:at[4]]), "\n")), code: string(text[at[4]:at[5]])}
		if at[2] >= 0 {
			s.given = string(text[at[2]:at[3]])
		}
		found = append(found, s)
	}
	return found
}

// compile type-checks each snippet as a package of its own, and returns what is wrong.
func compile(t *testing.T, snippets []snippet) error {
	t.Helper()
	files := token.NewFileSet()
	var parsed []*ast.File
	var failed []error
	imported := map[string]bool{}
	for i, s := range snippets {
		name := fmt.Sprintf("snippet%d", i)
		file, err := parser.ParseFile(files, name+".go", s.file(t, name), parser.SkipObjectResolution)
		failed, parsed = append(failed, err), append(parsed, file)
		for _, i := range file.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			failed, imported[path] = append(failed, err), true
		}
	}
	config := types.Config{Importer: compiled(t, files, imported), Error: func(err error) { failed = append(failed, err) }}
	for _, file := range parsed {
		_, _ = config.Check(file.Name.Name, files, []*ast.File{file}, nil) // Error has them
	}
	return errors.Join(failed...)
}

// compiled imports packages as the go command has compiled them.
func compiled(t *testing.T, files *token.FileSet, paths map[string]bool) types.Importer {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-export", "-deps", "-json=ImportPath,Export"}, slices.Sorted(maps.Keys(paths))...)...)
	cmd.Dir = root
	found, err := golist.Read[struct{ ImportPath, Export string }](cmd)
	require.NoError(t, err)
	exports := map[string]string{}
	for _, p := range found {
		exports[p.ImportPath] = p.Export
	}
	return importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
}

// file is the snippet as a file of a package.
func (s snippet) file(t *testing.T, name string) string {
	t.Helper()
	if rest, ok := strings.CutPrefix(s.code, "package main\n"); ok {
		return "//line " + s.at + "\npackage " + name + "\n" + rest
	}
	body := "//line " + s.at + "\n" + s.code
	if !strings.HasPrefix(s.code, "func ") {
		body = "func _() error {\n" + body + "return nil\n}\n"
	}
	body = given + s.given + "\n" + body
	return "package " + name + "\n" + imports(t, body) + body
}

// imports are those of the packages that declarations use.
func imports(t *testing.T, body string) string {
	t.Helper()
	known := map[string]string{}
	for _, path := range standard {
		known[path[strings.LastIndex(path, "/")+1:]] = path
	}
	for _, p := range packages(t) {
		if p.Name != "main" && len(p.GoFiles) > 0 && !strings.Contains(p.ImportPath, "/internal/") {
			known[p.Name] = p.ImportPath
		}
	}
	var lines []string
	for _, name := range unresolved(t, body) {
		if path, ok := known[name]; ok {
			lines = append(lines, fmt.Sprintf("import %q\n", path))
		}
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "")
}

// unresolved are the names that declarations use and do not declare. Without a
// syntax to go by there are none: the parser says what is wrong.
func unresolved(t *testing.T, body string) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+body, 0)
	if err != nil {
		return nil
	}
	used := map[*ast.Ident]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if name, ok := s.X.(*ast.Ident); ok {
				used[name] = true
			}
		}
		return true
	})
	for _, name := range file.Unresolved {
		if used[name] {
			names = append(names, name.Name)
		}
	}
	return names
}
