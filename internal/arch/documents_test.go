package arch

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
	out, err := compile(t, snippets)
	require.NoError(t, err, out)
}

func TestASnippetThatDoesNotCompileIsNamedByItsLine(t *testing.T) {
	out, err := compile(t, []snippet{
		{at: "whole.md:7", code: "package main\n\nfunc main() { nothing() }\n"},
		{at: "piece.md:3", code: "id := e.Wallets.NewKey()\nscope = other\n"},
		{at: "right.md:1", given: "var other ferry.Scope", code: "scope = other\n"},
	})
	require.Error(t, err)
	require.Contains(t, out, "whole.md:9:")
	require.Contains(t, out, "undefined: nothing")
	require.Contains(t, out, "piece.md:3:")
	require.Contains(t, out, "declared and not used: id")
	require.Contains(t, out, "piece.md:4:")
	require.NotContains(t, out, "right.md")
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

// compile builds each snippet as a package of the module that is on no disk, all
// in one build. No program is linked.
func compile(t *testing.T, snippets []snippet) (out string, err error) {
	t.Helper()
	top, err := filepath.Abs(root)
	require.NoError(t, err)
	temp := t.TempDir()
	replaced, args := map[string]string{}, []string{"build", "-gcflags=-e", "-overlay", filepath.Join(temp, "overlay.json")}
	for i, s := range snippets {
		name := fmt.Sprintf("snippet%d", i)
		written := filepath.Join(temp, name+".go")
		require.NoError(t, os.WriteFile(written, []byte(s.file(t, name)), 0o600))
		replaced[filepath.Join(top, "internal", "arch", name, name+".go")] = written
		args = append(args, module+"/internal/arch/"+name)
	}
	text, err := json.Marshal(map[string]any{"Replace": replaced})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(temp, "overlay.json"), text, 0o600))
	cmd := exec.Command("go", args...)
	cmd.Dir = top
	built, err := cmd.CombinedOutput()
	return string(built), err
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
// syntax to go by there are none: the compiler says what is wrong.
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
