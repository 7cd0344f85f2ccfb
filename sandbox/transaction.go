package sandbox

import (
	"github.com/ferrypay/ferry/provider/chain"
)

// Kinds of faults that decide what becomes of a transaction.
const (
	// SubmissionLost: Send answers as usual, but the submission reaches no
	// block. Sending the same bytes again may land them.
	SubmissionLost Kind = "submission_lost"
	// LandedLate: the transaction lands at its last valid height.
	LandedLate Kind = "landed_late"
	// ForkDropped: the transaction is confirmed, then its fork is dropped, and
	// the same bytes never land again.
	ForkDropped Kind = "fork_dropped"
	// ForkLandedAgain: the transaction is confirmed, then its fork is dropped,
	// and it lands again some blocks later, if its blockhash lives.
	ForkLandedAgain Kind = "fork_landed_again"
	// ProgramError: the transaction lands with an error and moves nothing.
	ProgramError Kind = "program_error"
)

// Errors of programs, in the words of a chain.
const (
	errInsufficient = "custom program error: 0x1"
	errFrozen       = "custom program error: 0x11"
	errNoAccount    = "invalid account data for instruction"
	errOverflow     = "custom program error: 0xe"
)

// How many blocks a fork lives before it is dropped, and how many later a
// transaction lands again. A fork that dies is never finalized.
const (
	forkLife  = FinalizedAfter - 1
	landAgain = 3
)

// transaction is the document of one transaction: what it moves, and what
// became of it so far.
type transaction struct {
	Signature chain.Signature
	Mint      string
	Sources   []source
	// To is the owner that receives; empty when there is no such owner.
	To chain.Address
	// Issued says that the sum comes from outside the simulated chain. All other
	// transactions were sent with Send, and the fee payer paid for them.
	Issued bool
	Memo   string
	// LastValid is the last height at which it can land; 0 means any.
	LastValid uint64
	// Flaw is the error with which it lands in any case.
	Flaw string
	// ForkSlot and ForkEnd bound the slots in which it stands on a fork that
	// is dropped; 0 when it never does.
	ForkSlot, ForkEnd uint64
	// Landed says that it is in a block for ever: at Slot and Height, with the
	// program's error Err.
	Landed       bool
	Slot, Height uint64
	Err          string
}

func transactionKey(s chain.Signature) string { return "chain/tx/" + string(s) }

func (tx transaction) key() string { return transactionKey(tx.Signature) }

// counterparty is who stands on the other side of an owner.
func (tx transaction) counterparty(owner chain.Address) chain.Address {
	if owner != tx.To {
		return tx.To
	}
	for _, s := range tx.Sources {
		if s.Owner != owner {
			return s.Owner
		}
	}
	return ""
}

// accept takes in a transaction that the chain does not know, and decides when
// it lands.
func (t *tip) accept(tx transaction, fate Kind) error {
	slot := t.nextBlock()
	switch fate {
	case LandedLate:
		slot = max(slot, t.slotOf(max(tx.LastValid, 1)))
	case ProgramError:
		tx.Flaw = errFrozen
	case ForkDropped, ForkLandedAgain:
		blocks := t.blocksUntil(slot)
		tx.ForkSlot, tx.ForkEnd = slot, t.slotOfBlock(blocks+forkLife)
		if err := t.tickFork(tx, blocks); err != nil {
			return err
		}
		slot = t.slotOfBlock(blocks + forkLife + landAgain)
	}
	if err := save(t, tx.key(), tx); err != nil || fate == ForkDropped {
		return err
	}
	return t.land(slot, tx)
}

func (t *tip) tickFork(tx transaction, blocks uint64) error {
	for _, slot := range []uint64{tx.ForkSlot, t.slotOfBlock(blocks + ConfirmedAfter), tx.ForkEnd} {
		if err := t.tick(slot); err != nil {
			return err
		}
	}
	return nil
}

// arrive puts a transaction into the block of its slot, or forgets it when its
// blockhash has died: the same bytes can never land then.
func (t *tip) arrive(slot uint64, tx transaction) error {
	height := t.height(slot)
	if tx.LastValid > 0 && height > tx.LastValid {
		return t.Delete(tx.key())
	}
	tx.Landed, tx.Slot, tx.Height, tx.Err = true, slot, height, tx.Flaw
	if tx.Err == "" {
		var err error
		if tx.Err, err = t.apply(tx); err != nil {
			return err
		}
	}
	for _, after := range []uint64{ConfirmedAfter, FinalizedAfter} {
		if err := t.tick(t.slotOfBlock(t.blocksUntil(slot) + after)); err != nil {
			return err
		}
	}
	if err := t.recordSent(tx); err != nil {
		return err
	}
	return save(t, tx.key(), tx)
}

// status is what the chain knew of a transaction at a slot.
func (t *tip) status(tx transaction, asOf uint64) chain.Status {
	switch {
	case tx.Landed && tx.Slot <= asOf:
		return chain.Status{
			Found: true, Commitment: commitment(t.height(asOf) - tx.Height),
			Slot: tx.Slot, Err: tx.Err, At: t.timeOf(tx.Slot),
		}
	case tx.ForkSlot > 0 && tx.ForkSlot <= asOf && asOf < tx.ForkEnd:
		depth := min(t.height(asOf)-t.height(tx.ForkSlot), forkLife)
		return chain.Status{
			Found: true, Commitment: commitment(depth),
			Slot: tx.ForkSlot, Err: tx.Flaw, At: t.timeOf(tx.ForkSlot),
		}
	}
	return chain.Status{}
}

// commitment is that of a block with so many blocks above it.
func commitment(depth uint64) chain.Commitment {
	switch {
	case depth >= FinalizedAfter:
		return chain.Finalized
	case depth >= ConfirmedAfter:
		return chain.Confirmed
	}
	return chain.Processed
}
