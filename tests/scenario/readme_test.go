package scenario_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// program is a whole program in a document, and what the document says it prints.
type program struct{ text, prints string }

var programs = regexp.MustCompile("(?s)```go\n(package main\n.*?)```\n(?:\nIt prints:\n\n```text\n(.*?)```)?")

// programsOf returns the programs of a document.
func programsOf(t *testing.T, document string) (all []program) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", document))
	require.NoError(t, err)
	for _, found := range programs.FindAllStringSubmatch(string(text), -1) {
		all = append(all, program{found[1], found[2]})
	}
	return all
}

// command runs the go command on a program as it stands in its document.
func (p program) command(t *testing.T, args ...string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll("../../bin", 0o755))
	dir, err := os.MkdirTemp("../../bin", "_program-") // out of sight of ./...
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	file := filepath.Join(dir, "main.go")
	require.NoError(t, os.WriteFile(file, []byte(p.text), 0o600))
	out, err := exec.Command("go", append(args, file)...).CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

func TestTheProgramOfTheREADMERuns(t *testing.T) {
	t.Parallel()
	all := programsOf(t, "README.md")
	require.Len(t, all, 1)
	require.Regexp(t, `^wal_[0-9a-f]{32} active\n$`, all[0].command(t, "run"))
}

func TestTheProgramsAboutEmbeddingDoWhatTheDocumentSays(t *testing.T) {
	t.Parallel()
	all := programsOf(t, "docs/embedding.md")
	require.Len(t, all, 4)
	for i, p := range all {
		if i == 1 || strings.Contains(p.text, "FERRY_URL") {
			p.command(t, "build", "-o", os.DevNull) // it serves until it is stopped, or calls a server
			continue
		}
		require.NotEmpty(t, p.prints)
		require.Equal(t, p.prints, p.command(t, "run"))
	}
}
