package checkout

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

// What naira count for an order in USDC: at the price that was valid when the bank took
// them in, else at the rate of the moment at which they are credited. So a payer who was
// shown a price gains nothing by waiting for a better rate. The price of an order in naira
// has no end.

// NairaOffer is what an order costs in naira while a rate stands.
type NairaOffer struct {
	Kobo int64
	// Price is the rate, naira for one USDC, and From and Until are when it stands.
	// They are empty for an order in naira.
	Price       string
	From, Until time.Time
}

// Amount is what is to be paid.
func (o NairaOffer) Amount() money.Amount { return money.NGN(o.Kobo) }

// StandsAt reports whether naira count at it that came then. The offer of an order that was
// made without a rate is nothing, and never stands.
func (o NairaOffer) StandsAt(came time.Time) bool {
	if o.Price == "" {
		return o.Kobo > 0
	}
	return !came.Before(o.From) && came.Before(o.Until)
}

// firstNaira is the offer with which the session was made.
func (s Session) firstNaira() NairaOffer {
	if s.Pricing.Type == InFiat {
		return NairaOffer{Kobo: s.Pricing.Fiat.Minor()}
	}
	return NairaOffer{s.Pricing.Fiat.Minor(), s.Pricing.Price, s.CreatedAt, s.Pricing.RateUntil}
}

// Naira is the newest offer, which may have ended.
func (s Session) Naira() NairaOffer {
	if n := len(s.Renewed); n > 0 {
		return s.Renewed[n-1]
	}
	return s.firstNaira()
}

// nairaAt is the offer that stood at an instant, or false.
func (s Session) nairaAt(came time.Time) (NairaOffer, bool) {
	for _, o := range append([]NairaOffer{s.firstNaira()}, s.Renewed...) {
		if o.StandsAt(came) {
			return o, true
		}
	}
	return NairaOffer{}, false
}

// nairaFor is the offer at which a credit counts: rate is that of CreditRate.
func (s Session) nairaFor(c bank.Credit, now time.Time, rate money.Rate) (NairaOffer, error) {
	offer, stood := s.nairaAt(s.tookIn(c, now))
	switch {
	case stood:
		return offer, nil
	case rate == money.Rate{}: // the offer ended after CreditRate was asked
		return NairaOffer{}, ErrCryptoUnavailable
	}
	cost, err := s.Pricing.inNaira(rate)
	return NairaOffer{Kobo: cost.Minor(), Price: rate.Price()}, err
}

// tookIn is when the bank took a credit in. A time before the session was made counts as no
// time, and so does midnight: the bank may report only the minute or only the day.
func (s Session) tookIn(c bank.Credit, now time.Time) time.Time {
	if c.At.Before(s.CreatedAt) || dayAlone(c.At) {
		return now
	}
	return ferry.NotAfter(c.At, now)
}

// dayAlone reports whether a time is midnight, in UTC or in Nigeria, which
// is an hour ahead.
func dayAlone(at time.Time) bool {
	const day = 24 * time.Hour
	return at.Truncate(day).Equal(at) || at.Add(time.Hour).Truncate(day).Equal(at.Add(time.Hour))
}

// inNaira is what an order costs in naira at a rate: at another one than its own, the
// worth of what it costs in USDC, rounded up. So what is enough is worth no less.
func (p Pricing) inNaira(rate money.Rate) (money.Amount, error) {
	if p.Type == InFiat || rate.Price() == p.Price {
		return p.Fiat, nil
	}
	return rate.ConvertUp(p.Crypto)
}

// worth is what another sum than the offer's counts for an order of so much USDC: rounded
// down, but no less than the order when more was paid.
func (o NairaOffer) worth(paid, order money.Amount) (money.Amount, error) {
	rate, err := rateOf(o.Price)
	if err != nil {
		return money.Amount{}, err
	}
	worth, err := rate.ConvertDown(paid)
	if err == nil && paid.Minor() > o.Kobo && worth.Minor() < order.Minor() {
		worth = order // its fees were rounded the other way
	}
	return worth, err
}

// CreditRate is the rate at which a bank credit counts, and that it cannot be booked
// without. It is zero for every other credit. What it reads may be old: CreditIn reads it
// again. Errors: ErrCryptoUnavailable.
func (s *Service) CreditRate(ctx context.Context, env ferry.Env, c bank.Credit) (money.Rate, error) {
	needed := false
	err := ferry.MayBeOld(ctx, func(ctx context.Context) error {
		return s.units.In(env).Read(ctx, func(ctx context.Context, tx Tx) error {
			at, ours, err := s.creditedIn(ctx, tx, env, c)
			if err != nil || !ours {
				return err
			}
			_, stood := at.s.nairaAt(at.s.tookIn(c, tx.Now()))
			needed = at.inTime() && !stood
			return nil
		})
	})
	if err != nil || !needed {
		return money.Rate{}, err
	}
	return s.RateNow(ctx, env)
}
