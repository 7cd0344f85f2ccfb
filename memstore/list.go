package memstore

import (
	"cmp"
	"iter"
	"slices"
	"sort"
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

// list is places in order, lowest first, none of them twice.
type list[K cmp.Ordered] struct{ sorted[place[K]] }

// insert adds p and reports whether it was not there.
func (l *list[K]) insert(p place[K]) bool { return l.sorted.insert(p, beside(p)) }

// remove takes p out and reports whether it was there.
func (l *list[K]) remove(p place[K]) bool { return l.sorted.remove(beside(p)) }

// after yields the places that follow p, lowest first.
func (l *list[K]) after(p place[K]) iter.Seq[place[K]] { return l.sorted.after(beside(p)) }

// before yields the places that precede p, highest first, whether or not p is there.
func (l *list[K]) before(p place[K]) iter.Seq[place[K]] { return l.sorted.before(beside(p)) }

// beside returns a function that compares places with p.
func beside[K cmp.Ordered](p place[K]) func(place[K]) int {
	return func(q place[K]) int { return q.compare(p) }
}

// sorted is members in order, lowest first, none of them twice. They stand in runs of 1 to
// runLength, so that what comes or goes in the middle of many moves no more than its run.
//
// What is sought is a function that compares a member with it.
type sorted[P any] struct {
	runs   [][]P
	length int
}

const runLength = 256

// find returns where a member stands or would stand: in the first run that does not end
// before it. After all others that is a run that is not there yet.
func (l *sorted[P]) find(sought func(P) int) (run, at int, found bool) {
	n := len(l.runs)
	if n == 0 || sought(last(l.runs[n-1])) < 0 { // rows mostly come last
		return n, 0, false
	}
	run = sort.Search(n, func(i int) bool { return sought(last(l.runs[i])) >= 0 })
	members := l.runs[run]
	at = sort.Search(len(members), func(i int) bool { return sought(members[i]) >= 0 })
	return run, at, sought(members[at]) == 0
}

// last returns the end of a run.
func last[P any](run []P) P { return run[len(run)-1] }

// insert adds p, which is sought, and reports whether it was not there.
func (l *sorted[P]) insert(p P, sought func(P) int) bool {
	run, at, found := l.find(sought)
	switch {
	case found:
		return false
	case run == len(l.runs):
		l.push(p)
	case len(l.runs[run]) == runLength:
		l.split(run)
		return l.insert(p, sought)
	default:
		l.runs[run] = slices.Insert(l.runs[run], at, p)
	}
	l.length++
	return true
}

// push adds p after all others.
func (l *sorted[P]) push(p P) {
	last := len(l.runs) - 1
	if last < 0 || len(l.runs[last]) == runLength {
		l.runs = append(l.runs, []P{p})
		return
	}
	l.runs[last] = append(l.runs[last], p)
}

// split makes two runs of one.
func (l *sorted[P]) split(run int) {
	first, second := l.runs[run][:runLength/2], l.runs[run][runLength/2:]
	l.runs = slices.Insert(l.runs, run+1, slices.Clone(second))
	clear(second) // for the garbage collector
	l.runs[run] = first
}

// remove takes out what is sought and reports whether it was there.
func (l *sorted[P]) remove(sought func(P) int) bool {
	run, at, found := l.find(sought)
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

// after yields the members that follow what is sought, lowest first.
func (l *sorted[P]) after(sought func(P) int) iter.Seq[P] {
	return func(yield func(P) bool) {
		run, at, found := l.find(sought)
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

// first returns the lowest member.
func (l *sorted[P]) first() (p P, found bool) {
	if l.length == 0 {
		return p, false
	}
	return l.runs[0][0], true
}

// all yields the members, lowest first.
func (l *sorted[P]) all() iter.Seq[P] {
	return func(yield func(P) bool) {
		for _, run := range l.runs {
			for _, p := range run {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// down yields the members, highest first, without the first `skip` of these.
func (l *sorted[P]) down(skip int) iter.Seq[P] {
	run := len(l.runs) - 1
	for ; run >= 0 && skip >= len(l.runs[run]); run-- {
		skip -= len(l.runs[run])
	}
	return func(yield func(P) bool) {
		if run >= 0 {
			l.walkDown(run, len(l.runs[run])-skip, yield)
		}
	}
}

// before yields the members that precede what is sought, highest first, whether or not it is
// there.
func (l *sorted[P]) before(sought func(P) int) iter.Seq[P] {
	return func(yield func(P) bool) {
		run, at, _ := l.find(sought)
		l.walkDown(run, at, yield)
	}
}

// walkDown yields the members before a position, highest first.
func (l *sorted[P]) walkDown(run, end int, yield func(P) bool) {
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
