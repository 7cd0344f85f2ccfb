package traffic

import "sync"

// AtOnce counts what goes on at once, by who does it. It is safe for concurrent use.
type AtOnce struct {
	most int
	mu   sync.Mutex
	by   map[string]int
}

// NewAtOnce lets everybody do so much at once.
func NewAtOnce(most int) *AtOnce { return &AtOnce{most: most, by: map[string]int{}} }

// Enter reports whether somebody may do one thing more. Then Leave must follow it.
func (a *AtOnce) Enter(who string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.by[who] >= a.most {
		return false
	}
	a.by[who]++
	return true
}

// Leave says that one thing is over.
func (a *AtOnce) Leave(who string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.by[who]--; a.by[who] <= 0 {
		delete(a.by, who)
	}
}
