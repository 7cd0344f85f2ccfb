package toy

import (
	"testing"
	"time"
)

func TestTake(t *testing.T) {
	for _, c := range []struct {
		amount, left int64
		fine         bool
	}{{10, 0, true}, {11, 10, false}, {0, 10, false}, {-1, 10, false}, {3, 7, true}} {
		a := Account{Posted: 12, Reserved: 2}
		if err := a.Take(c.amount); (err == nil) != c.fine || a.Posted != c.left+2 || (a.Moves == 1) != c.fine {
			t.Error(c, a)
		}
	}
}

func TestLate(t *testing.T) {
	if now := time.Now(); !Late(now, now.Add(-1)) || Late(now, now) {
		t.Fail()
	}
}

func TestEnded(t *testing.T) {
	if !Ended(Paid) || Ended(Open) { // nothing asks for Held
		t.Fail()
	}
}
