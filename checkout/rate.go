package checkout

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/wallets"
)

// Which rate a deposit counts at: that of its instruction when its block is older than
// the end of that rate, else the rate of the moment at which the deposit is credited. So
// a payer who was shown a rate gains nothing by waiting for a better one.

// NeedsRateIn reports whether USDC that came to an address at an instant, or now when that is
// zero, counts at the rate of RateNow, and cannot be credited without it.
func (s *Service) NeedsRateIn(ctx context.Context, tx Tx, to wallets.AddressID, at time.Time) (bool, error) {
	i, found, ours, err := instructed(ctx, tx, to)
	if err != nil || !ours {
		return false, err
	}
	came := ferry.NotAfter(at, tx.Now())
	a, err := s.currentIn(ctx, tx, found, came)
	return err == nil && a.inTime() && found.usesRate() && !i.standsAt(came), err
}

// RateNow asks, outside of any unit, for the rate of now. Errors: ErrCryptoUnavailable.
func (s *Service) RateNow(ctx context.Context, env ferry.Env) (money.Rate, error) {
	now, err := s.ask(ctx, env)
	if err != nil {
		return money.Rate{}, err
	}
	return rateOf(now.price)
}

// usesRate reports whether what USDC is worth in naira matters to the session.
func (s Session) usesRate() bool {
	return s.Pricing.Type == InFiat || s.Settlement == business.Convert
}

// standsAt reports whether the instruction's rate is that of USDC which came then.
func (i Instruction) standsAt(came time.Time) bool { return came.Before(i.ExpiresAt) }

// rateFor is the rate at which a deposit counts that came through an instruction: now is
// that of RateNow. Zero for USDC that counts at face.
func (s Session) rateFor(i Instruction, came wallets.Coming) (money.Rate, error) {
	switch {
	case !s.usesRate():
		return money.Rate{}, nil
	case i.standsAt(came.At):
		return rateOf(i.Price)
	case came.Rate == money.Rate{}: // the instruction's ran out after NeedsRateIn, or that was not asked yet
		return money.Rate{}, ErrCryptoUnavailable.Because(ferry.ErrUnprepared)
	}
	return came.Rate, nil
}

// countedAt is the rate at which a receipt counted.
func countedAt(ctx context.Context, tx Tx, r payments.Receipt) (money.Rate, error) {
	if r.Price != "" {
		return rateOf(r.Price)
	}
	i, err := InstructionKind.Anyones(ctx, tx, Instruction{Address: wallets.AddressID(r.Address)})
	if err != nil {
		return money.Rate{}, err
	}
	return rateOf(i.Price)
}
