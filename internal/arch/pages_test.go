package arch

import (
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// page is what a reader of a package sees first.
type page struct {
	name     string
	comment  *comment.Doc
	examples []*doc.Example
}

var unpublished = regexp.MustCompile(`(^|/)internal(/|$)|^(examples|tests)/`)

// pages are those of the packages that programs outside the tree import.
func pages(t *testing.T) (found []page) {
	t.Helper()
	for _, p := range packages(t) {
		name := relative(p.ImportPath)
		if p.Name == "main" || len(p.GoFiles) == 0 || unpublished.MatchString(name) {
			continue
		}
		found = append(found, pageOf(t, name, p))
	}
	require.NotEmpty(t, found)
	return found
}

func pageOf(t *testing.T, name string, p listed) page {
	t.Helper()
	fset := token.NewFileSet()
	parsed := func(names []string) (files []*ast.File) {
		for _, name := range names {
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ParseComments)
			require.NoError(t, err)
			files = append(files, file)
		}
		return files
	}
	said, err := doc.NewFromFiles(fset, parsed(p.GoFiles), p.ImportPath)
	require.NoError(t, err)
	return page{name, said.Parser().Parse(said.Doc), doc.Examples(parsed(p.XTestGoFiles)...)}
}

// needsServer is the package whose example is compiled and does not run.
const needsServer = "sqlstore/postgres"

// TestEveryPageShowsHowThePackageIsUsed demands an example that runs. A suite or a mock
// needs a *testing.T, which an example does not have: its comment has the lines of a test.
func TestEveryPageShowsHowThePackageIsUsed(t *testing.T) {
	for _, p := range pages(t) {
		shown := slices.ContainsFunc(p.examples, func(e *doc.Example) bool { return e.Output != "" || p.name == needsServer })
		if slices.Contains(suites, p.name) {
			shown = slices.ContainsFunc(p.comment.Content, func(b comment.Block) bool { _, is := b.(*comment.Code); return is })
		}
		if !shown {
			t.Errorf("%s has no example with its output: add an example_test.go", p.name)
		}
	}
}

func TestEveryPackageCommentLinksNamesThatExist(t *testing.T) {
	for _, p := range pages(t) {
		if len(p.comment.Content) == 0 {
			t.Errorf("%s has no package comment", p.name)
		}
		for _, name := range brokenLinks(p.comment.Content) {
			t.Errorf("the comment of package %s links %s, which does not exist", p.name, name)
		}
	}
}

var linkLike = regexp.MustCompile(`\[\*?[A-Z]\w*(\.\w+)?\]`)

// brokenLinks returns what looks like a link to a name and is plain text, as no such name
// is exported.
func brokenLinks(blocks []comment.Block) (broken []string) {
	plain := func(texts []comment.Text) {
		for _, text := range texts {
			if text, is := text.(comment.Plain); is {
				broken = append(broken, linkLike.FindAllString(string(text), -1)...)
			}
		}
	}
	for _, block := range blocks {
		switch block := block.(type) {
		case *comment.Paragraph:
			plain(block.Text)
		case *comment.List:
			for _, item := range block.Items {
				broken = append(broken, brokenLinks(item.Content)...)
			}
		}
	}
	return broken
}

func TestBrokenLinksAreSeen(t *testing.T) {
	p := comment.Parser{LookupSym: func(recv, name string) bool { return name == "Here" }}
	said := p.Parse("See [Here] and [Gone].\n\n  - [T.Here], [T.Gone]: a list\n\nAnd\n\n\tcode[Gone]\n")
	require.Equal(t, []string{"[Gone]", "[T.Gone]"}, brokenLinks(said.Content))
}
