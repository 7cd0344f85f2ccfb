package checkout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
)

// AmountType says in what an order is priced.
type AmountType string

const (
	// InFiat: in naira.
	InFiat AmountType = "fiat"
	// InCrypto: in USDC.
	InCrypto AmountType = "crypto"
)

// Asset is the asset of the order.
func (t AmountType) Asset() money.Asset {
	if t == InCrypto {
		return money.AssetUSDC
	}
	return money.AssetNGN
}

// Pair is an asset on a network, as in solana:usdc.
type Pair string

// SolanaUSDC is the one pair that is enabled.
const SolanaUSDC Pair = "solana:usdc"

// folded is the pair in lower case, or SolanaUSDC when it is empty.
func (p Pair) folded() Pair { return cmp.Or(Pair(strings.ToLower(string(p))), SolanaUSDC) }

// ListedAsset is a row of the list of assets.
type ListedAsset struct {
	Pair                          Pair
	Network, Asset, Symbol, Label string
	Enabled, HoldSupported        bool
	DisabledReason                string
}

// Assets lists what may be paid in in an environment, and what not.
func (s *Service) Assets(env ferry.Env) []ListedAsset {
	const soon = "Not supported yet"
	lacks := messageOf(s.chain(env))
	return []ListedAsset{
		{Pair: SolanaUSDC, Network: "solana", Asset: "usdc", Symbol: "USDC", Label: "USDC on Solana", Enabled: lacks == "", HoldSupported: lacks == "", DisabledReason: lacks},
		{Pair: "solana:usdt", Network: "solana", Asset: "usdt", Symbol: "USDT", Label: "USDT on Solana", DisabledReason: soon},
		{Pair: "ethereum:usdc", Network: "ethereum", Asset: "usdc", Symbol: "USDC", Label: "USDC on Ethereum", DisabledReason: soon},
	}
}

// messageOf is the message of an error for people, or no text without an error.
func messageOf(err error) string {
	e, ok := errors.AsType[*ferry.Error](err)
	if !ok {
		return ""
	}
	return e.Message
}

// Pricing is what an order costs, computed once.
type Pricing struct {
	Type AmountType
	Pair Pair
	// Base is its worth in naira without fees, Fees are on top when
	// CustomerPays, and Fiat is what is paid in naira.
	Base         money.Amount
	Fees         fees.Fees
	CustomerPays bool
	Fiat         money.Amount
	// Requested is what an order in USDC asks for, and Crypto what is paid in
	// USDC. Both are zero for an order in naira without a rate.
	Requested, Crypto money.Amount
	// Price is the rate, naira for one USDC, and RateUntil how long it stands;
	// empty when none was needed or none was to be had. An order in USDC is then
	// worth no naira that is known: Base, Fees and Fiat are zero.
	Price     string
	RateUntil time.Time
}

// rateOf is the rate of a price, naira for one USDC: zero without one.
func rateOf(price string) (money.Rate, error) {
	if price == "" {
		return money.Rate{}, nil
	}
	return money.NewRate(money.AssetUSDC, money.AssetNGN, price)
}

// quote is a rate with the time it stands.
type quote struct {
	price string
	until time.Time
}

// ask asks the environment for the rate of a pair, outside any unit.
func (s *Service) ask(ctx context.Context, env ferry.Env) (quote, error) {
	source, err := s.rates(env)
	if err != nil {
		return quote{}, err
	}
	q, err := source.Quote(ctx, money.AssetUSDC, money.AssetNGN)
	if err != nil {
		return quote{}, ErrCryptoUnavailable.Because(err)
	}
	return quote{q.Rate.Price(), q.ExpiresAt}, nil
}

// askFor is ask for an order in an asset. An order in USDC whose USDC is kept needs no
// rate: without rates it has no quote.
func (s *Service) askFor(ctx context.Context, env ferry.Env, order money.Asset) (quote, error) {
	q, err := s.ask(ctx, env)
	if order == money.AssetUSDC && errors.Is(err, ErrNoRates) {
		err = nil
	}
	return q, err
}

// price computes what an order costs. Without a quote, an order in naira has no price in
// USDC; one in USDC has none in naira, and so no fees, which are counted in naira.
func (s *Service) price(channel fees.Channel, amount money.Amount, customerPays bool, pair Pair, q quote) (Pricing, error) {
	p := Pricing{Type: InFiat, Pair: pair, Base: amount, CustomerPays: customerPays, Price: q.price, RateUntil: q.until}
	p.Requested, p.Crypto = money.USDC(0), money.USDC(0)
	rate, err := rateOf(p.Price)
	if err != nil {
		return Pricing{}, err
	}
	if amount.Asset() == money.AssetUSDC {
		if p.Base, err = worth(amount, rate); err != nil {
			return Pricing{}, err
		}
		p.Type, p.Requested = InCrypto, amount
	}
	return p.withFees(s.config.Tariffs, channel, rate)
}

// worth is that of USDC in naira: nothing without a rate.
func worth(amount money.Amount, rate money.Rate) (money.Amount, error) {
	if rate == (money.Rate{}) {
		return money.NGN(0), nil
	}
	base, err := rate.Convert(amount)
	if err != nil {
		return base, tooLarge(err)
	}
	if base.IsZero() {
		return base, ferry.ErrValidation.About("amount", "Must be worth at least 0.01 NGN")
	}
	return base, nil
}

// tooLarge refuses an amount whose worth does not fit.
func tooLarge(err error) error {
	return ferry.ErrValidation.About("amount", "Is out of range").Because(err)
}

// withFees adds the fees, by the one rule for all orders.
func (p Pricing) withFees(tariffs fees.Tariffs, channel fees.Channel, rate money.Rate) (_ Pricing, err error) {
	if p.Fees, err = tariffs.Of(channel, p.Base); err != nil {
		return Pricing{}, tooLarge(err)
	}
	if p.Fiat, err = p.onTop(p.Base); err != nil {
		return Pricing{}, tooLarge(err)
	}
	switch {
	case p.Type == InCrypto:
		p.Crypto, err = p.onTop(p.Requested)
	case p.Price != "":
		p.Crypto, err = inUSDC(rate, p.Fiat)
	}
	if err != nil {
		return Pricing{}, tooLarge(err)
	}
	return p, p.checkCeiling()
}

// checkCeiling refuses an order with a figure above the limit of one operation.
func (p Pricing) checkCeiling() error {
	asked, other := p.Fiat, p.Crypto
	if p.Type == InCrypto {
		asked, other = p.Crypto, p.Fiat
	}
	switch {
	case p.Base.AboveCeiling(), other.AboveCeiling() && !asked.AboveCeiling():
		return ferry.ErrValidation.About("amount", fmt.Sprintf("Is worth more than %s", money.Most(other.Asset())))
	case asked.AboveCeiling():
		return ferry.ErrValidation.About("amount", fmt.Sprintf("Comes to more than %s with its fees", money.Most(asked.Asset())))
	}
	return nil
}

// onTop is what is paid for a price in its asset: the price, and the fees of the order
// in that asset when the customer bears them.
func (p Pricing) onTop(price money.Amount) (money.Amount, error) {
	if !p.CustomerPays {
		return price, nil
	}
	owed, err := p.feesIn(price.Asset())
	if err != nil {
		return money.Amount{}, err
	}
	total, err := owed.Total()
	if err != nil {
		return money.Amount{}, err
	}
	return price.Add(total)
}

// inUSDC is what naira costs in USDC: nothing costs nothing.
func inUSDC(rate money.Rate, naira money.Amount) (money.Amount, error) {
	cost, err := rate.Convert(naira)
	if err == nil && cost.IsZero() && !naira.IsZero() {
		cost = money.USDC(1)
	}
	return cost, err
}

// feesIn are the fees in an asset: those in USDC at the rate of the pricing.
func (p Pricing) feesIn(asset money.Asset) (fees.Fees, error) {
	if asset == money.AssetNGN {
		return p.Fees, nil
	}
	if p.Price == "" {
		return fees.Fees{Platform: money.USDC(0), Processing: money.USDC(0)}, nil
	}
	rate, err := rateOf(p.Price)
	if err != nil {
		return fees.Fees{}, err
	}
	return p.Fees.Converted(rate)
}

// feesOf are the fees that are taken of an amount which pays the order: its fees in the
// asset of the amount, at most all of it.
func (p Pricing) feesOf(amount money.Amount) (fees.Fees, error) {
	owed, err := p.feesIn(amount.Asset())
	return owed.Capped(amount), err
}

// Quote prices an amount of naira or USDC. A nil scope has base pricing: without
// the preference of a business. Errors: ferry.ErrValidation, ErrInvalidAsset,
// ErrCryptoUnavailable.
func (s *Service) Quote(ctx context.Context, env ferry.Env, scope *ferry.Scope, amount money.Amount, pair Pair) (Pricing, error) {
	if err := checkPair(pair); err != nil {
		return Pricing{}, err
	}
	customerPays := false
	if scope != nil {
		b, err := ferry.InRead(ctx, s.units.Of(*scope), func(ctx context.Context, tx Tx) (business.Business, error) {
			return business.Of(ctx, tx, *scope)
		})
		if err != nil {
			return Pricing{}, err
		}
		customerPays = b.CustomerPaysFee
	}
	if err := s.chain(env); err != nil {
		return Pricing{}, err
	}
	q, err := s.ask(ctx, env)
	if err != nil {
		return Pricing{}, err
	}
	return s.price(fees.Checkout, amount, customerPays, pair, q)
}

// checkPair refuses every pair that is not enabled.
func checkPair(pair Pair) error {
	if pair != SolanaUSDC {
		return ErrInvalidAsset
	}
	return nil
}
