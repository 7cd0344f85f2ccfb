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

func (c simChain) query(ctx context.Context, body func(*tip) error) error {
	return c.provider().query(ctx, atTip(body))
}

func (c simChain) effect(ctx context.Context, body func(*tip) error) error {
	return c.provider().effect(ctx, atTip(body))
}

func atTip(body func(*tip) error) func(*moment) error {
	return func(m *moment) error {
		t, err := m.tip()
		if err != nil {
			return err
		}
		return body(t)
	}
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
	var hash string
	err := c.query(ctx, func(t *tip) error {
		hash = base58.Encode(t.derive("genesis", uint64(t.At.UnixMilli())))
		return nil
	})
	return hash, err
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
	var height uint64
	err = c.query(ctx, func(t *tip) error {
		slot, err := t.view()
		if err != nil {
			return err
		}
		struck, err := t.strike(TargetChain, DeadBlockhash)
		if err != nil {
			return err
		}
		height = t.height(slot) - ConfirmedAfter
		m.Blockhash = t.blockhash(height, struck == DeadBlockhash)
		return nil
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
	var seen chain.StatusReport
	err := c.query(ctx, func(t *tip) error {
		slot, err := t.view()
		if err != nil {
			return err
		}
		if err := t.mayJump(); err != nil {
			return err
		}
		seen = chain.StatusReport{FinalizedHeight: t.finalized(slot)}
		for _, s := range signatures {
			var tx transaction
			if _, err := load(t, transactionKey(s), &tx); err != nil {
				return err
			}
			seen.Statuses = append(seen.Statuses, t.status(tx, slot))
		}
		return nil
	})
	if err != nil {
		return chain.StatusReport{}, err
	}
	return seen, nil
}
