package ramp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/rates"
)

// Offer is a quote that is not recorded yet.
type Offer struct {
	quote    Quote
	validity time.Duration
}

// Offer prices so many naira, outside of any unit. Errors: ferry.ErrValidation,
// ErrBelowMinimum, ErrUnavailable.
func (q *Quoter) Offer(ctx context.Context, scope ferry.Scope, side Side, fiat money.Amount) (Offer, error) {
	if err := scope.Check(); err != nil {
		return Offer{}, err
	}
	var problems ferry.Problems
	if CheckFiat(fiat, &problems); problems.Err() != nil {
		return Offer{}, problems.Err()
	}
	rate, price, err := q.ask(ctx, scope.Env, side)
	if err != nil {
		return Offer{}, err
	}
	crypto, err := side.exchanged(rate, fiat)
	switch {
	case err != nil || crypto.AboveCeiling():
		return Offer{}, ferry.ErrValidation.About("amount", fmt.Sprintf("Is worth more than %s", money.Most(money.AssetUSDC))).Because(err)
	case crypto.Minor() < q.config.Minimum.Minor():
		return Offer{}, ErrBelowMinimum.Saying(fmt.Sprintf("The amount is worth %s; the least is %s", crypto, q.config.Minimum))
	}
	return Offer{Quote{Scope: scope, Side: side, Fiat: fiat, Crypto: crypto, Price: price}, q.config.Validity}, nil
}

// In records the offer within a unit, as the quote that an order uses, or for whichever comes when
// that is empty. A rate that the source no longer stands by is refused with ErrUnavailable.
func (o Offer) In(ctx context.Context, tx Tx, order string) (_ Quote, err error) {
	quote := o.quote
	quote.UsedBy = order
	if quote.Price, err = quote.Price.from(tx.Now(), o.validity); err != nil {
		return Quote{}, err
	}
	quote.ID, quote.CreatedAt = QuoteID(tx.NewID(QuotePrefix)), tx.Now()
	return QuoteKind.Add(ctx, tx, quote)
}

// ask asks the source of an environment for the rate on a side, with the price that it makes.
// It stands as long as the source stands by it.
func (q *Quoter) ask(ctx context.Context, env ferry.Env, side Side) (money.Rate, Price, error) {
	source, err := ferry.Provider(q.config.Rates, env, error(ErrNoRates))
	if err != nil {
		return money.Rate{}, Price{}, err
	}
	told, err := source.Quote(ctx, money.AssetUSDC, money.AssetNGN)
	if err == nil && (told.Rate.Base != money.AssetUSDC || told.Rate.Quote != money.AssetNGN) {
		err = fmt.Errorf("%w: %s in %s", rates.ErrUnknownPair, told.Rate.Base, told.Rate.Quote)
	}
	if err != nil {
		return money.Rate{}, Price{}, ErrUnavailable.Because(err)
	}
	spread := q.config.spread(side)
	rate, err := side.against(told.Rate, spread)
	if err != nil {
		return money.Rate{}, Price{}, ErrUnavailable.Because(err)
	}
	return rate, Price{Rate: rate.Price(), BaseRate: told.Rate.Price(), Spread: spread, ExpiresAt: told.ExpiresAt}, nil
}

// errStale says that the source itself no longer stands by a rate.
var errStale = errors.New("ramp: the rate has run out at its source")

// from is the price as it is given at an instant: it stands for validity, and no longer than
// its source stands by it.
func (p Price) from(now time.Time, validity time.Duration) (Price, error) {
	if !p.StandsAt(now) {
		return Price{}, ErrUnavailable.Because(errStale)
	}
	if until := now.Add(validity); until.Before(p.ExpiresAt) {
		p.ExpiresAt = until
	}
	return p, nil
}
