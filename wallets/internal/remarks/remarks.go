// Package remarks keeps a log from saying at every try why a transfer waits.
package remarks

import "sync"

// Remarks are what was logged of transfers that wait. The zero value is ready, and safe for
// concurrent use.
type Remarks struct {
	mu  sync.Mutex
	all map[string]remark // by transfer
}

// remark is why a transfer waits, and how often it was tried since.
type remark struct {
	why, reason string
	tries       int
}

const (
	// most bounds what is remembered. What is forgotten is logged once more.
	most = 10_000
	// seldom is after how many tries a remark is repeated at the latest: about an hour.
	seldom = 2048
)

// Note counts a try in vain, and reports whether it is to be logged: the first one for a reason,
// then the 2nd, 4th, 8th and so on.
func (r *Remarks) Note(transfer, why, reason string) (tries int, say bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.all[transfer]
	if now.why != why || now.reason != reason {
		now = remark{why: why, reason: reason}
	}
	now.tries++
	if r.all == nil || len(r.all) >= most {
		r.all = map[string]remark{}
	}
	r.all[transfer] = now
	return now.tries, now.tries&(now.tries-1) == 0 || now.tries%seldom == 0
}

// Forget forgets a transfer that waits no longer.
func (r *Remarks) Forget(transfer string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.all, transfer)
}
