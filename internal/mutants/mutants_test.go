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
	const other = "refunds/move.go moveIn 9 0badcafe\n"
	require.NoError(t, os.WriteFile(h.held, []byte("internal/mutants/testdata/toy/toy.go gone 1 0badcafe\n"+other), 0o600))
	require.NoError(t, h.run(t.Context(), toy))
	held, err := os.ReadFile(h.held)
	require.NoError(t, err)
	require.Contains(t, string(held), other, "a package that was not looked at keeps its lines")
	require.NotContains(t, string(held), "toy.go gone")
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
