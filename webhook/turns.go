package webhook

import (
	"errors"
	"sync"

	"github.com/ferrypay/ferry/lease"
)

// turns are those that are under way, of all passes of a Service.
type turns struct {
	mu    sync.Mutex
	room  lease.Room   // what is left, and what each owner has
	ended chan turnEnd // has room for all
}

// turnEnd is what a turn leaves.
type turnEnd struct {
	owner string
	err   error
}

func newTurns(workers, perEndpoint int) *turns {
	return &turns{
		room:  lease.Room{Keys: workers, PerOwner: perEndpoint, InHand: map[string]int{}},
		ended: make(chan turnEnd, workers),
	}
}

// none reports whether no turn is under way.
func (t *turns) none() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.room.InHand) == 0
}

// begin begins the turns of the streams that claim returns, each in a goroutine
// of its own, until it returns none or there is no room.
func (t *turns) begin(claim func(lease.Room) ([]stream, error), turn func(stream) error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.room.Keys > 0 {
		streams, err := claim(t.room)
		if err != nil || len(streams) == 0 {
			return err
		}
		for _, st := range streams {
			owner := lease.OwnerOf(st.claim.Key)
			t.room.Keys--
			t.room.InHand[owner]++
			go func() {
				e := turnEnd{owner: owner}
				defer func() { t.ended <- e }()
				e.err = turn(st)
			}()
		}
	}
	return nil
}

// end notes the end of a turn, and of all others that have ended by now. It
// returns how many there are, and their errors.
func (t *turns) end(e turnEnd) (n int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		t.room.Keys++
		if t.room.InHand[e.owner]--; t.room.InHand[e.owner] == 0 {
			delete(t.room.InHand, e.owner)
		}
		n, err = n+1, errors.Join(err, e.err)
		select {
		case e = <-t.ended:
		default:
			return n, err
		}
	}
}
