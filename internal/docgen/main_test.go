package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/internal/openapi"
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

func TestEveryLinkOfTheReferenceLeadsToAHeading(t *testing.T) {
	headings := map[string]bool{}
	for _, name := range []string{"api.md", "reference.md"} {
		file, err := os.ReadFile("../../docs/" + name)
		require.NoError(t, err)
		for line := range strings.Lines(string(file)) {
			if text := strings.TrimLeft(line, "#"); text != line {
				headings[strings.TrimPrefix(name, "reference.md")+"#"+anchor(strings.TrimSpace(text))] = true
			}
		}
	}
	var b strings.Builder
	require.NoError(t, writeReference(&b))
	links := regexp.MustCompile(`\]\(([^)]*#[^)]*)\)`).FindAllStringSubmatch(b.String(), -1)
	require.NotEmpty(t, links)
	for _, link := range links {
		require.True(t, headings[link[1]], "%s leads nowhere", link[1])
	}
}

func TestTheReferenceHasEveryRoute(t *testing.T) {
	var b strings.Builder
	require.NoError(t, writeReference(&b))
	var d openapi.Document
	require.NoError(t, json.Unmarshal(httpapi.OpenAPI(), &d))
	for path, methods := range d.Paths {
		for method := range methods {
			require.Contains(t, b.String(), "\n### `"+strings.ToUpper(method)+" "+path+"`\n")
		}
	}
}
