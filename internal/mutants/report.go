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
func (h *hunter) report() error {
	noticed, excused := 0, 0
	for _, m := range h.mutants {
		switch {
		case h.excused[m.name()] != "":
			excused++
		case h.escaped(m):
			fmt.Fprintf(h.out, "line %d: %s\n", m.Line, strings.TrimSpace(m.name()+" "+h.results[m.name()]))
		default:
			noticed++
		}
	}
	counted := len(h.mutants) - excused
	fmt.Fprintf(h.out, "%d of %d mutants were noticed (%.1f %%); %d more change nothing\n", noticed, counted, 100*float64(noticed)/float64(max(counted, 1)), excused)
	return nil
}
