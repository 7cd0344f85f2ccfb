package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
)

// aClock moves on at each look.
func aClock(by time.Duration) func() time.Time {
	now := time.Unix(0, 0)
	return func() time.Time {
		now = now.Add(by)
		return now
	}
}

func TestAnAuditSaysWhatItHasCheckedOfHowMuch(t *testing.T) {
	e, err := engine.New(engine.Config{Store: memstore.New()})
	require.NoError(t, err)
	shop, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, shop)

	var log strings.Builder
	found, err := auditBooks(t.Context(), e, &progress{to: &log, now: aClock(time.Minute)})
	require.NoError(t, err)
	require.True(t, found.Clean)
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	require.Contains(t, lines[0], "ferry: audit of test, part 1 of 12 (ledger): 0 of ")
	var of int
	_, err = fmt.Sscanf(lines[0], "ferry: audit of test, part 1 of 12 (ledger): 0 of %d accounts", &of)
	require.NoError(t, err)
	require.Contains(t, lines, fmt.Sprintf("ferry: audit of test, part 1 of 12 (ledger): %d of %d accounts", of, of))
	require.Contains(t, lines, "ferry: audit of test, part 6 of 12 (checkout): 0 rows")
	require.Contains(t, log.String(), "ferry: audit of live, part 1 of 12 (ledger)")
}

func TestATerminalShowsOneLineOfProgressEachSecondAndIsCleanAtTheEnd(t *testing.T) {
	var screen strings.Builder
	p := progress{to: &screen, terminal: true, now: aClock(400 * time.Millisecond)}
	for n := range 7 {
		p.say(fmt.Sprint("row ", n))
	}
	p.end()
	require.Equal(t, "\r\x1b[Krow 0\r\x1b[Krow 3\r\x1b[Krow 6\r\x1b[K", screen.String())
}

func TestAShortAuditSaysNothingBesideItsAnswer(t *testing.T) {
	var log strings.Builder
	p := progress{to: &log, now: aClock(time.Second), next: time.Unix(30, 0)}
	p.say("row 1")
	p.end()
	require.Empty(t, log.String())
}
