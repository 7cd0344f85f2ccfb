package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// packages are those of money: what moves it, sets it aside, and does it once.
var packages = []string{
	"./ledger", "./lease", "./idempotency", "./wallets/...", "./payments/...", "./payouts/...", "./refunds/...", "./ramp/...",
}

var (
	only     = flag.String("only", "", "the directory whose packages are changed, as refunds, or all of them")
	dir      = flag.String("dir", "bin/_mutants", "where sources, tests and results are kept; a run goes on with what it finds there")
	parallel = flag.Int("parallel", 2, "how many tests run at a time")
	patience = flag.Duration("patience", 20*time.Second, "how long tests may look for one mutant")
)

func main() {
	flag.Parse()
	if err := hunt(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// hunt makes the mutants, and lets the tests look for them.
func hunt(ctx context.Context) error {
	patterns := packages
	if *only != "" {
		patterns = []string{"./" + *only + "/..."}
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	at, err := filepath.Abs(*dir)
	if err != nil {
		return err
	}
	h := hunter{
		root: root, dir: at, suites: suites, parallel: *parallel, patience: *patience, out: os.Stdout,
		excused: reasons(excused), held: filepath.Join(root, "internal", "mutants", "held.txt"),
	}
	if err := h.run(ctx, patterns); err != nil {
		return err
	}
	return h.report()
}

// run makes the mutants of packages, and lets the tests look for them.
func (h *hunter) run(ctx context.Context, patterns []string) error {
	if err := os.MkdirAll(h.dir, 0o755); err != nil { //nolint:mnd // of the repository
		return err
	}
	h.results = map[string]string{}
	if err := h.recall(); err != nil {
		return err
	}
	for _, part := range []func(context.Context) error{
		func(ctx context.Context) error { return h.mutate(ctx, patterns) }, h.build, h.measure, h.look,
	} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return h.keep()
}

// hunter is a hunt.
type hunter struct {
	root, dir string
	suites    []suite       // those of the whole; the packages that are changed have their own
	parallel  int           // tests at a time
	patience  time.Duration // with one mutant
	out       io.Writer
	excused   map[string]string // the reasons of mutants that change nothing, by their names
	held      string            // the file of functions whose mutants are all noticed, if there is one

	mutants []mutant
	dirs    []string // of the packages that are changed
	trials  []*trial

	mu      sync.Mutex
	results map[string]string // who noticed a mutant, by its name, or nobody
}

// mutate writes the sources with all mutants, and the overlay that has them.
func (h *hunter) mutate(ctx context.Context, patterns []string) error {
	sources, err := load(ctx, h.root, patterns)
	if err != nil {
		return err
	}
	replace := map[string]string{}
	for _, s := range sources {
		if name := filepath.Base(s.path); name == "explain.go" || name == "doc.go" || strings.Contains(string(s.text), "DO NOT EDIT.") {
			continue // texts for people, which tests of the texts hold
		}
		m := mutator{source: s, first: len(h.mutants)}
		m.all()
		if len(m.found) == 0 {
			continue
		}
		h.mutants = append(h.mutants, m.found...)
		if of := "./" + filepath.Dir(s.path); !slices.Contains(h.dirs, of) {
			h.dirs = append(h.dirs, of)
		}
		to := filepath.Join(h.dir, strings.ReplaceAll(s.path, "/", "_"))
		if err := os.WriteFile(to, m.rewritten(), 0o600); err != nil { //nolint:mnd // of its owner
			return err
		}
		replace[filepath.Join(h.root, s.path)] = to
	}
	h.number()
	if err := h.remember(); err != nil {
		return err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	fmt.Fprintf(h.out, "%d mutants in %d files\n", len(h.mutants), len(replace))
	return os.WriteFile(h.overlay(), overlay, 0o600) //nolint:mnd // of its owner
}

// number tells mutants of one name apart.
func (h *hunter) number() {
	times := map[string]int{}
	for n := range h.mutants {
		m := &h.mutants[n]
		name := m.name()
		if times[name]++; times[name] > 1 {
			m.Change += fmt.Sprintf(" (%d)", times[name])
		}
	}
}

func (h *hunter) overlay() string { return filepath.Join(h.dir, "overlay.json") }

// build builds the tests.
func (h *hunter) build(ctx context.Context) error {
	var all []suite
	for _, dir := range h.dirs {
		all = append(all, suite{Dir: dir})
	}
	all, h.suites = append(all, h.suites...), nil
	for _, s := range all {
		has, err := s.build(ctx, h.root, h.overlay(), h.dir)
		if err != nil {
			return err
		}
		if has {
			h.suites = append(h.suites, s)
		}
	}
	return nil
}

// measure lists the tests, and learns what each of them reaches. Of a suite those come first that reach least.
func (h *hunter) measure(ctx context.Context) error {
	for n := range h.suites {
		s := &h.suites[n]
		for _, args := range s.Each {
			h.trials = append(h.trials, &trial{suite: s, name: s.Test, args: args})
		}
		if s.Test != "" {
			continue
		}
		names, err := s.list(ctx, h.root, h.dir)
		if err != nil {
			return err
		}
		for _, name := range names {
			h.trials = append(h.trials, &trial{suite: s, name: name})
		}
	}
	began := time.Now()
	passed := make([]bool, len(h.trials))
	err := h.each(len(h.trials), func(n int) (err error) {
		passed[n], err = h.trials[n].measure(ctx, h.root, h.dir, n)
		return err
	})
	var useful []*trial
	for n, t := range h.trials {
		switch {
		case !passed[n]:
			fmt.Fprintf(h.out, "left out, as it fails without a mutant: %s %s %v\n", t.suite.Dir, t.name, t.args)
		case len(t.sees) > 0:
			useful = append(useful, t)
		}
	}
	h.trials = nil
	for n := range h.suites {
		first := len(h.trials)
		for _, t := range useful {
			if t.suite == &h.suites[n] {
				h.trials = append(h.trials, t)
			}
		}
		slices.SortStableFunc(h.trials[first:], func(a, b *trial) int { return cmp.Compare(len(a.sees), len(b.sees)) })
	}
	fmt.Fprintf(h.out, "%d tests reach mutants, measured in %s\n", len(h.trials), time.Since(began).Round(time.Second))
	return err
}

// each does something with so many numbers, some at a time.
func (h *hunter) each(count int, do func(n int) error) error {
	var wg sync.WaitGroup
	next, errs := make(chan int), make([]error, count)
	for range h.parallel {
		wg.Go(func() {
			for n := range next {
				errs[n] = do(n)
			}
		})
	}
	for n := range count {
		next <- n
	}
	close(next)
	wg.Wait()
	return errors.Join(errs...)
}

// look lets the tests look for every mutant of which nothing is known. The order of their functions is
// drawn, so that those of a run that is stopped are a sample.
func (h *hunter) look(ctx context.Context) error {
	var unknown []mutant
	for _, m := range mixed(h.mutants) {
		if _, known := h.results[m.name()]; !known && h.excused[m.name()] == "" {
			unknown = append(unknown, m)
		}
	}
	began, done := time.Now(), 0
	return h.each(len(unknown), func(n int) error {
		who, err := h.noticed(ctx, unknown[n])
		if err != nil {
			return err
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		h.results[unknown[n].name()] = who
		if done++; done%50 == 0 { //nolint:mnd // now and then
			fmt.Fprintf(h.out, "%d of %d in %s\n", done, len(unknown), time.Since(began).Round(time.Second))
			return h.keep()
		}
		return nil
	})
}

// mixed is mutants in an order that is always the same: those of a function are together, and those of a
// file are not.
func mixed(mutants []mutant) []mutant {
	mutants = slices.Clone(mutants)
	slices.SortStableFunc(mutants, func(a, b mutant) int {
		return cmp.Compare(crc32.ChecksumIEEE([]byte(a.function())), crc32.ChecksumIEEE([]byte(b.function())))
	})
	return mutants
}

// noticed returns who fails with a mutant: nobody, or not reached.
func (h *hunter) noticed(ctx context.Context, m mutant) (string, error) {
	who := notReached
	var spent time.Duration
	for _, g := range h.groups(m) {
		if who = nobody; spent > h.patience {
			break
		}
		began := time.Now()
		found, err := g.run(ctx, h.root, h.dir, 5*g.took()+5*time.Second, fmt.Sprint("FERRY_MUTANT=", m.Number)) //nolint:mnd // a mutant may never end
		if err != nil || found != nobody {
			return found, err
		}
		spent += time.Since(began)
	}
	return who, nil
}

// groups are the tests that reach a mutant, in their order: some of one suite at a time.
func (h *hunter) groups(m mutant) (all []group) {
	for _, t := range h.trials {
		if !t.sees[m.Number] {
			continue
		}
		if last := len(all) - 1; last >= 0 && all[last][0].suite == t.suite && t.args == nil && len(all[last]) < 16 { //nolint:mnd // some at a time
			all[last] = append(all[last], t)
			continue
		}
		all = append(all, group{t})
	}
	return all
}
