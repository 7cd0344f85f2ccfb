// Package fees computes what moving money costs, and how an amount is shared out after its
// fees were taken from it.
//
//	taken, err := tariffs.Of(fees.Checkout, amount)  // what the channel charges
//	legs, err := taken.Shares(scope, amount)         // to whom the amount goes in the books
//
// Fees are of one asset, in its minor units. A Rule is written in naira; Fees.Converted
// brings them into another asset.
//
// What a program needs:
//
//   - [Tariffs]: a [Tariff] for each [Channel], a setting of the engine
//   - [Rule]: a share, a flat sum, a minimum and a cap
//   - [Checkout], [Link] and the other channels
//   - [Tariffs.Of]: the [Fees] of an amount; [Fees.Net]: what is left of it
//   - [Tariffs.Check]: what a program that reads tariffs from a file should call
//
// [Fees.Shares], [Fees.After] and [Fees.Capped] are for the domains that book payments.
package fees

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
)

// Fees are the two parts of what a payment costs, in the asset of the payment.
type Fees struct{ Platform, Processing money.Amount }

// Total is both parts.
func (f Fees) Total() (money.Amount, error) { return f.Platform.Add(f.Processing) }

// Net is an amount without the fees.
func (f Fees) Net(amount money.Amount) (money.Amount, error) {
	total, err := f.Total()
	if err != nil {
		return money.Amount{}, err
	}
	return amount.Sub(total)
}

// shareOfAll is the whole of an amount, in millionths.
const shareOfAll = 1_000_000

// Rule is how one part is computed: a share of the amount and a flat sum, not
// less than a minimum, and not more than a cap. The zero value is free.
type Rule struct {
	// Share is in millionths of the amount: 15_000 is 1.5 percent.
	Share int64
	// Flat, Minimum and Cap are in naira. A zero Cap is no cap.
	Flat, Minimum, Cap money.Amount
}

// Of returns what the rule takes of an amount of naira, at most all of it.
func (r Rule) Of(amount money.Amount) (money.Amount, error) {
	share, err := amount.Share(r.Share)
	if err != nil {
		return money.Amount{}, err
	}
	fee, err := share.Add(r.Flat)
	if err != nil {
		return money.Amount{}, err
	}
	minor := max(fee.Minor(), r.Minimum.Minor())
	if r.Cap.Sign() > 0 {
		minor = min(minor, r.Cap.Minor())
	}
	return money.Of(amount.Asset(), min(minor, amount.Minor())), nil
}

// check adds what is wrong with a rule.
func (r Rule) check(name string, problems *ferry.Problems) {
	if r.Share < 0 || r.Share > shareOfAll {
		problems.Add(name+".share", fmt.Sprintf("Must be 0 to %d millionths", shareOfAll))
	}
	for _, sum := range []struct {
		name   string
		amount money.Amount
	}{{"flat", r.Flat}, {"minimum", r.Minimum}, {"cap", r.Cap}} {
		field := name + "." + sum.name
		switch {
		case sum.amount != money.Amount{} && sum.amount.Asset() != money.AssetNGN:
			problems.Add(field, "Must be in naira")
		case sum.amount.Sign() < 0:
			problems.Add(field, "Must not be negative")
		case sum.amount.AboveCeiling():
			problems.Add(field, sum.amount.CeilingProblem())
		}
	}
}

// Channel is the way by which money comes in or goes out. Each has a tariff of its own.
type Channel string

const (
	// Checkout: a session of the business.
	Checkout Channel = "checkout"
	// Link: a payment link.
	Link Channel = "payment_link"
	// API: made by a program.
	API Channel = "api"
	// Payout: an item of a payout. Its fees are paid on top of the amount.
	Payout Channel = "payout"
	// Transfer: a fiat transfer. Its fees are paid on top of the amount.
	Transfer Channel = "transfer"
	// Refund: money that goes back to who sent it. Its fees are paid on top of the amount.
	Refund Channel = "refund"
	// Bill: a bill. Its fees are paid on top of the amount.
	Bill Channel = "bill"
)

// Channels are all channels.
var Channels = []Channel{Checkout, Link, API, Payout, Transfer, Refund, Bill}

// Tariff is what a payment through one channel costs.
type Tariff struct{ Platform, Processing Rule }

// Free reports whether it costs nothing, whatever the amount.
func (t Tariff) Free() bool { return t.Platform.free() && t.Processing.free() }

func (r Rule) free() bool { return r.Share == 0 && r.Flat.IsZero() && r.Minimum.IsZero() }

// Tariffs are the fees of every channel. A channel that is missing is free.
type Tariffs map[Channel]Tariff

// Check adds what is wrong with the fees, each named by channel, part and member: a
// share beyond the whole, and a sum that is not naira, is negative or is above
// money.Ceiling.
func (t Tariffs) Check(problems *ferry.Problems) {
	for _, channel := range slices.Sorted(maps.Keys(t)) {
		name := "fees." + string(channel)
		if !slices.Contains(Channels, channel) {
			problems.Add(name, "There is no such channel")
		}
		t[channel].Platform.check(name+".platform", problems)
		t[channel].Processing.check(name+".processing", problems)
	}
}

// Of returns the fees of an amount of naira: the one fee rule of the engine.
func (t Tariffs) Of(channel Channel, amount money.Amount) (Fees, error) {
	tariff := t[channel]
	platform, err := tariff.Platform.Of(amount)
	if err != nil {
		return Fees{}, err
	}
	processing, err := tariff.Processing.Of(amount)
	return Fees{platform, processing}, err
}

// Capped returns the fees when they are to be paid out of an amount of their
// asset: at most all of it, the platform's part last.
func (f Fees) Capped(amount money.Amount) Fees {
	processing := min(f.Processing.Minor(), amount.Minor())
	platform := min(f.Platform.Minor(), amount.Minor()-processing)
	return Fees{money.Of(amount.Asset(), platform), money.Of(amount.Asset(), processing)}
}

// After returns what is left of the fees once so much of them was paid, in the order
// in which Capped takes them.
func (f Fees) After(paid money.Amount) Fees {
	gone := f.Capped(paid)
	return Fees{
		Platform:   money.Of(paid.Asset(), f.Platform.Minor()-gone.Platform.Minor()),
		Processing: money.Of(paid.Asset(), f.Processing.Minor()-gone.Processing.Minor()),
	}
}

// Converted returns the fees in the other asset of a rate: their total is converted
// once, and so is the processing fee; the platform's fee is the rest. So the parts add
// up to the total in both assets.
func (f Fees) Converted(rate money.Rate) (Fees, error) {
	total, err := f.Total()
	if err != nil {
		return Fees{}, err
	}
	if total, err = rate.Convert(total); err != nil {
		return Fees{}, err
	}
	processing, err := rate.Convert(f.Processing)
	if err != nil {
		return Fees{}, err
	}
	platform, err := total.Sub(processing)
	return Fees{platform, processing}, err
}

// Shares returns the legs by which an amount of naira goes to the business and to those who
// take fees. Fees above the amount are capped to it; legs of nothing are left out.
func (f Fees) Shares(scope ferry.Scope, amount money.Amount) ([]ledger.Leg, error) {
	f = f.Capped(amount)
	net, err := f.Net(amount)
	if err != nil {
		return nil, err
	}
	return ledger.Nonzero(
		ledger.Leg{Account: ledger.BusinessAccount(scope, money.AssetNGN), Amount: net},
		ledger.Leg{Account: ledger.SystemAccount(scope.Env, ledger.PlatformFees, money.AssetNGN), Amount: f.Platform},
		ledger.Leg{Account: ledger.SystemAccount(scope.Env, ledger.ProcessingFees, money.AssetNGN), Amount: f.Processing},
	), nil
}
