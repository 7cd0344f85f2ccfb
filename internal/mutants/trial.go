package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// trial is a test that can be run with a mutant.
type trial struct {
	suite *suite
	name  string
	args  []string
	took  time.Duration
	sees  map[int]bool // the mutants that it reaches
}

// group is tests that one process runs, one after the other.
type group []*trial

// took is how long they take without a mutant.
func (g group) took() (sum time.Duration) {
	for _, t := range g {
		sum += t.took
	}
	return sum
}

// failed is the line that tells which test failed.
var failed = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// run runs the tests with a mutant, or with none, until one fails. It returns who failed, and nobody when
// all passed in time.
func (g group) run(ctx context.Context, root, dir string, limit time.Duration, env ...string) (who string, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit+10*time.Second) //nolint:mnd // for a process that hangs
	defer cancel()
	var names []string
	for _, t := range g {
		names = append(names, t.name)
	}
	s := g[0].suite
	args := append([]string{"-test.run", s.pattern(names...), "-test.failfast", "-test.timeout", limit.String()}, g[0].args...)
	cmd := exec.CommandContext(ctx, s.binary(dir), args...)
	cmd.Dir = filepath.Join(root, s.Dir)
	cmd.Env = append(os.Environ(), append(env, "GOGC=400")...)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) && ctx.Err() == nil {
		return "", err
	}
	if err == nil {
		return nobody, nil
	}
	who = "it does not end"
	if line := failed.FindSubmatch(out); line != nil {
		who = string(line[1])
	}
	return strings.TrimSpace(s.Dir + " " + who + " " + strings.Join(g[0].args, " ")), nil
}

// measure runs the trial without a mutant, and learns how long it takes and what it reaches.
func (t *trial) measure(ctx context.Context, root, dir string, number int) (bool, error) {
	file := filepath.Join(dir, fmt.Sprint("seen-", number))
	began := time.Now()
	who, err := group{t}.run(ctx, root, dir, 2*time.Minute, "FERRY_MUTANTS_SEEN="+file) //nolint:mnd // longer than any takes
	t.took = time.Since(began)
	if err != nil || who != nobody {
		return false, err
	}
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return true, nil
	}
	t.sees = map[int]bool{}
	for _, line := range strings.Fields(string(text)) {
		n, err := strconv.Atoi(line)
		if err != nil {
			return false, err
		}
		t.sees[n] = true
	}
	return true, err
}
