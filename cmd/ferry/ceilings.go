package main

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
)

// ceilingsConfig is the most that businesses may send away, by environment and currency
// (docs/api.md, "Outflow controls").
type ceilingsConfig map[ferry.Env]map[string]ceilingConfig

// ceilingConfig is in full units, kept as it was written; none is no limit.
type ceilingConfig struct {
	Operation   jsontext.Value `json:"operation,omitzero"`
	KeyDay      jsontext.Value `json:"key_day,omitzero"`
	BusinessDay jsontext.Value `json:"business_day,omitzero"`
	Approval    jsontext.Value `json:"approval,omitzero"`
}

// ceilings returns the limits, or what is wrong with them.
func (c ceilingsConfig) ceilings() (outflow.Ceilings, error) {
	all := outflow.Ceilings{}
	for env, given := range c {
		if env != ferry.Test && env != ferry.Live {
			return nil, fmt.Errorf("outflow: there is no environment %q: it must be test or live", env)
		}
		var limits outflow.Limits
		for currency, ceiling := range given {
			asset, to := money.AssetNGN, &limits.NGN
			switch currency {
			case money.AssetNGN.String():
			case money.AssetUSDC.String():
				asset, to = money.AssetUSDC, &limits.USDC
			default:
				return nil, fmt.Errorf("outflow.%s: there is no currency %q: it must be NGN or USDC", env, currency)
			}
			if err := ceiling.read(asset, to); err != nil {
				return nil, fmt.Errorf("outflow.%s.%s.%w", env, currency, err)
			}
		}
		all[env] = limits
	}
	return all, nil
}

func (c ceilingConfig) read(asset money.Asset, to *outflow.Limit) (err error) {
	for _, one := range []struct {
		name string
		text jsontext.Value
		to   *money.Amount
	}{
		{"operation", c.Operation, &to.Operation}, {"key_day", c.KeyDay, &to.KeyDay},
		{"business_day", c.BusinessDay, &to.BusinessDay}, {"approval", c.Approval, &to.Approval},
	} {
		if absent(one.text) {
			continue
		}
		if *one.to, err = money.ParseMajor(asset, string(one.text)); err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
	}
	return nil
}
