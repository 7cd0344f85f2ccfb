package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWhatNoTestNoticesIsPrinted hunts in a package that tests hold in part.
func TestWhatNoTestNoticesIsPrinted(t *testing.T) {
	var out bytes.Buffer
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	order := "internal/mutants/testdata/toy/toy.go Take: after the next one: a.Posted -= amount"
	h := hunter{
		root: root, parallel: 2, patience: time.Minute, dir: t.TempDir(), out: &out, excused: map[string]string{order: "nobody sees them between"},
		held: filepath.Join(t.TempDir(), "held.txt"),
	}
	toy := []string{"./internal/mutants/testdata/toy"}
	require.NoError(t, os.WriteFile(h.held, nil, 0o600))
	require.NoError(t, h.run(t.Context(), toy))
	out.Reset()
	require.NoError(t, h.report())
	require.Equal(t, `line 41: internal/mutants/testdata/toy/toy.go Take: after the next one: a.Moves++
line 42: internal/mutants/testdata/toy/toy.go Take: left out: a.log = append(a.log, "taken")
line 52: internal/mutants/testdata/toy/toy.go Ended: no such case: Held
19 of 22 mutants were noticed (86.4 %); 1 more change nothing
`, out.String())

	// Of a function that is held nothing is tried again, unless it changes.
	again := hunter{root: root, dir: t.TempDir(), out: &out, held: h.held, results: map[string]string{}}
	require.NoError(t, again.mutate(t.Context(), toy))
	tried := map[string]bool{}
	for _, m := range again.mutants {
		tried[m.Func] = tried[m.Func] || again.results[m.name()] == ""
	}
	require.True(t, tried["Take"])
	require.True(t, tried["Ended"])
	require.False(t, tried["Late"])
	changed := slices.Clone(again.mutants)
	for n := range changed {
		changed[n].body += "// changed"
	}
	require.NotEqual(t, sum(again.mutants), sum(changed))
}

func TestReasonsStandUnderTheirMutants(t *testing.T) {
	require.Equal(t, map[string]string{"a.go F: left out: x++": "because", "b": "too"}, reasons("a.go F: left out: x++\n\tbecause\n\nb\n\ttoo\n"))
}
