package sandbox

import (
	"strconv"
	"strings"
	"time"
)

const (
	headKey   = "chain/head"
	duePrefix = "chain/due/"
)

// head is the document of where the chain stands.
type head struct {
	// Slot is the newest slot that somebody acted in: processes whose clocks
	// differ a little must not send the chain back.
	Slot uint64
	// Seq counts transactions, and Moved movements at addresses.
	Seq, Moved uint64
	// Jumps are slots from which the height is greater than the blocks say.
	Jumps []jump
}

type jump struct{ Slot, By uint64 }

// tip is the chain at the newest slot of a moment, with everything that was
// due up to it done.
type tip struct {
	*moment
	head
	slot uint64
}

// tip brings the chain up to the moment. Nothing is done slot by slot: the
// queue of due changes is the only thing that time leaves behind.
func (m *moment) tip() (*tip, error) {
	t := &tip{moment: m}
	if _, err := load(m, headKey, &t.head); err != nil {
		return nil, err
	}
	t.slot = max(m.slotAt(m.now), t.head.Slot)
	return t, t.settle()
}

// height is the chain's block height at a slot that is not in the future.
func (t *tip) height(slot uint64) uint64 {
	height := t.blocksUntil(slot)
	for _, j := range t.Jumps {
		if j.Slot <= slot {
			height += j.By
		}
	}
	return height
}

// finalized is the height that was finalized at a slot.
func (t *tip) finalized(slot uint64) uint64 { return t.height(slot) - FinalizedAfter }

// slotOf is the slot in which a height will be reached, jumps to come left out;
// for a height that is past it is some slot that is past.
func (t *tip) slotOf(height uint64) uint64 {
	for _, j := range t.Jumps {
		height -= min(j.By, height-1)
	}
	return t.slotOfBlock(height)
}

// nextBlock is the first slot after the tip that has a block.
func (t *tip) nextBlock() uint64 { return t.slotOfBlock(t.blocksUntil(t.slot) + 1) }

// jump raises the height from the next slot on.
func (t *tip) jump(by uint64) error {
	t.Jumps = append(t.Jumps, jump{t.slot + 1, by})
	return t.tick(t.slot + 1)
}

// keep saves the head after a change.
func (t *tip) keep() error {
	t.head.Slot = t.slot
	return save(t, headKey, t.head)
}

// Due changes are documents by slot, in the order in which they were made. A
// transaction that lands then is one; a tick only marks a slot in which some
// commitment changes, so that a clock can be stepped there.

func (t *tip) land(slot uint64, tx transaction) error {
	t.Seq++
	if err := save(t, duePrefix+ordered(slot)+"/"+ordered(t.Seq), tx.Signature); err != nil {
		return err
	}
	return t.keep()
}

func (t *tip) tick(slot uint64) error {
	if err := t.Put(duePrefix+ordered(slot)+"/tick", []byte{}); err != nil {
		return err
	}
	return t.keep()
}

// dueSlot reads the slot from the key of a due change.
func dueSlot(key string) (uint64, error) {
	slot, _, _ := strings.Cut(strings.TrimPrefix(key, duePrefix), "/")
	return strconv.ParseUint(slot, 10, 64)
}

// settle does what is due, in order.
func (t *tip) settle() error {
	for {
		docs, err := t.Scan(duePrefix, "", 64)
		if err != nil || len(docs) == 0 {
			return err
		}
		for _, doc := range docs {
			slot, err := dueSlot(doc.Key)
			if err != nil {
				return err
			}
			if slot > t.slot {
				return nil
			}
			if err := t.settleOne(slot, doc); err != nil {
				return err
			}
		}
	}
}

func (t *tip) settleOne(slot uint64, doc Doc) error {
	if err := t.Delete(doc.Key); err != nil {
		return err
	}
	if strings.HasSuffix(doc.Key, "/tick") {
		return nil
	}
	var tx transaction
	if err := decode(doc.Key, doc.Data, &tx.Signature); err != nil {
		return err
	}
	if found, err := load(t, tx.key(), &tx); err != nil || !found {
		return err
	}
	return t.arrive(slot, tx)
}

// nextChange is the instant of the next due change, or zero.
func (t *tip) nextChange() (time.Time, error) {
	docs, err := t.Scan(duePrefix, "", 1)
	if err != nil || len(docs) == 0 {
		return time.Time{}, err
	}
	slot, err := dueSlot(docs[0].Key)
	return t.timeOf(slot), err
}
