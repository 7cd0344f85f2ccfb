package main

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/prometheus/procfs"
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

// residentOfFiles is how many bytes of files, above all of the program, a process has in memory.
func residentOfFiles(t *testing.T, pid int) uint64 {
	process, err := procfs.NewProc(pid)
	require.NoError(t, err)
	status, err := process.NewStatus()
	require.NoError(t, err)
	return status.RssFile
}
