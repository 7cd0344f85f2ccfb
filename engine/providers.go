package engine

import (
	"cmp"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/provider/rates"
	"github.com/ferrypay/ferry/sandbox"
)

// Providers is the outside world of one environment. Each is an optional capability: the
// services are given those that are there, and say what is missing (ferry.ErrNoProvider).
type Providers struct {
	Chain chain.Chain
	Bank  bank.Bank
	KYC   kyc.Provider
	Rates rates.Source
	// Biller sells bills.
	Biller biller.Biller
}

// or returns p with the simulated ones of a world where it has none.
func (p Providers) or(w *sandbox.World) Providers {
	return Providers{
		Chain: cmp.Or(p.Chain, w.Chain()), Bank: cmp.Or(p.Bank, w.Bank()), KYC: cmp.Or(p.KYC, w.KYC()), Rates: cmp.Or(p.Rates, w.Rates()),
		Biller: cmp.Or(p.Biller, w.Biller()),
	}
}

// each returns the providers of one kind, in the environments that have one.
func each[P comparable](all map[ferry.Env]Providers, of func(Providers) P) map[ferry.Env]P {
	var absent P
	found := map[ferry.Env]P{}
	for env, p := range all {
		if of(p) != absent {
			found[env] = of(p)
		}
	}
	return found
}
