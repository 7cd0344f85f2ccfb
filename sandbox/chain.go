package sandbox

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/mr-tron/base58"
)

// Kinds of faults of the chain's answers.
const (
	// FalseError: Send refuses a transaction that was accepted.
	FalseError Kind = "false_error"
	// AlreadyProcessed: Send says that the transaction was processed before.
	AlreadyProcessed Kind = "already_processed"
	// DeadBlockhash: Sign uses the blockhash of an abandoned fork.
	DeadBlockhash Kind = "dead_blockhash"
	// Lagging: the node answers as of some slots ago.
	Lagging Kind = "lagging"
	// HeightJump: the height jumps beyond the life of every blockhash.
	HeightJump Kind = "height_jump"
)

const (
	// jumpBy is by how many blocks the height jumps.
	jumpBy = BlockhashLife + 10
	// lagMost is how many slots a lagging node is behind at most.
	lagMost = 200
)

// simChain is the simulated chain.
type simChain struct{ world *World }

var _ chain.Chain = simChain{}

func (c simChain) provider() provider { return provider{c.world, TargetChain, chain.ErrUnavailable} }

func atTip[Answer any](body func(*tip) (Answer, error)) func(*moment) (Answer, error) {
	return func(m *moment) (none Answer, err error) {
		t, err := m.tip()
		if err != nil {
			return none, err
		}
		return body(t)
	}
}

// viewed is a query of a node with the slot that it answers for.
func viewed[Answer any](ctx context.Context, c simChain, body func(t *tip, slot uint64) (Answer, error)) (Answer, error) {
	return answered(ctx, c.provider().query, atTip(func(t *tip) (none Answer, err error) {
		slot, err := t.view()
		if err != nil {
			return none, err
		}
		return body(t, slot)
	}))
}

// viewedEach is what a node answers about each of some addresses, and the newest slot that
// is final for it.
func viewedEach[Answer any](
	ctx context.Context, c simChain, addresses []chain.Address, of func(t *tip, slot uint64, owner chain.Address) (Answer, error),
) (all []Answer, final uint64, err error) {
	if len(addresses) > chain.MaxAddresses {
		return nil, 0, fmt.Errorf("sandbox: %d addresses, at most %d", len(addresses), chain.MaxAddresses)
	}
	all, err = viewed(ctx, c, func(t *tip, slot uint64) (_ []Answer, err error) {
		final = t.finalSlot(slot)
		all := make([]Answer, len(addresses))
		for i, owner := range addresses {
			if all[i], err = of(t, slot, owner); err != nil {
				return nil, err
			}
		}
		return all, nil
	})
	return all, final, err
}

// view is the slot that a node answers for: the tip, unless the node lags.
func (t *tip) view() (uint64, error) {
	struck, err := t.strike(TargetChain, Lagging)
	if struck != Lagging {
		return t.slot, err
	}
	return t.slot - 1 - t.pick(lagMost, "lag", t.faults[TargetChain][Lagging].Struck), err
}

// mayJump lets the height jump when that fault is armed.
func (t *tip) mayJump() error {
	struck, err := t.strike(TargetChain, HeightJump)
	if struck != HeightJump {
		return err
	}
	return t.jump(jumpBy)
}

func (c simChain) Genesis(ctx context.Context) (string, error) {
	return answered(ctx, c.provider().query, func(m *moment) (string, error) {
		return base58.Encode(m.derive("genesis", uint64(m.At.UnixMilli()))), nil
	})
}

func (c simChain) MaxMemo(sources int) int { return maxMemo(sources) }

func (c simChain) ExplorerURL(s chain.Signature) string {
	return "https://explorer.solana.com/tx/" + string(s) + "?cluster=custom"
}

// Sign uses the newest confirmed block.
func (c simChain) Sign(ctx context.Context, transfer chain.Transfer, keys chain.Keyring) (chain.Signed, error) {
	m, err := newMessage(transfer, [blockhashSize]byte{})
	if err != nil {
		return chain.Signed{}, err
	}
	height, err := viewed(ctx, c, func(t *tip, slot uint64) (uint64, error) {
		struck, err := t.strike(TargetChain, DeadBlockhash)
		height := t.height(slot) - ConfirmedAfter
		m.Blockhash = t.blockhash(height, struck == DeadBlockhash)
		return height, err
	})
	if err != nil {
		return chain.Signed{}, err
	}
	signed, err := m.sign(keys)
	if err != nil {
		return chain.Signed{}, err
	}
	return chain.Signed{
		Signature: signatureOf(signed), Bytes: signed,
		Blockhash: encodeHash(m.Blockhash), LastValidHeight: height + BlockhashLife,
	}, nil
}

func (c simChain) Statuses(ctx context.Context, signatures []chain.Signature) (chain.StatusReport, error) {
	if len(signatures) > chain.MaxStatuses {
		return chain.StatusReport{}, fmt.Errorf("sandbox: %d signatures, at most %d", len(signatures), chain.MaxStatuses)
	}
	return viewed(ctx, c, func(t *tip, slot uint64) (seen chain.StatusReport, err error) {
		if err := t.mayJump(); err != nil {
			return seen, err
		}
		seen.FinalizedHeight = t.finalized(slot)
		for _, s := range signatures {
			var tx transaction
			if _, err := load(t, transactionKey(s), &tx); err != nil {
				return seen, err
			}
			seen.Statuses = append(seen.Statuses, t.status(tx, slot))
		}
		return seen, nil
	})
}
