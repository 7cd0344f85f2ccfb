package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// suite is a package of tests, and how they are run.
type suite struct {
	Dir string
	// Run is added to the name of a test, as /memory: the subtests that matter.
	Run string
	// Each has one test that is run once with each of these arguments. Without it every test is run by itself.
	Each [][]string
	Test string
}

// pattern is the -test.run of tests of the suite.
func (s suite) pattern(tests ...string) string { return "^(" + strings.Join(tests, "|") + ")$" + s.Run }

// binary is where the tests of the suite are built.
func (s suite) binary(dir string) string {
	return filepath.Join(dir, strings.ReplaceAll(strings.Trim(s.Dir, "./"), "/", "_")+".test")
}

// suites are the tests of the whole.
var suites = []suite{
	{Dir: "./disburse"}, {Dir: "./operation"}, {Dir: "./checkout"}, {Dir: "./bills"}, {Dir: "./bankfeed"}, {Dir: "./engine"}, {Dir: "./memstore"},
	{Dir: "./ferrytest/sim", Test: "TestTheStorm", Each: storms(6)}, //nolint:mnd // storms
	{Dir: "./tests/engine"}, {Dir: "./tests/httpapi"}, {Dir: "./tests/scenario", Run: "/^memory$"},
}

// storms are the arguments of so many storms.
func storms(n int) (each [][]string) {
	for seed := range n {
		each = append(each, []string{"-seed", fmt.Sprint(seed + 1), "-seeds", "1", "-steps", "2000", "-brief"})
	}
	return each
}

// build builds the tests of the suite with an overlay. It reports false when there are none.
func (s suite) build(ctx context.Context, root, overlay, dir string) (bool, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-ldflags=-s -w", "-gcflags=all=-dwarf=false", "-overlay", overlay, "-o", s.binary(dir), s.Dir)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	if err := cmd.Run(); err != nil {
		return false, fmt.Errorf("build the tests of %s: %w", s.Dir, err)
	}
	_, err := os.Stat(s.binary(dir))
	return err == nil, nil
}

// list returns the names of the tests.
func (s suite) list(ctx context.Context, root, dir string) ([]string, error) {
	cmd := exec.CommandContext(ctx, s.binary(dir), "-test.list", "^(Test|Example)")
	cmd.Dir = filepath.Join(root, s.Dir)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the tests of %s: %w", s.Dir, err)
	}
	return strings.Fields(string(out)), nil
}
