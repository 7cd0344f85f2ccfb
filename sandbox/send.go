package sandbox

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry/provider/chain"
)

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
	answer, err := answered(ctx, c.provider().effect, atTip(func(t *tip) (Kind, error) {
		answer, err := t.strike(TargetChain, FalseError, AlreadyProcessed)
		if err != nil {
			return "", err
		}
		if err := t.mayJump(); err != nil {
			return "", err
		}
		return answer, t.submit(m, signatureOf(signed))
	}))
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
	tx := transaction{Signature: signature, Mint: USDCMint, Sources: m.Sources, Memo: m.Memo}
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

// receiver is the owner of what is sent to an address: the address itself, or the owner
// of a token account of the mint. It is empty when no key can sign for the address.
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
