package memstore

import (
	"cmp"
	"iter"
	"slices"
	"time"
)

// place is where a row stands in a list: by a number, mostly its time in
// microseconds, then by its key.
type place[K cmp.Ordered] struct {
	at int64
	id K
}

// placeOf is the place of a row in a list that is ordered by time.
func placeOf[K cmp.Ordered](at time.Time, id K) place[K] { return place[K]{at.UnixMicro(), id} }

func (p place[K]) compare(q place[K]) int {
	if c := cmp.Compare(p.at, q.at); c != 0 {
		return c
	}
	return cmp.Compare(p.id, q.id)
}

// list is places in order, lowest first, none of them twice. They stand in runs
// of 1 to runLength places, so that what comes or goes in the middle of a long
// list moves no more than its run.
type list[K cmp.Ordered] struct {
	runs   [][]place[K]
	length int
}

// runLength is how many places of 24 bytes fill 8 KiB with what Go keeps beside them.
const runLength = 340

// find returns where p stands or would stand: in the first run that does not end
// before it. After all others that is a run that is not there yet.
func (l *list[K]) find(p place[K]) (run, at int, found bool) {
	n := len(l.runs)
	if n == 0 || endsBefore(l.runs[n-1], p) < 0 { // rows mostly come last
		return n, 0, false
	}
	run, _ = slices.BinarySearchFunc(l.runs, p, endsBefore[K])
	at, found = slices.BinarySearchFunc(l.runs[run], p, place[K].compare)
	return run, at, found
}

// endsBefore compares the end of a run with p.
func endsBefore[K cmp.Ordered](run []place[K], p place[K]) int { return run[len(run)-1].compare(p) }

// insert adds p and reports whether it was not there.
func (l *list[K]) insert(p place[K]) bool {
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
func (l *list[K]) push(p place[K]) {
	last := len(l.runs) - 1
	switch {
	case last < 0:
		l.runs = [][]place[K]{{p}}
	case len(l.runs[last]) == runLength: // a long list goes on growing
		l.runs = append(l.runs, append(make([]place[K], 0, runLength), p))
	default:
		l.runs[last] = append(l.runs[last], p)
	}
}

// split makes two runs of one.
func (l *list[K]) split(run int) {
	first, second := l.runs[run][:runLength/2], l.runs[run][runLength/2:]
	l.runs = slices.Insert(l.runs, run+1, slices.Clone(second))
	clear(second) // for the garbage collector
	l.runs[run] = first
}

// remove takes p out and reports whether it was there.
func (l *list[K]) remove(p place[K]) bool {
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
func (l *list[K]) after(p place[K]) iter.Seq[place[K]] {
	return func(yield func(place[K]) bool) {
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
func (l *list[K]) first() (p place[K], found bool) {
	if l.length == 0 {
		return p, false
	}
	return l.runs[0][0], true
}

// all yields the places, lowest first.
func (l *list[K]) all() iter.Seq[place[K]] {
	return func(yield func(place[K]) bool) {
		for _, run := range l.runs {
			for _, p := range run {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// down yields the places, highest first, without the first `skip` of these.
func (l *list[K]) down(skip int) iter.Seq[place[K]] {
	run := len(l.runs) - 1
	for ; run >= 0 && skip >= len(l.runs[run]); run-- {
		skip -= len(l.runs[run])
	}
	return func(yield func(place[K]) bool) {
		if run >= 0 {
			l.walkDown(run, len(l.runs[run])-skip, yield)
		}
	}
}

// before yields the places that precede p, highest first, whether or not p is there.
func (l *list[K]) before(p place[K]) iter.Seq[place[K]] {
	return func(yield func(place[K]) bool) {
		run, at, _ := l.find(p)
		l.walkDown(run, at, yield)
	}
}

// walkDown yields the places before a position, highest first.
func (l *list[K]) walkDown(run, end int, yield func(place[K]) bool) {
	for {
		for i := end - 1; i >= 0; i-- {
			if !yield(l.runs[run][i]) {
				return
			}
		}
		if run--; run < 0 {
			return
		}
		end = len(l.runs[run])
	}
}
