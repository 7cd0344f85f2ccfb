package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestEventsAreFollowedBeyondAReset(t *testing.T) {
	p := startDev(t)
	happens := func() {
		_, stderr, code := p.says(t, "trigger", "payment.success")
		require.Zero(t, code, stderr)
	}
	happens()
	happens()
	printed, _ := p.lines(t, "events", "--follow", "--events", "payment.success")
	lines := make(chan string, 10)
	go func() {
		for printed.Scan() {
			lines <- printed.Text()
		}
	}()
	next := func() {
		select {
		case line := <-lines:
			require.Contains(t, line, `"type":"payment.success"`)
		case <-time.After(30 * time.Second):
			require.Fail(t, "no event came")
		}
	}
	next()
	next()
	_, stderr, code := p.says(t, "reset")
	require.Zero(t, code, stderr)
	happens()
	next()
}
