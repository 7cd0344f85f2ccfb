package main

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// What is kept of mutants that no test noticed.
const nobody, notReached = "", "not reached"

// before is who noticed a mutant of a function that is held.
const before = "a run before"

func (h *hunter) kept() string { return filepath.Join(h.dir, "results.json") }

// recall reads what an earlier run has found in this directory.
func (h *hunter) recall() error {
	text, err := os.ReadFile(h.kept())
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(text, &h.results)
}

// keep writes what was found into the directory, and the functions that are held into their file.
func (h *hunter) keep() error {
	text, err := json.MarshalIndent(h.results, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(h.kept(), text, 0o600); err != nil { //nolint:mnd // of its owner
		return err
	}
	if h.held == "" {
		return nil
	}
	lines, err := h.others()
	if err != nil {
		return err
	}
	for of, mutants := range h.functions() {
		if !slices.ContainsFunc(mutants, h.escaped) {
			lines = append(lines, of+" "+sum(mutants)+"\n")
		}
	}
	slices.Sort(lines)
	return os.WriteFile(h.held, []byte(strings.Join(lines, "")), 0o644) //nolint:gosec,mnd // a file of the repository
}

// others returns the lines of functions that are held in packages which this run does not change.
func (h *hunter) others() (lines []string, err error) {
	text, err := os.ReadFile(h.held)
	for line := range strings.Lines(string(text)) {
		file, _, _ := strings.Cut(line, " ")
		if !slices.Contains(h.dirs, "./"+filepath.Dir(file)) {
			lines = append(lines, line)
		}
	}
	return lines, err
}

// escaped reports whether nobody is known to have noticed a mutant, and no reason.
func (h *hunter) escaped(m mutant) bool {
	who := h.results[m.name()]
	return (who == nobody || who == notReached) && h.excused[m.name()] == ""
}

// functions are the mutants of each function.
func (h *hunter) functions() map[string][]mutant {
	of := map[string][]mutant{}
	for _, m := range h.mutants {
		of[m.function()] = append(of[m.function()], m)
	}
	return of
}

// sum is the same as long as a function and what is changed in it are.
func sum(mutants []mutant) string {
	all := crc32.NewIEEE()
	for _, m := range mutants {
		_, _ = fmt.Fprintln(all, m.name(), m.body)
	}
	return fmt.Sprintf("%d %08x", len(mutants), all.Sum32())
}

// remember takes the mutants of functions that are held, and did not change, for noticed.
func (h *hunter) remember() error {
	if h.held == "" {
		return nil
	}
	text, err := os.ReadFile(h.held)
	if err != nil {
		return err
	}
	lines := strings.Split(string(text), "\n")
	for of, mutants := range h.functions() {
		if !slices.Contains(lines, of+" "+sum(mutants)) {
			continue
		}
		for _, m := range mutants {
			if h.results[m.name()] == "" {
				h.results[m.name()] = before
			}
		}
	}
	return nil
}
