package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAServerWritesNoCoreFile(t *testing.T) {
	p := newSite(t).serve(t, "")
	defer p.stop(t)
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", p.cmd.Process.Pid))
	require.NoError(t, err)
	require.Regexp(t, `(?m)^Max core file size +0 +0 `, string(limits))
}
