package offramp

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/wallets"
)

// Which rate a deposit counts at: that of the order when its block is older than the end of that
// rate, else the rate of the moment at which the deposit is credited. So a payer who was shown a
// rate gains nothing by waiting for a better one.

// NeedsRateIn reports whether USDC that came to an address at an instant, or now when that is
// zero, counts at the rate of RateNow, and cannot be credited without it.
func (s *Service) NeedsRateIn(ctx context.Context, tx Tx, env ferry.Env, to wallets.AddressID, at time.Time) (bool, error) {
	o, ours, err := orderAt(ctx, tx, env, to)
	came := ferry.NotAfter(at, tx.Now())
	return ours && o.takes(came) && !o.standsAt(came), err
}

// RateNow asks, outside of any unit, for the rate of now. Errors: ramp.ErrUnavailable.
func (s *Service) RateNow(ctx context.Context, env ferry.Env) (money.Rate, error) {
	price, err := s.config.Quotes.Rate(ctx, env, ramp.Offramp)
	if err != nil {
		return money.Rate{}, err
	}
	return rateOf(price.Rate)
}

func rateOf(price string) (money.Rate, error) {
	return money.NewRate(money.AssetUSDC, money.AssetNGN, price)
}

// standsAt reports whether the order's rate is that of USDC which came then.
func (o Order) standsAt(came time.Time) bool { return came.Before(o.RateUntil) }

// rateFor is the rate at which a deposit counts: now is that of RateNow.
func (o Order) rateFor(came time.Time, now money.Rate) (money.Rate, error) {
	switch {
	case o.standsAt(came):
		return rateOf(o.Rate)
	case now == money.Rate{}: // the order's ran out after NeedsRateIn, or that was not asked yet
		return money.Rate{}, errUnpriced
	}
	return now, nil
}

// left is the USDC that the order lacks, at a rate.
func (o Order) left(rate money.Rate) (money.Amount, error) {
	lacks, err := o.Amount.Sub(o.Credited)
	if err != nil {
		return money.Amount{}, err
	}
	return rate.ConvertUp(lacks)
}

// need is what a deposit at a rate has to bring so that all is there. At the rate of the order it
// is no more than what is asked for, however the parts were rounded.
func (o Order) need(rate money.Rate) (money.Amount, error) {
	left, err := o.left(rate)
	if err != nil || rate.Price() != o.Rate {
		return left, err
	}
	return money.USDC(max(0, min(left.Minor(), o.Asked.Minor()-o.Received.Minor()))), nil
}

// count adds USDC at a rate to what is there. What that is worth is rounded down, so that many
// small deposits are never worth more than one. After one at another rate than its own, the order
// asks for what is left.
func (o *Order) count(amount money.Amount, rate money.Rate) error {
	worth, err := rate.ConvertDown(amount)
	if err != nil {
		return err
	}
	asked := o.Asked.Minor() - o.Received.Minor()
	if o.Received, err = o.Received.Add(amount); err != nil {
		return err
	}
	if o.Credited, err = o.Credited.Add(worth); err != nil {
		return err
	}
	o.Credited = money.NGN(min(o.Credited.Minor(), o.Amount.Minor()))
	if rate.Price() == o.Rate {
		return nil
	}
	own, err := rateOf(o.Rate)
	if err != nil {
		return err
	}
	left, err := o.left(own)
	if err != nil {
		return err
	}
	o.Asked, err = o.Received.Add(money.USDC(max(0, min(asked, left.Minor()))))
	return err
}
