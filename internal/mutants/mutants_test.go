package main

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWhatNoTestNoticesIsPrinted hunts in a package that tests hold in part.
func TestWhatNoTestNoticesIsPrinted(t *testing.T) {
	var out bytes.Buffer
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	h := hunter{root: root, parallel: 2, patience: time.Minute, dir: t.TempDir(), out: &out}
	require.NoError(t, h.run(t.Context(), []string{"./internal/mutants/testdata/toy"}))
	out.Reset()
	order := "internal/mutants/testdata/toy/toy.go Take: after the next one: a.Posted -= amount"
	require.NoError(t, h.report(map[string]string{order: "nobody sees them between"}))
	require.Equal(t, `line 41: internal/mutants/testdata/toy/toy.go Take: after the next one: a.Moves++
line 42: internal/mutants/testdata/toy/toy.go Take: left out: a.log = append(a.log, "taken")
line 52: internal/mutants/testdata/toy/toy.go Ended: no such case: Held
19 of 22 mutants were noticed (86.4 %); 1 more change nothing
`, out.String())
}

func TestReasonsStandUnderTheirMutants(t *testing.T) {
	require.Equal(t, map[string]string{"a.go F: left out: x++": "because", "b": "too"}, reasons("a.go F: left out: x++\n\tbecause\n\nb\n\ttoo\n"))
}
