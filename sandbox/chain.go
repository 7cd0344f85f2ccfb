package sandbox

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gagliardetto/solana-go/base58"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
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

// view is the slot as of which a node answers: the tip, unless it lags.
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

// What Send may answer besides nil and ErrUnavailable.
var (
	errBlockhashNotFound = errors.New("sandbox: -32002 blockhash not found")
	errAlreadyProcessed  = errors.New("sandbox: -32002 already processed")
)

func (c simChain) Send(ctx context.Context, signed []byte) error {
	m, err := verify(signed)
	if err != nil {
		return err
	}
	var answer Kind
	err = c.effect(ctx, func(t *tip) (err error) {
		if answer, err = t.strike(TargetChain, FalseError, AlreadyProcessed); err != nil {
			return err
		}
		if err := t.mayJump(); err != nil {
			return err
		}
		return t.submit(m, signatureOf(signed))
	})
	switch {
	case err != nil:
		return err
	case answer == FalseError:
		return errBlockhashNotFound
	case answer == AlreadyProcessed:
		return errAlreadyProcessed
	}
	return nil
}

// submit takes a payment in, unless the chain knows it already, its blockhash
// is dead, or the submission is lost.
func (t *tip) submit(m message, signature chain.Signature) error {
	tx := transaction{Signature: signature, Mint: USDCMint, Sources: m.Sources}
	if _, known, err := t.Get(tx.key()); err != nil || known {
		return err
	}
	height, ok := t.heightOf(m.Blockhash)
	if !ok || t.height(t.nextBlock()) > height+BlockhashLife {
		return nil
	}
	fate, err := t.strike(TargetChain, SubmissionLost, LandedLate, ForkDropped, ForkLandedAgain, ProgramError)
	if err != nil || fate == SubmissionLost {
		return err
	}
	tx.LastValid = height + BlockhashLife
	if tx.To, err = t.receiver(m.Destination, tx.Mint); err != nil {
		return err
	}
	return t.accept(tx, fate)
}

// receiver is the owner who gets what is sent to an address: the address, or
// the owner of a token account of the mint; nobody when no key can sign.
func (t *tip) receiver(a chain.Address, mint string) (chain.Address, error) {
	var at token
	found, err := load(t, tokenKey(a), &at)
	switch {
	case err != nil:
		return "", err
	case found && at.Mint == mint:
		return at.Owner, nil
	case found, !a.OnCurve():
		return "", nil
	}
	return a, nil
}

func (c simChain) Look(ctx context.Context, signatures []chain.Signature) (chain.Sighting, error) {
	if len(signatures) > chain.MaxLook {
		return chain.Sighting{}, fmt.Errorf("sandbox: %d signatures, at most %d", len(signatures), chain.MaxLook)
	}
	var seen chain.Sighting
	err := c.query(ctx, func(t *tip) error {
		slot, err := t.view()
		if err != nil {
			return err
		}
		if err := t.mayJump(); err != nil {
			return err
		}
		seen = chain.Sighting{FinalizedHeight: t.finalized(slot)}
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
		return chain.Sighting{}, err
	}
	return seen, nil
}

func (c simChain) Marks(ctx context.Context, addresses []chain.Address) ([]chain.Mark, error) {
	if len(addresses) > chain.MaxMarks {
		return nil, fmt.Errorf("sandbox: %d addresses, at most %d", len(addresses), chain.MaxMarks)
	}
	var marks []chain.Mark
	err := c.query(ctx, func(t *tip) error {
		slot, err := t.view()
		if err != nil {
			return err
		}
		marks = make([]chain.Mark, len(addresses))
		for i, address := range addresses {
			var a account
			if _, err := load(t, accountOf(address), &a); err != nil {
				return err
			}
			marks[i] = chain.Mark(ordered(a.finalRow(t.finalized(slot))))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return marks, nil
}

func (c simChain) History(ctx context.Context, address chain.Address, after chain.Cursor, limit int) ([]chain.Movement, error) {
	if strings.Trim(string(after), "0123456789") != "" {
		return nil, fmt.Errorf("sandbox: %q is no cursor of a history", after)
	}
	var moves []chain.Movement
	err := c.query(ctx, func(t *tip) error {
		slot, err := t.view()
		if err != nil {
			return err
		}
		if moves, err = t.history(address, after, limit, t.finalized(slot)); err != nil {
			return err
		}
		if len(moves) == 0 {
			return nil
		}
		struck, err := t.strike(TargetChain, Duplicate)
		moves = repeatFirst(moves, struck == Duplicate, limit)
		return err
	})
	if err != nil {
		return nil, err
	}
	return moves, nil
}

// history returns the rows of an owner after a place that are final at a height.
func (t *tip) history(owner chain.Address, after chain.Cursor, limit int, finalized uint64) ([]chain.Movement, error) {
	prefix := historyOf(owner)
	docs, err := t.Scan(prefix, prefix+string(after), limit)
	if err != nil {
		return nil, err
	}
	var moves []chain.Movement
	for _, doc := range docs {
		var r row
		if err := decode(doc.Key, doc.Data, &r); err != nil {
			return nil, err
		}
		if r.Height > finalized {
			break
		}
		moves = append(moves, t.movement(r, chain.Cursor(strings.TrimPrefix(doc.Key, prefix))))
	}
	return moves, nil
}

// Balance returns the USDC that an owner holds at the chain's tip.
func (w *World) Balance(ctx context.Context, owner chain.Address) (money.Amount, error) {
	var a account
	err := w.read(ctx, atTip(func(t *tip) error {
		a = account{}
		_, err := load(t, accountOf(owner), &a)
		return err
	}))
	return money.USDC(a.Balances[USDCMint]), err
}
