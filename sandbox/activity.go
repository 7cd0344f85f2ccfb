package sandbox

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/provider/chain"
)

// The world keeps a list of movements, in the order in which they landed. Only its newest
// entries are kept.
const (
	activityPrefix = "chain/activity/"
	// activityKept is the greatest number of movements in the list.
	activityKept = 10_000
)

// active is the document of one movement at an address, as the world keeps it.
type active struct {
	Owner        chain.Address
	Slot, Height uint64
}

var _ chain.ActivityReporter = simChain{}

// recordActivity adds a movement of a transaction at an address to the list.
func (t *tip) recordActivity(owner chain.Address, tx transaction) error {
	t.Moved++
	if err := save(t, activityPrefix+ordered(t.Moved), active{owner, tx.Slot, tx.Height}); err != nil {
		return err
	}
	if t.Moved > activityKept {
		if err := t.Delete(activityPrefix + ordered(t.Moved-activityKept)); err != nil {
			return err
		}
	}
	return t.keep()
}

// Activity implements chain.ActivityReporter. A cursor names the last movement of the list that
// was final.
func (c simChain) Activity(ctx context.Context, since chain.Cursor) (chain.Activity, error) {
	expired := false
	found, err := viewed(ctx, c, func(t *tip, slot uint64) (chain.Activity, error) {
		after, known := t.placeOf(since)
		if expired = !known; expired {
			return chain.Activity{}, nil
		}
		return t.activity(after, since == "", slot)
	})
	if err == nil && expired {
		err = fmt.Errorf("%w: %q", chain.ErrCursorExpired, since)
	}
	return found, err
}

// cursorOf returns the cursor of a place in the list. It has the number of resets, because the
// list begins anew with each.
func (t *tip) cursorOf(place uint64) chain.Cursor {
	return chain.Cursor(fmt.Sprintf("%d/%d", t.Resets, place))
}

// placeOf returns the place of a cursor. It returns false when the cursor is of before a reset,
// or when the list has lost movements after it.
func (t *tip) placeOf(c chain.Cursor) (place uint64, known bool) {
	oldest := t.Moved - min(t.Moved, activityKept)
	if c == "" {
		return oldest, true
	}
	var resets uint64
	if n, err := fmt.Sscanf(string(c), "%d/%d", &resets, &place); n != 2 || err != nil {
		return 0, false
	}
	return place, resets == t.Resets && place >= oldest && place <= t.Moved
}

// activity reports the movements after a place, as seen from a slot. With pendingOnly it reports
// only those that are not final.
func (t *tip) activity(place uint64, pendingOnly bool, slot uint64) (found chain.Activity, err error) {
	listed, err := scan[active](t, activityPrefix, ordered(place), activityKept)
	if err != nil {
		return found, err
	}
	named := map[chain.Address]bool{}
	for _, l := range listed {
		m := l.doc
		if m.Slot > slot {
			break
		}
		final := m.Height <= t.finalized(slot)
		if final {
			place++
		}
		if final && pendingOnly || named[m.Owner] {
			continue
		}
		named[m.Owner] = true
		found.Addresses = append(found.Addresses, m.Owner)
	}
	found.Cursor = t.cursorOf(place)
	return found, nil
}
