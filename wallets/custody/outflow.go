package custody

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/internal/memo"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// Outflow is a transaction that moved USDC of managed addresses, or was signed
// by this engine, without an attempt in the store. It holds its environment until it is
// adopted.
type Outflow struct {
	Env       ferry.Env
	Signature chain.Signature
	// From paid, or one of those that did, and To received, where the chain
	// names one. Amount is what left.
	From, To chain.Address
	Amount   money.Amount
	Memo     string
	// Transfer and Attempt are what the memo's mark names; empty without one.
	Transfer wallets.TransferID
	Attempt  int
	// Sent says that the list of sent payments has it. Then Amount is complete, even
	// when addresses paid that the store does not know.
	Sent bool
	// Parts are the changes seen on managed addresses.
	Parts []Part
	// Booked is the part of their sum that adoptions have booked.
	Booked money.Amount
	// Suspended are addresses whose wallets were suspended because of it.
	Suspended []wallets.AddressID
	At        time.Time
	FoundAt   time.Time
	// AdoptedAt is when it was booked, or zero.
	AdoptedAt time.Time
	Version   int64
}

// Part is what a transaction changed on a managed address, in millionths of USDC.
type Part struct {
	Address wallets.AddressID
	Minor   int64
}

// moved is what changed on managed addresses and is not booked yet.
func (o Outflow) moved() (money.Amount, error) {
	sum, err := money.Of(wallets.Asset, 0).Sub(o.Booked)
	for _, part := range o.Parts {
		if err != nil {
			break
		}
		sum, err = sum.Add(money.Of(wallets.Asset, part.Minor))
	}
	return sum, err
}

// Outflows returns what was found on the chain and has not been adopted, in order
// of signature after the given one, at most limit.
func (s *Service) Outflows(ctx context.Context, env ferry.Env, after chain.Signature, limit int) ([]Outflow, error) {
	return ferry.InRead(ctx, s.units.In(env), func(ctx context.Context, tx wallets.Tx) ([]Outflow, error) {
		return OutflowKind.After(ctx, tx, OpenIn(env), after, limit)
	})
}

// noteSent notes a payment that the list of what was sent has.
func (s *Service) noteSent(ctx context.Context, tx wallets.Tx, env ferry.Env, p chain.Payment, m memo.Mark) error {
	total := money.Of(wallets.Asset, 0)
	for _, source := range p.Sources {
		var err error
		if total, err = total.Add(source.Amount); err != nil {
			return err
		}
	}
	return s.note(ctx, tx, env, p.Signature, func(o *Outflow) error {
		o.Sent, o.Amount, o.To, o.Memo, o.At = true, total, p.Destination, p.Memo, p.At
		o.Transfer, o.Attempt = wallets.TransferID(m.Transfer), m.Attempt
		if len(p.Sources) > 0 {
			o.From = p.Sources[0].Address
		}
		return nil
	})
}

// UnexplainedIn notes a movement on a managed address that nothing explains. It holds the
// environment, and suspends the wallet unless the address only received. The operator ends
// both.
func (s *Service) UnexplainedIn(ctx context.Context, tx wallets.Tx, custody wallets.Custody, m chain.Movement, delta money.Amount) (err error) {
	suspended := false
	if delta.Sign() <= 0 {
		if suspended, err = s.config.Wallets.AlarmIn(ctx, tx, custody.Scope, custody.Wallet); err != nil {
			return err
		}
	}
	env := custody.Scope.Env
	known, ours := s.marks.Read(env, m.Memo)
	if a, err := outgoing.AttemptBy(ctx, tx, env, m.Signature); err == nil {
		known, ours = memo.Mark{Transfer: string(a.Transfer), Attempt: a.Number}, true
	} else if !errors.Is(err, outgoing.ErrAttemptNotFound) {
		return err
	}
	return s.note(ctx, tx, env, m.Signature, func(o *Outflow) (err error) {
		o.Parts = append(slices.Clone(o.Parts), Part{custody.ID, delta.Minor()})
		if suspended {
			o.Suspended = append(slices.Clone(o.Suspended), custody.ID)
		}
		if o.Sent {
			return nil
		}
		if delta.Sign() < 0 {
			o.From, o.To = custody.Address, m.Counterparty
			o.Amount, err = o.Amount.Sub(delta)
		}
		o.Memo, o.At = m.Memo, m.At
		if ours && m.Own {
			o.Transfer, o.Attempt = wallets.TransferID(known.Transfer), known.Attempt
		}
		return err
	})
}

// note writes what is learnt of an outflow, which is open from then on, and holds
// its environment.
func (s *Service) note(ctx context.Context, tx wallets.Tx, env ferry.Env, signature chain.Signature, learn func(*Outflow) error) error {
	o, err := outflowOf(ctx, tx, env, signature)
	found := err == nil
	if errors.Is(err, ErrOutflowNotFound) {
		zero := money.Of(wallets.Asset, 0)
		o, err = Outflow{Env: env, Signature: signature, Amount: zero, Booked: zero, FoundAt: tx.Now()}, nil
	}
	if err != nil {
		return err
	}
	if err := learn(&o); err != nil {
		return err
	}
	if err := s.holdIn(ctx, tx, env); err != nil {
		return err
	}
	o.AdoptedAt = time.Time{}
	if found {
		return OutflowKind.Update(ctx, tx, o)
	}
	return OutflowKind.Insert(ctx, tx, o)
}
