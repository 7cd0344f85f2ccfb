package webhook

import "time"

// flow counts attempts that are under way, of all workers or of one endpoint, and measures how fast they end.
type flow struct {
	window int // the mean is about that of so many gaps
	// gap is the mean of the times from the end of an attempt to the next end, while there are attempts
	// under way. It is made of gaps such times, until they fill the window.
	gap      time.Duration
	gaps     int
	underWay int
	at       time.Time // of the last end, or when the first attempt after a rest began
}

func (f *flow) begin(now time.Time) {
	if f.underWay == 0 {
		f.at = now
	}
	f.underWay++
}

func (f *flow) end(now time.Time) {
	f.underWay--
	f.gaps = min(f.gaps+1, f.window)
	f.gap += (min(max(0, elapsed(f.at, now)), remembered) - f.gap) / time.Duration(f.gaps)
	f.at = now
}

// within returns about how many attempts will end within some time: none before the first one has
// ended, or when none has ended for so long.
func (f *flow) within(d time.Duration, now time.Time) int {
	if f.gaps == 0 {
		return 0
	}
	gap := max(1, f.gap)
	if f.underWay > 0 {
		gap = max(gap, elapsed(f.at, now))
	}
	return int(d / gap)
}
