package engine

import (
	"context"
	"net/http"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/funding"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/provider/rates"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/webhook"
)

// A receiver has so long to answer at most, and a lease lasts so many times as
// long (docs/api.md, "Webhook delivery").
const (
	webhookTimeout  = 10 * time.Second
	webhookTimeouts = 6
)

// wire makes the services over the engine's units, each seeing only the stores
// that its Tx names.
func (e *Engine) wire(config Config) {
	config.World.SealWith(config.Sealer)
	chains := each(e.providers, func(p Providers) chain.Chain { return p.Chain })
	banks := each(e.providers, func(p Providers) bank.Bank { return p.Bank })
	identities := each(e.providers, func(p Providers) kyc.Provider { return p.KYC })
	e.Businesses = business.New(
		ferry.Narrow(e.units, func(tx store.Tx) business.Tx { return tx }),
		business.Config{Pepper: config.Pepper, Random: config.Random, Clocks: e.clocks, ChosenKeys: !config.Production},
	)
	e.Webhooks = webhook.New(
		ferry.Narrow(e.units, func(tx store.Tx) webhook.Tx { return tx }),
		webhook.Config{
			Sealer:  config.Sealer,
			Random:  config.Random,
			Logger:  config.Logger,
			Sandbox: !config.Production,
			Allow:   config.AllowWebhooks,
			Around:  e.receivers,
			Timeout: min(webhookTimeout, config.Lease/webhookTimeouts),

			SignatureHeader: config.Brand.SignatureHeader,
		},
	)
	e.Customers = customers.New(
		ferry.Narrow(e.units, func(tx store.Tx) customers.Tx { return tx }),
		customers.Config{Providers: identities, Sealer: config.Sealer, KeyInitiations: config.KeyInitiations, Guesses: config.NumberGuesses},
	)
	e.wireWallets(config, chains)
	e.Funding = funding.New(e.units, funding.Config{Banks: banks, Priced: e.pricedCredit, Logger: config.Logger}, e.fundingHooks())
	e.wireCollection(config, banks)
}

// wireWallets makes the services that keep USDC, send it, take it in and guard it. The lower
// ones ask the higher ones through functions.
func (e *Engine) wireWallets(config Config, chains map[ferry.Env]chain.Chain) {
	e.Wallets = wallets.New(e.units, wallets.Config{
		Chains: chains, Sealer: config.Sealer, Random: config.Random, Logger: config.Logger,
	}, e.walletHooks(config.Listeners))
	e.Outgoing = wallets.NewOutgoing(e.units, wallets.OutgoingConfig{
		Wallets: e.Wallets, Chains: chains, Sealer: config.Sealer, Priced: e.priced, Lease: config.Lease, Logger: config.Logger,
		MayLeave: func(ctx context.Context, tx wallets.Tx, env ferry.Env) error {
			return e.Custody.MayLeaveIn(ctx, tx, env)
		},
		Verify: func(ctx context.Context, env ferry.Env) error { return e.Custody.Verify(ctx, env) },
	}, outgoingHooks(config.Listeners))
	e.Deposits = wallets.NewDeposits(e.units, wallets.DepositsConfig{
		Wallets: e.Wallets, Chains: chains, Sealer: config.Sealer, Priced: e.priced, Logger: config.Logger,
	}, e.depositHooks())
	e.Custody = wallets.NewCustodian(ferry.Narrow(e.units, func(tx store.Tx) wallets.Tx { return tx }), wallets.CustodianConfig{
		Wallets: e.Wallets, Outgoing: e.Outgoing, Deposits: e.Deposits,
		Chains: chains, Sealer: config.Sealer, Lease: config.Lease, Logger: config.Logger,
	})
}

// wireCollection makes the services that collect money.
func (e *Engine) wireCollection(config Config, banks map[ferry.Env]bank.Bank) {
	sources := each(e.providers, func(p Providers) rates.Source { return p.Rates })
	e.Statement = statement.New(ferry.Narrow(e.units, func(tx store.Tx) statement.Tx { return tx }))
	e.Payments = payments.New(
		ferry.Narrow(e.units, func(tx store.Tx) payments.Tx { return tx }),
		disburse.Config{Banks: banks, Held: e.holds, Logger: config.Logger},
	)
	e.Links = links.New(ferry.Narrow(e.units, func(tx store.Tx) links.Tx { return tx }), links.Config{
		Takes: func(b business.Business, order money.Asset) error { return e.Checkout.Takes(b, order) },
	})
	e.Accounts = accounts.New(
		ferry.Narrow(e.units, func(tx store.Tx) accounts.Tx { return tx }),
		accounts.Config{Banks: banks, ReadBank: e.Funding.Read, Verifies: e.Customers.Serves},
	)
	e.Checkout = checkout.New(
		ferry.Narrow(e.units, func(tx store.Tx) checkout.Tx { return tx }),
		checkout.Config{
			Wallets: e.Wallets, Outgoing: e.Outgoing, Deposits: e.Deposits,
			Banks: banks, ReadBank: e.Funding.Read, Rates: sources, Tariffs: config.Tariffs,
		},
	)
}

// holds reports to payments whether an environment is held.
func (e *Engine) holds(ctx context.Context, env ferry.Env) (bool, error) {
	h, err := e.Custody.Held(ctx, env)
	return h.Held, err
}

// receivers lets the simulated world make the receivers of the test environment
// fail.
func (e *Engine) receivers(env ferry.Env, guarded http.RoundTripper) http.RoundTripper {
	if env != ferry.Test {
		return guarded
	}
	return untilReset{&e.era, e.World.Receiver(guarded)}
}

// CustomerDetails is a customer with what other domains hold for it.
type CustomerDetails struct {
	customers.Customer
	Wallets  []wallets.ID
	Accounts []accounts.ID
}

// Customer returns a customer of the scope with its wallets, or
// customers.ErrNotFound (docs/api.md, "Customers").
func (e *Engine) Customer(ctx context.Context, scope ferry.Scope, id customers.ID) (CustomerDetails, error) {
	return ferry.InRead(ctx, e.units.Of(scope), func(ctx context.Context, tx store.Tx) (CustomerDetails, error) {
		customer, err := customers.CustomerKind.Get(ctx, tx, scope, id)
		if err != nil {
			return CustomerDetails{}, err
		}
		held, err := e.Wallets.WalletsOfIn(ctx, tx, scope, string(id))
		if err != nil {
			return CustomerDetails{}, err
		}
		reserved, err := e.Accounts.OfCustomerIn(ctx, tx, scope, id)
		return CustomerDetails{customer, held, reserved}, err
	})
}
