package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAServerWritesNoCoreFile(t *testing.T) {
	p := newSite(t).serve(t, "")
	defer p.stop(t)
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", p.cmd.Process.Pid))
	require.NoError(t, err)
	require.Regexp(t, `(?m)^Max core file size +0 +0 `, string(limits))
}

func TestAServerGivesBackThePagesThatOnlyItsStartNeeded(t *testing.T) {
	p := newSite(t).serve(t, "")
	defer p.stop(t)
	started := residentOfFiles(t, p.cmd.Process.Pid)
	require.Eventually(t, func() bool { return residentOfFiles(t, p.cmd.Process.Pid) < started*2/3 }, time.Minute, 200*time.Millisecond)
}

// residentOfFiles is how many kilobytes of files, above all of the program, a process has in memory.
func residentOfFiles(t *testing.T, pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err)
	size := regexp.MustCompile(`RssFile:\s+(\d+) kB`).FindSubmatch(text)
	require.NotNil(t, size)
	n, err := strconv.Atoi(string(size[1]))
	require.NoError(t, err)
	return n
}
