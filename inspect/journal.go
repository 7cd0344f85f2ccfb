package inspect

import (
	"context"
	"slices"
	"sync"
)

// keptLines is how many lines a journal keeps: the newest ones.
const keptLines = 10_000

// journal keeps the newest lines of the timeline. It is safe for concurrent use.
type journal struct {
	mu       sync.Mutex
	lines    []Line // by Seq, without gaps; one without Kind is reserved
	next     int64  // Seq of the next line
	versions int64
	changed  chan struct{} // closed by the next change
}

func newJournal() *journal { return &journal{next: 1, changed: make(chan struct{})} }

// reserve keeps a place for a line that begins now and is told when it has ended.
func (j *journal) reserve() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.append(Line{})
}

// append adds a line at the end. The caller holds mu.
func (j *journal) append(l Line) int64 {
	l.Seq = j.next
	j.next++
	if len(j.lines) >= 2*keptLines { // make room once in a while, not each time
		j.lines = append(make([]Line, 0, 2*keptLines), j.lines[len(j.lines)-keptLines+1:]...)
	}
	j.lines = append(j.lines, l)
	return l.Seq
}

// tell writes a line: at its reserved place, or at the end when its Seq is 0. It drops a line whose
// place is gone.
func (j *journal) tell(l Line) {
	j.mu.Lock()
	defer j.mu.Unlock()
	l = l.bounded()
	j.versions++
	l.version = j.versions
	if l.Seq == 0 {
		j.append(l)
	} else if at := l.Seq - j.lines[0].Seq; at >= 0 {
		j.lines[at] = l
	}
	close(j.changed)
	j.changed = make(chan struct{})
}

// kept are the lines that are shown. The caller holds mu.
func (j *journal) kept() []Line { return j.lines[max(0, len(j.lines)-keptLines):] }

// before returns the newest lines below a Seq (0: all) that a filter keeps, the newest first, at
// most limit.
func (j *journal) before(seq int64, keeps func(Line) bool, limit int) (page []Line) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, l := range slices.Backward(j.kept()) {
		if len(page) == limit {
			break
		}
		if l.Kind != "" && (seq == 0 || l.Seq < seq) && keeps(l) {
			page = append(page, l)
		}
	}
	return page
}

// between returns the lines from one Seq to another, the oldest first.
func (j *journal) between(from, to int64) (stretch []Line) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, l := range j.kept() {
		if l.Kind != "" && l.Seq >= from && l.Seq <= to {
			stretch = append(stretch, l)
		}
	}
	return stretch
}

// since returns the lines that were written after a version, in that order, and the version to go on
// from. A version that this journal has not reached is that of an earlier process, so all lines are new.
func (j *journal) since(version int64) ([]Line, int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if version > j.versions { // of a journal before this one
		version = 0
	}
	var news []Line
	for _, l := range j.kept() {
		if l.version > version {
			news = append(news, l)
		}
	}
	slices.SortFunc(news, func(a, b Line) int { return int(a.version - b.version) })
	return news, j.versions
}

// lastSeq is the Seq of the newest line.
func (j *journal) lastSeq() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.next - 1
}

// version is that of the newest line.
func (j *journal) version() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.versions
}

// wait returns when a line was written after a version, or ctx ends.
func (j *journal) wait(ctx context.Context, version int64) {
	j.mu.Lock()
	changed, newer := j.changed, j.versions > version
	j.mu.Unlock()
	if newer {
		return
	}
	select {
	case <-changed:
	case <-ctx.Done():
	}
}
