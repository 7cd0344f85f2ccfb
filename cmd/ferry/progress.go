package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progress is a line about work that takes long. On a terminal the line is written over itself
// each second, and is gone when the work ends. Elsewhere, as in a log, there is a new line
// every half minute.
type progress struct {
	to       io.Writer
	terminal bool
	now      func() time.Time
	next     time.Time // no line before
	shown    bool
}

// newProgress returns the progress on a file. Work of less than a second has no line.
func newProgress(to *os.File) *progress {
	about, err := to.Stat()
	p := &progress{to: to, terminal: err == nil && about.Mode()&os.ModeCharDevice != 0, now: time.Now}
	p.next = p.now().Add(p.pause())
	return p
}

func (p *progress) pause() time.Duration {
	if p.terminal {
		return time.Second
	}
	return 30 * time.Second
}

// rewrite is what a terminal needs to write a line over itself: go to its beginning, and clear it.
const rewrite = "\r\x1b[K"

// say shows a line, unless it is too early for another one.
func (p *progress) say(line string) {
	now := p.now()
	if now.Before(p.next) {
		return
	}
	p.next, p.shown = now.Add(p.pause()), true
	if p.terminal {
		fmt.Fprint(p.to, rewrite, line)
	} else {
		fmt.Fprintln(p.to, "ferry:", line)
	}
}

// end clears the line of a terminal.
func (p *progress) end() {
	if p.terminal && p.shown {
		fmt.Fprint(p.to, rewrite)
	}
}
