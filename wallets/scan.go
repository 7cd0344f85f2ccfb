package wallets

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// depositsPage is how many movements are read at once.
const depositsPage = 100

// ScanAddress reads what has happened on a managed address since it was last
// read, gives every movement its effect, and returns how many there were.
// Errors: ErrAddressNotFound, ErrUnavailable.
func (s *Deposits) ScanAddress(ctx context.Context, env ferry.Env, address chain.Address) (int, error) {
	custody, err := ferry.InRead(ctx, s.units.In(env), func(ctx context.Context, tx Tx) (Custody, error) {
		a, err := AddressAt(ctx, tx, env, address)
		if err != nil {
			return Custody{}, err
		}
		return CustodyOf(ctx, tx, env, a.ID)
	})
	if err != nil {
		return 0, err
	}
	return s.scan(ctx, custody)
}

// scan reads the history after the custody's cursor to its end. Each movement
// and the place after it are one unit, so that a crash repeats none.
func (s *Deposits) scan(ctx context.Context, custody Custody) (int, error) {
	c, err := s.chain(custody.Scope.Env)
	if err != nil {
		return 0, err
	}
	done := 0
	for {
		movements, err := c.History(ctx, custody.Address, custody.Cursor, depositsPage)
		if err != nil {
			return done, ErrUnavailable.Because(err)
		}
		n, err := s.applyAll(ctx, &custody, movements)
		done += n
		if errors.Is(err, errOvertaken) { // and whoever overtook may be gone: go on from there
			if custody, err = readCustody(ctx, s.units, custody.Scope.Env, custody.ID); err != nil {
				return done, err
			}
			continue
		}
		if err != nil || len(movements) < depositsPage {
			return done, err
		}
	}
}

// applyAll applies movements in order and keeps the place after the last.
func (s *Deposits) applyAll(ctx context.Context, custody *Custody, movements []chain.Movement) (done int, err error) {
	for _, m := range movements {
		if err := s.apply(ctx, *custody, m); err != nil {
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
func (s *Deposits) apply(ctx context.Context, at Custody, m chain.Movement) (err error) {
	came := Coming{At: m.At}
	if m.Supported && m.Delta.Sign() > 0 {
		if came.Rate, err = s.config.Priced(ctx, at.Scope.Env, at.ID, m.At); err != nil {
			return err
		}
	}
	return s.units.In(at.Scope.Env).Write(ctx, func(ctx context.Context, tx Tx) error {
		custody, err := CustodyOf(ctx, tx, at.Scope.Env, at.ID)
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
			return CustodyKind.Update(ctx, tx, custody)
		case !m.Supported:
			return s.noteUnsupported(ctx, tx, custody, m)
		}
		return s.applyUSDC(ctx, tx, custody, m, came)
	})
}

// alreadyKnown reports whether a movement has had its effect before, because a chain may
// report one twice. A movement of an attempt of ours has no effect here.
func alreadyKnown(ctx context.Context, tx Tx, custody Custody, m chain.Movement) (bool, error) {
	if m.Supported {
		if _, err := Deposit(ctx, tx, custody.ID, m.Signature); !errors.Is(err, ferry.NotFound) {
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
func (s *Deposits) applyUSDC(ctx context.Context, tx Tx, custody Custody, m chain.Movement, came Coming) error {
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
	if err := CustodyKind.Update(ctx, tx, custody); err != nil {
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
func (s *Deposits) ownPart(ctx context.Context, tx Tx, custody Custody, m chain.Movement) (own money.Amount, strange bool, err error) {
	a, err := AttemptBy(ctx, tx, custody.Scope.Env, m.Signature)
	if errors.Is(err, ErrAttemptNotFound) {
		_, marked := s.marks.Read(custody.Scope.Env, m.Memo)
		return money.Of(Asset, 0), m.Own && marked, nil
	}
	if err != nil {
		return money.Amount{}, false, err
	}
	switch a.State {
	case AttemptLive:
		if err := NoteSeenIn(ctx, tx, a); err != nil {
			return money.Amount{}, false, err
		}
	case AttemptLanded:
	default:
		return money.Of(Asset, 0), true, nil
	}
	own, err = a.EffectOn(custody.ID)
	return own, false, err
}

// credit books a deposit.
func (s *Deposits) credit(ctx context.Context, tx Tx, custody Custody, m chain.Movement, amount money.Amount, came Coming) error {
	to, err := AddressKind.Get(ctx, tx, custody.Scope, custody.ID)
	if err != nil {
		return err
	}
	id, came := tx.NewID("trx_"), Coming{ferry.NotAfter(came.At, tx.Now()), came.Rate}
	return s.deposited(ctx, tx, to, Transaction{
		ID:              TransactionID(id),
		Scope:           to.Scope,
		Reference:       id,
		Direction:       In,
		Wallet:          to.Wallet,
		WalletReference: to.WalletReference,
		Address:         to.ID,
		From:            m.Counterparty,
		To:              to.Address,
		Amount:          amount,
		Status:          Success,
		Signature:       m.Signature,
		CreatedAt:       tx.Now(),
		ConfirmedAt:     tx.Now(), // seen to be final; its block is older
	}, came)
}
