package outgoing

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry/internal/failpoint"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// attempt makes the next attempt of a transfer that has no live one: it is signed
// outside of any unit, committed, and only then sent.
func (s *Service) attempt(ctx context.Context, j job) error {
	a, err := s.sign(ctx, j)
	if err != nil || a == nil {
		return err
	}
	if err := s.units.In(j.transfer.Scope.Env).Write(ctx, func(ctx context.Context, tx wallets.Tx) error {
		if err := s.retryIn(ctx, tx, j); err != nil {
			return err
		}
		return s.commitIn(ctx, tx, j, *a)
	}); err != nil {
		return err
	}
	s.sendFirst(ctx, j, *a)
	return nil
}

// sign has the next attempt of a transfer signed, which is not committed yet. It returns
// none when other funds have to be gathered first, or none are left to gather.
func (s *Service) sign(ctx context.Context, j job) (*Attempt, error) {
	c, err := s.config.Chains.In(j.transfer.Scope.Env)
	if err != nil {
		return nil, s.laterBecause(ctx, j, "a transfer has no chain", err)
	}
	if err := s.config.Verify(ctx, j.transfer.Scope.Env); err != nil {
		return nil, s.unsigned(ctx, j, "what was sent before was not seen", err)
	}
	p, err := s.plan(ctx, c, j.transfer)
	switch {
	case errors.Is(err, errFragments):
		return nil, s.gather(ctx, j)
	case errors.Is(err, errNothingToGather):
		return nil, s.giveUpGathering(ctx, j)
	case errors.Is(err, errNoFunds):
		return nil, errLater
	case err != nil:
		return nil, err
	}
	a, err := s.signPlan(ctx, c, j, p)
	switch {
	case errors.Is(err, chain.ErrUnusable):
		return nil, s.giveUpReceiver(ctx, j)
	case err != nil:
		return nil, s.unsigned(ctx, j, "a transfer was not signed", err)
	}
	s.remarks.Forget(string(j.transfer.ID))
	return &a, nil
}

// giveUpReceiver ends a transfer whose destination can no longer receive. No attempt of it is
// live: those that were are proven not to have landed.
func (s *Service) giveUpReceiver(ctx context.Context, j job) error {
	s.remarks.Forget(string(j.transfer.ID))
	return s.change(ctx, j, finishIn, func(ctx context.Context, tx wallets.Tx, now job) error {
		return s.giveBack(ctx, tx, now.transfer, Refused, "the destination can no longer receive")
	})
}

// signPlan has the chain sign what was planned. Nothing is sent yet.
func (s *Service) signPlan(ctx context.Context, c chain.Chain, j job, p plan) (Attempt, error) {
	ring, err := s.keyring(p.keys)
	if err != nil {
		return Attempt{}, err
	}
	order := chain.Transfer{Destination: j.transfer.To, Memo: p.memo}
	for _, source := range p.sources {
		order.Sources = append(order.Sources, chain.Source{Address: source.Address, Amount: source.Amount})
	}
	signed, err := c.Sign(ctx, order, ring)
	return Attempt{
		Transfer: j.transfer.ID,
		Scope:    j.transfer.Scope,
		Number:   j.transfer.Attempts + 1,
		Signed:   signed,
		Memo:     p.memo,
		Sources:  p.sources,
		To:       j.transfer.ToID,
		State:    AttemptLifecycle.Initial,
	}, err
}

// commitIn records a signed attempt and commits to it the funds of its sources. It
// refuses with errLater when the transfer or a source moved on since the plan,
// with errSuspended when the sender was suspended, and with ErrHeld when nothing may
// leave: bytes that are not committed are never sent. It has written nothing when it
// refuses.
func (s *Service) commitIn(ctx context.Context, tx wallets.Tx, j job, a Attempt) error {
	if err := s.config.MayLeave(ctx, tx, a.Scope.Env); err != nil {
		return err
	}
	t, err := j.unsignedIn(ctx, tx)
	if err != nil {
		return err
	}
	if err := checkSender(ctx, tx, j.transfer); err != nil {
		return err
	}
	for _, source := range a.Sources {
		if err := checkSource(ctx, tx, a.Scope.Env, source); err != nil {
			return err
		}
	}
	a.CreatedAt, a.UpdatedAt = tx.Now(), tx.Now()
	if err := AttemptKind.Insert(ctx, tx, a); err != nil {
		return err
	}
	for _, source := range a.Sources {
		if err := commitFunds(ctx, tx, a, source); err != nil {
			return err
		}
	}
	t.Attempts, t.WaitsFor = a.Number, ""
	if t.Kind == Treasury {
		if t.Amount, err = a.Total(); err != nil {
			return err
		}
	}
	return showSignature(ctx, tx, t, a.Signature)
}

// showSignature writes a transfer with the signature of its live attempt, or none.
func showSignature(ctx context.Context, tx wallets.Tx, t Transfer, signature chain.Signature) error {
	t.Signature, t.Waiting = signature, wallets.NotWaiting
	return showPending(ctx, tx, t)
}

// sendFirst sends an attempt that was just committed.
func (s *Service) sendFirst(ctx context.Context, j job, a Attempt) {
	failpoint.Hit(failpoint.BeforeSend)
	if c, err := s.config.Chains.In(j.transfer.Scope.Env); err == nil {
		s.send(ctx, c, j, a)
	}
	failpoint.Hit(failpoint.AfterSend)
}

// send offers the bytes of a committed attempt to the chain. The result proves nothing, so
// it is only logged.
func (s *Service) send(ctx context.Context, c chain.Chain, j job, a Attempt) {
	if err := c.Send(ctx, a.Bytes); err != nil {
		s.config.Logger.InfoContext(ctx, "a transfer was sent, with an error",
			"transfer", j.transfer.ID, "attempt", a.Number, "signature", a.Signature, "error", err)
	}
}

// keyring opens the keys of all sources of an attempt.
func (s *Service) keyring(keys []wallets.SealedKey) (chain.Keyring, error) {
	seeds := make([]chain.Seed, 0, len(keys))
	for _, k := range keys {
		seed, err := k.Open(s.config.Sealer)
		if err != nil {
			return chain.Keyring{}, err
		}
		seeds = append(seeds, seed)
	}
	return chain.NewKeyring(seeds...), nil
}
