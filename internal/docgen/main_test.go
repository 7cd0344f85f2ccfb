package main

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheDocumentsAreThoseOfTheCode(t *testing.T) {
	for name, write := range documents {
		path := "../../docs/" + name + ".md"
		if name == "samples" {
			path = "../../httpapi/eventsamples.json"
		}
		file, err := os.ReadFile(path)
		require.NoError(t, err)
		var b strings.Builder
		require.NoError(t, write(&b))
		require.Equal(t, b.String(), string(file), "run make generate")
	}
}

func TestEveryKindOfRecordIsDescribed(t *testing.T) {
	defined := 0
	tree := os.DirFS("../..")
	require.NoError(t, fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "tools/") || path == "sqlstore/reservations.go" {
			return err
		}
		text, err := fs.ReadFile(tree, path)
		defined += strings.Count(string(text), " = records.Define(")
		return err
	}))
	var b strings.Builder
	require.NoError(t, writeRecords(&b))
	require.Positive(t, defined)
	require.Equal(t, defined, strings.Count(b.String(), "\n## "), "a kind is missing in writeRecords")
}
