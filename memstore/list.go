package memstore

import (
	"cmp"
	"iter"
	"slices"
	"time"
)

// place is where work stands in a list: by an instant in microseconds, then by its key.
type place struct {
	at int64
	id string
}

// placeOf is the place of a key at an instant.
func placeOf(at time.Time, id string) place { return place{at.UnixMicro(), id} }

func (p place) compare(q place) int {
	if c := cmp.Compare(p.at, q.at); c != 0 {
		return c
	}
	return cmp.Compare(p.id, q.id)
}

// list is places in order, lowest first, none of them twice. They stand in runs
// of 1 to runLength places, so that what comes or goes in the middle of a long
// list moves no more than its run.
type list struct {
	runs   [][]place
	length int
}

// runLength is how many places of 24 bytes fill 8 KiB with what Go keeps beside them.
const runLength = 340

// find returns where p stands or would stand: in the first run that does not end
// before it. After all others that is a run that is not there yet.
func (l *list) find(p place) (run, at int, found bool) {
	n := len(l.runs)
	if n == 0 || endsBefore(l.runs[n-1], p) < 0 { // rows mostly come last
		return n, 0, false
	}
	run, _ = slices.BinarySearchFunc(l.runs, p, endsBefore)
	at, found = slices.BinarySearchFunc(l.runs[run], p, place.compare)
	return run, at, found
}

// endsBefore compares the end of a run with p.
func endsBefore(run []place, p place) int { return run[len(run)-1].compare(p) }

// insert adds p and reports whether it was not there.
func (l *list) insert(p place) bool {
	run, at, found := l.find(p)
	switch {
	case found:
		return false
	case run == len(l.runs):
		l.push(p)
	case len(l.runs[run]) == runLength:
		l.split(run)
		return l.insert(p)
	default:
		l.runs[run] = slices.Insert(l.runs[run], at, p)
	}
	l.length++
	return true
}

// push adds p after all others.
func (l *list) push(p place) {
	last := len(l.runs) - 1
	switch {
	case last < 0:
		l.runs = [][]place{{p}}
	case len(l.runs[last]) == runLength: // a long list goes on growing
		l.runs = append(l.runs, append(make([]place, 0, runLength), p))
	default:
		l.runs[last] = append(l.runs[last], p)
	}
}

// split makes two runs of one.
func (l *list) split(run int) {
	first, second := l.runs[run][:runLength/2], l.runs[run][runLength/2:]
	l.runs = slices.Insert(l.runs, run+1, slices.Clone(second))
	clear(second) // for the garbage collector
	l.runs[run] = first
}

// remove takes p out and reports whether it was there.
func (l *list) remove(p place) bool {
	run, at, found := l.find(p)
	if !found {
		return false
	}
	l.runs[run] = slices.Delete(l.runs[run], at, at+1)
	if len(l.runs[run]) == 0 {
		l.runs = slices.Delete(l.runs, run, run+1)
	}
	l.length--
	return true
}

// after yields the places that follow p, lowest first.
func (l *list) after(p place) iter.Seq[place] {
	return func(yield func(place) bool) {
		run, at, found := l.find(p)
		if found {
			at++
		}
		for ; run < len(l.runs); run, at = run+1, 0 {
			for _, q := range l.runs[run][at:] {
				if !yield(q) {
					return
				}
			}
		}
	}
}

// first returns the lowest place.
func (l *list) first() (p place, found bool) {
	if l.length == 0 {
		return p, false
	}
	return l.runs[0][0], true
}

// all yields the places, lowest first.
func (l *list) all() iter.Seq[place] {
	return func(yield func(place) bool) {
		for _, run := range l.runs {
			for _, p := range run {
				if !yield(p) {
					return
				}
			}
		}
	}
}
