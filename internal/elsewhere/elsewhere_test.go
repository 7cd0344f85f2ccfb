package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatCompilesHereOnlyIsFound checks a module whose package, whose test and whose dependency
// in the standard library differ between systems.
func TestWhatCompilesHereOnlyIsFound(t *testing.T) {
	elsewhere := "windows"
	if runtime.GOOS == elsewhere {
		elsewhere = "linux"
	}
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	write("go.mod", "module example.com/m\n\ngo 1.26\n")
	write("m.go", "package m\n\nimport \"net/http\"\n\nfunc Get() (*http.Response, error) { return http.Get(\"\") }\n")
	write("here_"+runtime.GOOS+".go", "package m\n\nconst here = true\n")
	checked, err := check(t.Context(), elsewhere, "./...")
	require.NoError(t, err)
	require.Equal(t, 1, checked)

	write("m_test.go", "package m\n\nvar _ = here\n")
	_, err = check(t.Context(), runtime.GOOS, "./...")
	require.NoError(t, err)
	_, err = check(t.Context(), elsewhere, "./...")
	require.ErrorContains(t, err, "m_test.go:3:9: undefined: here")

	write("m_test.go", "package m_test\n\nimport \"example.com/m\"\n\nvar _ = m.Missing\n")
	_, err = check(t.Context(), elsewhere, "./...")
	require.ErrorContains(t, err, "undefined: m.Missing")
}
