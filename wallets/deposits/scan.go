package deposits

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// ScanAddress reads what has happened on a managed address since it was last
// read, gives every movement its effect, and returns how many there were.
// Errors: ErrAddressNotFound, ErrUnavailable.
func (s *Service) ScanAddress(ctx context.Context, env ferry.Env, address chain.Address) (int, error) {
	custody, err := ferry.InRead(ctx, s.units.In(env), func(ctx context.Context, tx wallets.Tx) (wallets.Custody, error) {
		a, err := wallets.AddressAt(ctx, tx, env, address)
		if err != nil {
			return wallets.Custody{}, err
		}
		return wallets.CustodyOf(ctx, tx, env, a.ID)
	})
	if err != nil {
		return 0, err
	}
	return s.scan(ctx, custody)
}

// scan reads the history after the custody's cursor to its end. Each movement
// and the place after it are one unit, so that a crash repeats none.
func (s *Service) scan(ctx context.Context, custody wallets.Custody) (done int, err error) {
	for {
		n, err := s.applyAll(ctx, custody)
		done += n
		if !errors.Is(err, errOvertaken) {
			return done, err
		}
		// Whoever overtook may be gone: go on from there.
		if custody, err = wallets.ReadCustody(ctx, s.units, custody.Scope.Env, custody.ID); err != nil {
			return done, err
		}
	}
}

// applyAll applies the movements after the custody's cursor in order.
func (s *Service) applyAll(ctx context.Context, custody wallets.Custody) (done int, err error) {
	c, err := s.config.Chains.In(custody.Scope.Env)
	if err != nil {
		return 0, err
	}
	for m, err := range chain.Movements(ctx, c, custody.Address, custody.Cursor) {
		if err != nil {
			return done, wallets.ErrUnavailable.Because(err)
		}
		if err := s.apply(ctx, custody, m); err != nil {
			return done, err
		}
		custody.Cursor = m.Cursor
		done++
	}
	return done, nil
}

// errOvertaken says that the place in a history has moved on meanwhile.
var errOvertaken = errors.New("wallets: history was read by somebody else")

// apply gives one movement its effect, once.
func (s *Service) apply(ctx context.Context, at wallets.Custody, m chain.Movement) (err error) {
	came := wallets.Coming{At: m.At}
	if m.Supported && m.Delta.Sign() > 0 {
		if came.Rate, err = s.config.Priced.Rate(ctx, s.units, at.Scope.Env, at.ID, m.At); err != nil {
			return err
		}
	}
	return s.units.In(at.Scope.Env).Write(ctx, func(ctx context.Context, tx wallets.Tx) error {
		custody, err := wallets.CustodyOf(ctx, tx, at.Scope.Env, at.ID)
		if err != nil {
			return err
		}
		if custody.Cursor != at.Cursor {
			return errOvertaken
		}
		custody.Cursor = m.Cursor
		known, err := alreadyKnown(ctx, tx, custody, m)
		switch {
		case err != nil:
			return err
		case known:
			return wallets.CustodyKind.Update(ctx, tx, custody)
		case !m.Supported:
			return s.noteUnsupported(ctx, tx, custody, m)
		}
		return s.applyUSDC(ctx, tx, custody, m, came)
	})
}

// alreadyKnown reports whether a movement has had its effect before, because a chain may
// report one twice. A movement of an attempt of ours has no effect here.
func alreadyKnown(ctx context.Context, tx wallets.Tx, custody wallets.Custody, m chain.Movement) (bool, error) {
	if m.Supported {
		if _, err := wallets.Deposit(ctx, tx, custody.ID, m.Signature); !errors.Is(err, ferry.NotFound) {
			return err == nil, err
		}
	}
	_, err := anomalyAt(ctx, tx, custody.ID, m.Signature, m.Mint)
	if errors.Is(err, ferry.NotFound) {
		return false, nil
	}
	return err == nil, err
}

// applyUSDC splits a movement into what an attempt of ours accounts for, which
// is booked when the attempt settles, and the rest: more is a deposit, less is
// money that left without us. What an attempt moved that was given up, or that
// the store does not know, is neither.
func (s *Service) applyUSDC(ctx context.Context, tx wallets.Tx, custody wallets.Custody, m chain.Movement, came wallets.Coming) error {
	own, strange, err := s.ownPart(ctx, tx, custody, m)
	if err != nil {
		return err
	}
	rest, err := m.Delta.Sub(own)
	if err != nil {
		return err
	}
	if custody.OnChain, err = custody.OnChain.Add(rest); err != nil {
		return err
	}
	if err := wallets.CustodyKind.Update(ctx, tx, custody); err != nil {
		return err
	}
	switch {
	case strange || rest.Sign() < 0:
		return s.alarm(ctx, tx, custody, m, rest)
	case rest.Sign() > 0:
		return s.credit(ctx, tx, custody, m, rest, came)
	}
	return nil
}

// ownPart is the part of a movement that an attempt of ours accounts for. The
// transfer of a live attempt becomes due, since its end can be seen. Strange is
// an attempt that was given up and yet moved money, and one that the store does
// not know: that it moved money to one of our addresses is no deposit.
func (s *Service) ownPart(ctx context.Context, tx wallets.Tx, custody wallets.Custody, m chain.Movement) (own money.Amount, strange bool, err error) {
	a, err := outgoing.AttemptBy(ctx, tx, custody.Scope.Env, m.Signature)
	if errors.Is(err, outgoing.ErrAttemptNotFound) {
		_, marked := s.marks.Read(custody.Scope.Env, m.Memo)
		return money.Of(wallets.Asset, 0), m.Own && marked, nil
	}
	if err != nil {
		return money.Amount{}, false, err
	}
	switch a.State {
	case outgoing.AttemptLive:
		if err := outgoing.NoteSeenIn(ctx, tx, a); err != nil {
			return money.Amount{}, false, err
		}
	case outgoing.AttemptLanded:
	default:
		return money.Of(wallets.Asset, 0), true, nil
	}
	own, err = a.EffectOn(custody.ID)
	return own, false, err
}

// credit books a deposit.
func (s *Service) credit(ctx context.Context, tx wallets.Tx, custody wallets.Custody, m chain.Movement, amount money.Amount, came wallets.Coming) error {
	to, err := wallets.AddressKind.Get(ctx, tx, custody.Scope, custody.ID)
	if err != nil {
		return err
	}
	id, came := tx.NewID("trx_"), wallets.Coming{At: ferry.NotAfter(came.At, tx.Now()), Rate: came.Rate}
	return s.deposited(ctx, tx, to, wallets.Transaction{
		ID:              wallets.TransactionID(id),
		Scope:           to.Scope,
		Reference:       id,
		Direction:       wallets.In,
		Wallet:          to.Wallet,
		WalletReference: to.WalletReference,
		Address:         to.ID,
		From:            m.Counterparty,
		To:              to.Address,
		Amount:          amount,
		Status:          wallets.Success,
		Signature:       m.Signature,
		CreatedAt:       tx.Now(),
		ConfirmedAt:     tx.Now(), // seen to be final; its block is older
	}, came)
}
