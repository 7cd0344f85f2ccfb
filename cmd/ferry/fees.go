package main

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
)

// feesConfig is what payments cost, by channel, as GET /v1/business shows it
// (docs/api.md, "Business").
type feesConfig map[fees.Channel]tariffConfig

type tariffConfig struct {
	Platform   ruleConfig `json:"platform"`
	Processing ruleConfig `json:"processing"`
}

// ruleConfig is a percentage and a flat sum within bounds, in naira. They are kept
// as they were written, since money is never read through a float.
type ruleConfig struct {
	Percent jsontext.Value `json:"percent,omitzero"`
	Flat    jsontext.Value `json:"flat,omitzero"`
	Minimum jsontext.Value `json:"minimum,omitzero"`
	Cap     jsontext.Value `json:"cap,omitzero"`
}

// tariffs returns the fees, or what is wrong with them.
func (c feesConfig) tariffs() (fees.Tariffs, error) {
	all := fees.Tariffs{}
	for channel, given := range c {
		if !slices.Contains(fees.Channels, channel) {
			return nil, fmt.Errorf("fees: there is no channel %q: it must be one of %q", channel, fees.Channels)
		}
		tariff, err := given.tariff()
		if err != nil {
			return nil, fmt.Errorf("fees.%s.%w", channel, err)
		}
		all[channel] = tariff
	}
	return all, nil
}

func (c tariffConfig) tariff() (t fees.Tariff, err error) {
	if t.Platform, err = c.Platform.rule(); err != nil {
		return t, fmt.Errorf("platform.%w", err)
	}
	if t.Processing, err = c.Processing.rule(); err != nil {
		return t, fmt.Errorf("processing.%w", err)
	}
	return t, nil
}

func (c ruleConfig) rule() (r fees.Rule, err error) {
	if r.Share, err = shareOf(c.Percent); err != nil {
		return r, err
	}
	for _, sum := range []struct {
		name string
		text jsontext.Value
		to   *money.Amount
	}{{"flat", c.Flat, &r.Flat}, {"minimum", c.Minimum, &r.Minimum}, {"cap", c.Cap, &r.Cap}} {
		if *sum.to, err = nairaOf(sum.text); err != nil {
			return r, fmt.Errorf("%s: %w", sum.name, err)
		}
	}
	if r.Cap.Sign() > 0 && r.Cap.Minor() < r.Minimum.Minor() {
		return r, errors.New("cap: below the minimum")
	}
	return r, nil
}

var errPercent = errors.New("percent: must be a number from 0 to 100 with at most four decimals")

// shareOf reads a percentage as millionths.
func shareOf(text jsontext.Value) (int64, error) {
	if absent(text) {
		return 0, nil
	}
	percent, ok := new(big.Rat).SetString(string(text))
	if !ok || text.Kind() != '0' {
		return 0, errPercent
	}
	millionths := percent.Mul(percent, big.NewRat(10_000, 1))
	if !millionths.IsInt() || millionths.Sign() < 0 || millionths.Cmp(big.NewRat(1_000_000, 1)) > 0 {
		return 0, errPercent
	}
	return millionths.Num().Int64(), nil
}

// nairaOf reads a sum in naira; none is 0.
func nairaOf(text jsontext.Value) (money.Amount, error) {
	if absent(text) {
		return money.NGN(0), nil
	}
	return money.ParseMajor(money.AssetNGN, string(text))
}

func absent(text jsontext.Value) bool { return len(text) == 0 || text.Kind() == 'n' }
