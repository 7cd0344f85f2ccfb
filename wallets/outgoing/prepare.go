package outgoing

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/internal/check"
	"github.com/ferrypay/ferry/wallets/internal/memo"
)

// TransferParams describes a transfer to be made.
type TransferParams struct {
	// From is an address of the business, To any address on the chain.
	From, To string
	// Amount is in USDC, at most money.Ceiling.
	Amount money.Amount
	// Whole sends more than the ceiling: what came in may go back whole.
	Whole bool
	// FeeIncluded takes the fee of an external transfer out of Amount.
	FeeIncluded bool
	// Network and Asset have one value each; empty means that one.
	Network, Asset string
	// Reference is the business's own name for the transfer, or empty.
	Reference string
	// Memo is written on the chain, or empty.
	Memo     string
	Metadata ferry.Metadata
	// Origin is what the transfer is made for, or zero.
	Origin Origin
}

// MaxMemo is the greatest length of a memo, in code points.
const MaxMemo = 200

// Check adds what is wrong with the fields of p.
func (p TransferParams) Check(problems *ferry.Problems) {
	if p.From == "" {
		problems.Add("from_address", "Missing required field")
	}
	if p.To == "" {
		problems.Add("to_address", "Missing required field")
	}
	switch {
	case p.Amount.Asset() == 0:
		problems.Add("amount", "Missing required field")
	case p.Amount.Asset() != wallets.Asset:
		problems.Add("amount", "Must be an amount of USDC")
	case !p.Whole && p.Amount.AboveCeiling():
		problems.Add("amount", p.Amount.CeilingProblem())
	}
	check.Reference(p.Reference, problems)
	check.Line("memo", p.Memo, MaxMemo, problems)
	p.checkMetadata(problems)
}

// checkMetadata bounds the number of keys only (docs/api.md, "Metadata").
func (p TransferParams) checkMetadata(problems *ferry.Problems) {
	if len(p.Metadata) > ferry.MaxMetadataKeys {
		problems.Add("metadata", fmt.Sprintf("Must have at most %d keys", ferry.MaxMetadataKeys))
	}
}

// checkTransfer refuses what can be refused without looking anything up.
func (s *Service) checkTransfer(env ferry.Env, p TransferParams) error {
	c, err := s.config.Chains.In(env)
	if err != nil {
		return err
	}
	var problems ferry.Problems
	p.Check(&problems)
	if room := c.MaxMemo(1) - memo.Length; len(text.Clean(p.Memo)) > room {
		problems.Add("memo", fmt.Sprintf("Must be at most %d bytes", room))
	}
	if err := problems.Err(); err != nil {
		return err
	}
	if err := wallets.CheckPlace(p.Network, p.Asset); err != nil {
		return err
	}
	return s.checkMinimum(p.Amount)
}

func (s *Service) checkMinimum(amount money.Amount) error {
	if amount.Minor() < s.config.Minimum.Minor() {
		return ErrAmountTooLow.Saying(fmt.Sprintf("The amount must be at least %s", s.config.Minimum))
	}
	return nil
}

// FeeIn returns the fee of a transfer of an amount to an address, on top of the amount: nothing
// when the address is managed here. Errors: ErrAmountTooLow.
func (s *Service) FeeIn(ctx context.Context, tx wallets.Tx, env ferry.Env, to string, amount money.Amount) (money.Amount, error) {
	if err := s.checkMinimum(amount); err != nil {
		return money.Amount{}, err
	}
	_, err := wallets.AddressAt(ctx, tx, env, chain.Address(to))
	switch {
	case err == nil:
		return money.Of(wallets.Asset, 0), nil
	case errors.Is(err, ferry.NotFound):
		return s.config.Fee, nil
	}
	return money.Amount{}, err
}

// sent is the amount that the receiver gets.
func (s *Service) sent(p TransferParams, ends sides) (money.Amount, error) {
	amount := p.Amount
	if p.FeeIncluded && !ends.internal {
		amount = money.Of(wallets.Asset, max(0, amount.Minor()-s.config.Fee.Minor()))
	}
	return amount, s.checkMinimum(amount)
}

// prepared is a transfer that the chain has been asked about, ready for the
// unit that begins it.
type prepared struct {
	params TransferParams
	// receiver is the owner of the destination, by the chain: another address than
	// the destination when that is a token account. It is empty when the destination
	// is managed here, because then the chain was not asked.
	receiver chain.Address
	// rate is the rate at which it counts for the receiver, when that is managed here.
	rate money.Rate
}

// prepare checks a transfer as far as it can be checked without changing
// anything, asks the chain about the destination, and completes ready. It is called outside
// of any unit. Its errors are those of Transfer. What it reads may be old: transferIn reads it
// again.
func (s *Service) prepare(ctx context.Context, scope ferry.Scope, ready *prepared) error {
	if err := scope.Check(); err != nil {
		return err
	}
	if err := s.checkTransfer(scope.Env, ready.params); err != nil {
		return err
	}
	return ferry.MayBeOld(ctx, func(ctx context.Context) error { return s.askAbout(ctx, scope, ready) })
}

// askAbout asks the chain about the destination of a transfer, or for the rate of one
// that stays inside.
func (s *Service) askAbout(ctx context.Context, scope ferry.Scope, ready *prepared) error {
	var managed bool // the destination
	var priced wallets.RateSource
	err := s.units.Of(scope).Read(ctx, func(ctx context.Context, tx wallets.Tx) error {
		ends, err := findSides(ctx, tx, scope, ready.params.From, ready.params.To)
		if err != nil {
			return err
		}
		if managed = ends.to.ID != ""; managed {
			if priced, err = s.config.Priced.SourceIn(ctx, tx, scope.Env, ends.to.ID, time.Time{}); err != nil {
				return err
			}
		}
		_, err = s.sent(ready.params, ends)
		return err
	})
	ready.receiver, ready.rate = "", money.Rate{}
	switch {
	case err != nil:
	case managed:
		ready.rate, err = priced.Rate(ctx, scope.Env)
	default:
		ready.receiver, err = s.receiver(ctx, scope.Env, chain.Address(ready.params.To))
	}
	return err
}

// Receiver returns whose USDC it would be that goes to an address: the address itself, or the owner
// of a token account. It is called outside of any unit, and asks the chain about an address that is
// not managed here. Errors: ErrInvalidAddress for one that cannot receive USDC,
// wallets.ErrUnavailable.
func (s *Service) Receiver(ctx context.Context, env ferry.Env, to chain.Address) (chain.Address, error) {
	managed, err := ferry.InRead(ctx, s.units.In(env), func(ctx context.Context, tx wallets.Tx) (bool, error) {
		_, err := wallets.AddressAt(ctx, tx, env, to)
		if errors.Is(err, ferry.NotFound) {
			return false, nil
		}
		return err == nil, err
	})
	if err != nil || managed {
		return to, err
	}
	return s.receiver(ctx, env, to)
}

// receiver asks the chain whose money it would be.
func (s *Service) receiver(ctx context.Context, env ferry.Env, to chain.Address) (chain.Address, error) {
	c, err := s.config.Chains.In(env)
	if err != nil {
		return "", err
	}
	there, err := c.Inspect(ctx, to)
	switch {
	case errors.Is(err, chain.ErrInvalidAddress):
		return "", ErrInvalidAddress.Because(err)
	case err != nil:
		return "", wallets.ErrUnavailable.Because(err)
	case there.Owner == "" || there.Kind != chain.Owner && there.Kind != chain.TokenAccount:
		return "", ErrInvalidAddress.Saying("The destination address cannot receive USDC")
	}
	return there.Owner, nil
}

// sides are the two ends of a transfer.
type sides struct {
	wallet wallets.Wallet
	from   wallets.Address
	// to is set when the destination is a managed address.
	to       wallets.Address
	internal bool
}

// findSides looks up both ends: ownership first, then the destination.
func findSides(ctx context.Context, tx wallets.Tx, scope ferry.Scope, source, destination string) (sides, error) {
	from, err := wallets.OwnAddress(ctx, tx, scope, source)
	if errors.Is(err, ferry.NotFound) {
		return sides{}, ErrAddressNotOwned
	}
	if err != nil {
		return sides{}, err
	}
	w, err := wallets.WalletKind.Get(ctx, tx, scope, from.Wallet)
	if err != nil {
		return sides{}, err
	}
	if err := w.CheckActive(); err != nil {
		return sides{}, err
	}
	if destination == string(from.Address) {
		return sides{}, ErrInvalidAddress.Saying("An address cannot send to itself")
	}
	to, err := wallets.AddressAt(ctx, tx, scope.Env, chain.Address(destination))
	if !errors.Is(err, ferry.NotFound) {
		return sides{w, from, to, true}, err
	}
	if _, err := chain.ParseAddress(destination); err != nil {
		return sides{}, ErrInvalidAddress.Because(err)
	}
	return sides{wallet: w, from: from}, nil
}
