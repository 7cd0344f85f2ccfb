package worker

import "sync"

// Nudge wakes workers because something may be due, so that they need not wait for
// their next turn. It never blocks and may be woken from anywhere; wakes that
// come together count as one. The zero value is ready to use.
type Nudge struct {
	mu sync.Mutex
	ch chan struct{} // closed by the next Wake
}

// Wake lets every waiting worker pass now, and every passing one pass again.
func (n *Nudge) Wake() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ch != nil {
		close(n.ch)
		n.ch = nil
	}
}

// woken returns a channel that the next Wake closes.
func (n *Nudge) woken() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ch == nil {
		n.ch = make(chan struct{})
	}
	return n.ch
}
