package engine

import (
	"cmp"

	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/provider/rates"
	"github.com/ferrypay/ferry/sandbox"
)

// Providers is the outside world of one environment.
type Providers struct {
	Chain chain.Chain
	Bank  bank.Bank
	KYC   kyc.Provider
	Rates rates.Source
}

// missing names the providers that are not there.
func (p Providers) missing() (names []string) {
	for _, provider := range []struct {
		name  string
		there bool
	}{{"Chain", p.Chain != nil}, {"Bank", p.Bank != nil}, {"KYC", p.KYC != nil}, {"Rates", p.Rates != nil}} {
		if !provider.there {
			names = append(names, provider.name)
		}
	}
	return names
}

// or returns p with the simulated ones of a world where it has none.
func (p Providers) or(w *sandbox.World) Providers {
	return Providers{cmp.Or(p.Chain, w.Chain()), cmp.Or(p.Bank, w.Bank()), cmp.Or(p.KYC, w.KYC()), cmp.Or(p.Rates, w.Rates())}
}
