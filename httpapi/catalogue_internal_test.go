package httpapi

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// coded finds the codes of errors in the code.
var coded = regexp.MustCompile(`\bNewError\([\w.]+,\s*"([a-z_]+)"`)

func TestEveryCodeOfAnErrorIsInTheCatalogue(t *testing.T) {
	known, found := codes(), 0
	tree := os.DirFS("..")
	require.NoError(t, fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "tools/") {
			return err
		}
		text, err := fs.ReadFile(tree, path)
		for _, code := range coded.FindAllSubmatch(text, -1) {
			found++
			require.True(t, slices.Contains(known, string(code[1])), "%s has an error with the code %s, and no domain lists one among its Errors", path, code[1])
		}
		return err
	}))
	require.Greater(t, found, len(known))
}
