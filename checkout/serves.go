package checkout

import (
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/rates"
)

// What an environment can take depends on the providers that it has:
//
//	naira for an order in naira    bank
//	USDC for an order in naira     chain, rates
//	USDC for an order in USDC      chain, and rates where it is converted
//	naira for an order in USDC     chain, bank, rates
//
// Whatever it cannot take is not offered, and refused by the error that names what is
// missing.

// The errors of a missing provider.
var (
	// ErrNoBank is ErrBankUnavailable in an environment without a bank.
	ErrNoBank = ErrBankUnavailable.Lacking(bank.ErrNone)
	// ErrNoRates is ErrCryptoUnavailable in an environment without exchange rates.
	ErrNoRates = ErrCryptoUnavailable.Lacking(rates.ErrNone)

	errNoChain = ErrCryptoUnavailable.Lacking(chain.ErrNone)
)

// serves returns nil when the environment can take a method for an order in an asset,
// whose USDC is settled so, or else what is missing.
func (s *Service) serves(env ferry.Env, order money.Asset, settlement business.Settlement, m business.PaymentMethod) error {
	if order == money.AssetUSDC || m == business.Crypto {
		if err := s.chain(env); err != nil {
			return err
		}
	}
	pays := money.AssetUSDC
	if m == business.BankTransfer {
		pays = money.AssetNGN
		if _, err := s.bank(env); err != nil {
			return err
		}
	}
	if pays == order && (m != business.Crypto || settlement != business.Convert) {
		return nil
	}
	_, err := s.rates(env)
	return err
}

// chain returns ErrCryptoUnavailable in an environment without a chain.
func (s *Service) chain(env ferry.Env) error {
	if s.config.Wallets.Serves(env) != nil {
		return errNoChain
	}
	return nil
}

func (s *Service) bank(env ferry.Env) (bank.Bank, error) {
	return ferry.Provider(s.config.Banks, env, ErrNoBank)
}

func (s *Service) rates(env ferry.Env) (rates.Source, error) {
	return ferry.Provider(s.config.Rates, env, ErrNoRates)
}

// offered are the methods that a business takes for an order in an asset, the bank
// first, or only one of them. When it takes none that the environment serves, the error
// says what the first one lacks. Errors: ferry.ErrValidation, ErrNoBank,
// ErrCryptoUnavailable.
func (s *Service) offered(b business.Business, order money.Asset, only business.PaymentMethod) (methods []business.PaymentMethod, err error) {
	for _, m := range business.AllMethods() {
		if !slices.Contains(b.PaymentMethods, m) || only != "" && only != m {
			continue
		}
		switch lacks := s.serves(b.Scope.Env, order, b.CryptoSettlement, m); {
		case lacks == nil:
			methods = append(methods, m)
		case err == nil:
			err = lacks
		}
	}
	switch {
	case len(methods) > 0:
		return methods, nil
	case err == nil:
		err = ferry.ErrValidation.About("payment_method", "Is not available")
	}
	return nil, err
}

// Takes returns nil when a business can be paid for an order in an asset, or else what
// its environment lacks. Errors: ErrNoBank, ErrCryptoUnavailable.
func (s *Service) Takes(b business.Business, order money.Asset) error {
	_, err := s.offered(b, order, "")
	return err
}

// AmountTypes are those in which orders of an environment may be priced.
func (s *Service) AmountTypes(env ferry.Env) []AmountType {
	anybody := business.Business{Scope: ferry.Scope{Env: env}}
	anybody.PaymentMethods = business.AllMethods()
	return slices.DeleteFunc([]AmountType{InFiat, InCrypto}, func(t AmountType) bool {
		return s.Takes(anybody, t.Asset()) != nil
	})
}

// served marks the methods of a session that its environment no longer serves, so that they
// are not offered. The session keeps its account and address, but they are not shown.
func (s *Service) served(state State) State {
	for _, m := range state.Methods {
		lacks := s.serves(state.Session.Scope.Env, state.Pricing.Type.Asset(), state.Settlement, m)
		if lacks == nil {
			continue
		}
		state.Unserved = append(state.Unserved, m)
		switch {
		case m == business.BankTransfer:
			state.Account = bank.Account{}
		case state.Status == Pending:
			state.CryptoError, state.Current = messageOf(lacks), nil
		}
	}
	return state
}
