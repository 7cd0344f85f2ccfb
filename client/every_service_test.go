package client_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/client"
)

func TestEveryServiceHasAnExampleThatRuns(t *testing.T) {
	shown := map[string]bool{}
	files, err := filepath.Glob("example*_test.go")
	require.NoError(t, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				body := string(text[f.Pos()-1 : f.End()])
				shown[strings.TrimPrefix(f.Name.Name, "Example")] = strings.Contains(body, "// Output:")
			}
		}
	}
	services := reflect.TypeFor[client.Client]()
	found := 0
	for i := range services.NumField() {
		of := services.Field(i).Type
		if of.Kind() == reflect.Pointer && strings.HasSuffix(of.Elem().Name(), "Service") {
			found++
			require.True(t, shown[of.Elem().Name()], "no example of %s has an output", of.Elem().Name())
		}
	}
	require.GreaterOrEqual(t, found, 27)
}
