package main

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
)

func TestAnOperatorStopsWhatLeavesAndLetsItLeaveAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ferry.db")
	alarmed(t, file)
	type standing struct {
		Environment ferry.Env `json:"environment"`
		MayLeave    bool      `json:"may_leave"`
		StoppedAt   string    `json:"stopped_at"`
		Reason      string    `json:"stop_reason"`
	}
	run := func(args ...string) []standing {
		var out struct {
			Environments []standing `json:"environments"`
		}
		require.NoError(t, json.Unmarshal([]byte(mustRun(t, append(append([]string{"outflow"}, args...), "--store", "sqlite:"+file)...)), &out))
		return out.Environments
	}
	for _, env := range run("status") {
		require.True(t, env.MayLeave)
	}
	stopped := run("stop", "--reason", "a key was stolen", "--environment", "live")
	require.Len(t, stopped, 1)
	require.Equal(t, ferry.Live, stopped[0].Environment)
	require.False(t, stopped[0].MayLeave)
	require.Equal(t, "a key was stolen", stopped[0].Reason)
	require.NotEmpty(t, stopped[0].StoppedAt)
	now := run("status")
	require.Len(t, now, 2)
	require.True(t, now[0].MayLeave, "the other environment goes on")
	require.Equal(t, stopped[0], now[1], "it stands in the store")
	for _, env := range run("resume") {
		require.True(t, env.MayLeave)
	}
	_, stderr, code := ferryCommand(t, "outflow", "stop", "--store", "sqlite:"+file)
	require.Equal(t, 80, code, "a stop without a reason")
	require.Contains(t, stderr, "--reason")
}
