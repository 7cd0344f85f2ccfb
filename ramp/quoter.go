package ramp

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/provider/rates"
	"github.com/ferrypay/ferry/records"
)

// Tx is what this package touches in a unit of work.
type Tx interface {
	ferry.Unit
	records.Tx
}

// Config is what a Quoter needs besides its stores. Zero fields take the defaults they name.
type Config struct {
	// Rates price USDC, in the environments that have them.
	Rates map[ferry.Env]rates.Source
	Pricing
}

// Pricing is what the operator decides about prices.
type Pricing struct {
	// OnrampSpread and OfframpSpread are what the rate is worse for the payer than that of
	// the source, in basis points (hundredths of a percent), from 0 to 9,999. Default: 0.
	OnrampSpread, OfframpSpread int64
	// Validity is how long a quote stands; one of a source that stands by its rate for less
	// runs out with it. Default: 15 min.
	Validity time.Duration
	// Minimum is the least USDC that is exchanged. Default: 1 USDC.
	Minimum money.Amount
}

// maxSpread leaves something of a price.
const maxSpread = 9_999

// Check adds what is wrong with the fields of p.
func (p Pricing) Check(problems *ferry.Problems) {
	for field, spread := range map[string]int64{"onramp_spread": p.OnrampSpread, "offramp_spread": p.OfframpSpread} {
		if spread < 0 || spread > maxSpread {
			problems.Add(field, fmt.Sprintf("Must be 0 to %d basis points", maxSpread))
		}
	}
	if p.Validity < 0 {
		problems.Add("quote_validity", "Must not be negative")
	}
	if p.Minimum != (money.Amount{}) && (p.Minimum.Asset() != money.AssetUSDC || p.Minimum.Sign() < 0) {
		problems.Add("minimum", "Must be an amount of USDC")
	}
}

func (p Pricing) withDefaults() Pricing {
	p.Validity = cmp.Or(p.Validity, 15*time.Minute)
	p.Minimum = cmp.Or(p.Minimum, money.USDC(1_000_000))
	return p
}

func (p Pricing) spread(side Side) int64 {
	if side == Onramp {
		return p.OnrampSpread
	}
	return p.OfframpSpread
}

// Quoter gives quotes to all businesses. It is safe for concurrent use.
type Quoter struct {
	units  ferry.EnvUnits[Tx]
	config Config
}

// New returns a Quoter over units.
func New(units ferry.EnvUnits[Tx], config Config) *Quoter {
	config.Pricing = config.Pricing.withDefaults()
	return &Quoter{units, config}
}

// Minimum is the least USDC that is exchanged.
func (q *Quoter) Minimum() money.Amount { return q.config.Minimum }

// Rate is the price of now on a side. Errors: ErrUnavailable.
func (q *Quoter) Rate(ctx context.Context, env ferry.Env, side Side) (Price, error) {
	_, price, err := q.ask(ctx, env, side)
	if err != nil {
		return Price{}, err
	}
	now, err := ferry.Now(ctx, q.units.In(env))
	if err != nil {
		return Price{}, err
	}
	return price.from(now, q.config.Validity)
}

// Quote keeps a price for so many naira. Errors: ferry.ErrValidation, ErrBelowMinimum,
// ErrUnavailable.
func (q *Quoter) Quote(ctx context.Context, scope ferry.Scope, side Side, fiat money.Amount) (Quote, error) {
	return operation.Run(ctx, q.QuoteOp(scope, side, fiat))
}

// QuoteOp is Quote as an operation, for engine.Do.
func (q *Quoter) QuoteOp(scope ferry.Scope, side Side, fiat money.Amount) ferry.Operation[Tx, Quote] {
	type params struct {
		Side   Side
		Amount string
	}
	return ferry.Operation[Tx, Quote]{
		Name: "ramp.Quote", Scope: scope, Params: params{side, fiat.String()}, Units: q.units.Of(scope),
		Begin: ferry.InOneUnit(
			func(ctx context.Context) (Offer, error) { return q.Offer(ctx, scope, side, fiat) },
			func(ctx context.Context, tx Tx, o Offer) (Quote, error) { return o.In(ctx, tx, "") },
			func(quote Quote) string { return string(quote.ID) },
			func(ctx context.Context, tx Tx, id string) (Quote, error) {
				return QuoteKind.Get(ctx, tx, scope, QuoteID(id))
			},
		),
	}
}

// Get returns a quote by its id in either form, or ErrQuoteNotFound.
func (q *Quoter) Get(ctx context.Context, scope ferry.Scope, id string) (Quote, error) {
	return ferry.InRead(ctx, q.units.Of(scope), func(ctx context.Context, tx Tx) (Quote, error) {
		return GetIn(ctx, tx, scope, id)
	})
}

// GetIn is Get within a unit.
func GetIn(ctx context.Context, tx Tx, scope ferry.Scope, id string) (Quote, error) {
	canonical, ok := ferry.CanonicalID(QuotePrefix, id)
	if !ok {
		return Quote{}, ErrQuoteNotFound
	}
	return QuoteKind.Get(ctx, tx, scope, QuoteID(canonical))
}

// UsableIn is GetIn for a new order: it refuses a quote of the other side with
// ErrQuoteNotFound, one that has run out with ErrQuoteExpired, and one that another order uses
// with ErrQuoteUsed.
func UsableIn(ctx context.Context, tx Tx, scope ferry.Scope, side Side, id string) (Quote, error) {
	quote, err := GetIn(ctx, tx, scope, id)
	switch {
	case err != nil:
		return Quote{}, err
	case quote.Side != side:
		return Quote{}, ErrQuoteNotFound
	case !quote.StandsAt(tx.Now()):
		return Quote{}, ErrQuoteExpired
	case quote.UsedBy != "":
		return Quote{}, ErrQuoteUsed
	}
	return quote, nil
}

// UseIn is UsableIn within the unit that makes an order: the quote is used by it from then on. An
// order on a rate of a while ago is a choice that its payer has once, not as often as he likes.
func UseIn(ctx context.Context, tx Tx, scope ferry.Scope, side Side, id, order string) (Quote, error) {
	quote, err := UsableIn(ctx, tx, scope, side, id)
	if err != nil {
		return Quote{}, err
	}
	quote.UsedBy = order
	return QuoteKind.Save(ctx, tx, quote)
}
