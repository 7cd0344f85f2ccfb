package main

import (
	_ "embed"
	"fmt"
	"strings"
)

// excused has the mutants that change nothing that anybody was promised, each with the reason. A line is
// the name of a mutant, and the line after it begins with a tab and has the reason.
//
//go:embed unnoticed.txt
var excused string

// reasons are the reasons of mutants that change nothing, by their names.
func reasons(text string) map[string]string {
	all, name := map[string]string{}, ""
	for line := range strings.Lines(text) {
		switch line = strings.TrimRight(line, "\n"); {
		case strings.HasPrefix(line, "\t"):
			all[name] = strings.TrimSpace(line)
		case line != "":
			name = line
		}
	}
	return all
}

// report prints what nobody noticed, and how many that are.
func (h *hunter) report(why map[string]string) error {
	noticed, excused := 0, 0
	for _, m := range h.mutants {
		who := h.results[m.name()]
		_, known := why[m.name()]
		switch {
		case who != nobody && who != notReached:
			noticed++
		case known:
			excused++
		default:
			fmt.Fprintf(h.out, "line %d: %s\n", m.Line, strings.TrimSpace(m.name()+" "+who))
		}
	}
	counted := len(h.mutants) - excused
	fmt.Fprintf(h.out, "%d of %d mutants were noticed (%.1f %%); %d more change nothing\n", noticed, counted, 100*float64(noticed)/float64(max(counted, 1)), excused)
	return nil
}
