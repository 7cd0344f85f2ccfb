package engine

import (
	"context"
	"net/http"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bankfeed"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/payouts/transfers"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/provider/rates"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/ramp/onramp"
	"github.com/ferrypay/ferry/ramp/widgets"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/custody"
	"github.com/ferrypay/ferry/wallets/deposits"
	"github.com/ferrypay/ferry/wallets/outgoing"
	"github.com/ferrypay/ferry/webhook"
)

// A receiver has so long to answer at most, and a lease lasts so many times as
// long (docs/api.md, "Webhook delivery").
const (
	webhookTimeout  = 10 * time.Second
	webhookTimeouts = 6
)

// wiring is what services are made of.
type wiring struct {
	Config
	chains     map[ferry.Env]chain.Chain
	banks      map[ferry.Env]bank.Bank
	billers    map[ferry.Env]biller.Biller
	identities map[ferry.Env]kyc.Provider
	rates      map[ferry.Env]rates.Source
}

// wire makes the services over the engine's units, each seeing only the ports that its Tx
// names.
func (e *Engine) wire(config Config) {
	config.World.SealWith(config.Sealer)
	w := wiring{
		Config:     config,
		chains:     each(e.providers, func(p Providers) chain.Chain { return p.Chain }),
		banks:      each(e.providers, func(p Providers) bank.Bank { return p.Bank }),
		billers:    each(e.providers, func(p Providers) biller.Biller { return p.Biller }),
		identities: each(e.providers, func(p Providers) kyc.Provider { return p.KYC }),
		rates:      each(e.providers, func(p Providers) rates.Source { return p.Rates }),
	}
	for _, d := range domains(e) {
		if d.wire != nil {
			d.wire(w)
		}
	}
	e.domains = domains(e) // whose parts are now those of services
}

func (e *Engine) wireBusinesses(w wiring) {
	e.Businesses = business.New(
		ferry.Narrow(e.units, func(tx store.Tx) business.Tx { return tx }),
		business.Config{Pepper: w.Pepper, Random: w.Random, Clocks: e.clocks, ChosenKeys: !w.Production},
	)
}

func (e *Engine) wireWebhooks(w wiring) {
	config := webhook.Config{
		Sealer:  w.Sealer,
		Random:  w.Random,
		Logger:  w.Logger,
		Sandbox: !w.Production,
		Allow:   w.AllowWebhooks,
		Around:  w.receivers(e),
		Resets:  w.resets(e),
		Timeout: min(webhookTimeout, w.Lease/webhookTimeouts),

		SignatureHeader: w.Brand.SignatureHeader,
	}
	if w.Sequential {
		config.Sequential, config.Clock = true, w.Clock
	}
	e.Webhooks = webhook.New(ferry.Narrow(e.units, func(tx store.Tx) webhook.Tx { return tx }), config)
}

// resets counts the resets of a sandbox, which are of its test environment.
func (w wiring) resets(e *Engine) func(ferry.Env) uint64 {
	return func(env ferry.Env) uint64 {
		if w.Production || env != ferry.Test {
			return 0
		}
		return e.World.Resets()
	}
}

func (e *Engine) wireCustomers(w wiring) {
	e.Customers = customers.New(
		ferry.Narrow(e.units, func(tx store.Tx) customers.Tx { return tx }),
		customers.Config{
			Providers: w.identities, Sealer: w.Sealer, KeyInitiations: w.KeyInitiations, Guesses: w.NumberGuesses, Sequential: w.Sequential,
		},
	)
}

func (e *Engine) wireBankFeed(w wiring) {
	e.BankFeed = bankfeed.New(e.units, bankfeed.Config{Banks: w.banks, Priced: e.pricedCredit, Logger: w.Logger}, e.bankFeedHooks())
}

// wireWallets makes the services that keep USDC, send it, take it in and guard it. The lower
// ones ask the higher ones through functions.
func (e *Engine) wireWallets(w wiring) {
	e.Wallets = wallets.New(e.units, wallets.Config{
		Chains: w.chains, Sealer: w.Sealer, Random: w.Random, Logger: w.Logger,
	}, e.walletHooks(w.Listeners))
	e.Outgoing = outgoing.New(e.units, outgoing.Config{
		Wallets: e.Wallets, Chains: w.chains, Sealer: w.Sealer, Priced: e.priced, Lease: w.Lease, Logger: w.Logger,
		Guard: w.guard(),
		MayLeave: func(ctx context.Context, tx wallets.Tx, env ferry.Env) error {
			return e.Custody.MayLeaveIn(ctx, tx, env)
		},
		Verify: func(ctx context.Context, env ferry.Env) error { return e.Custody.Verify(ctx, env) },
	}, outgoingHooks(w.Listeners))
	e.Deposits = deposits.New(e.units, deposits.Config{
		Wallets: e.Wallets, Chains: w.chains, Sealer: w.Sealer, Priced: e.priced, Logger: w.Logger,
	}, e.depositHooks())
	e.Custody = custody.New(ferry.Narrow(e.units, func(tx store.Tx) wallets.Tx { return tx }), custody.Config{
		Wallets: e.Wallets, Outgoing: e.Outgoing, Deposits: e.Deposits,
		Chains: w.chains, Sealer: w.Sealer, Lease: w.Lease, Logger: w.Logger,
	})
}

// guard decides what may leave.
func (w wiring) guard() outflow.Guard { return outflow.Guard{Ceilings: w.Outflow} }

func (e *Engine) wireOutflow(w wiring) {
	e.Outflow = outflow.New(e.units, w.guard(), func(ctx context.Context, tx store.Tx, a outflow.Approval) error {
		return e.rejectIn(ctx, tx, a, a.Note)
	})
}

func (e *Engine) wireStatement(w wiring) {
	e.Statement = statement.New(ferry.Narrow(e.units, func(tx store.Tx) statement.Tx { return tx }))
}

func (e *Engine) wirePayments(w wiring) {
	e.Payments = payments.New(
		ferry.Narrow(e.units, func(tx store.Tx) payments.Tx { return tx }),
		e.sending(w, 0),
	)
}

func (e *Engine) wireLinks(w wiring) {
	e.Links = links.New(ferry.Narrow(e.units, func(tx store.Tx) links.Tx { return tx }), links.Config{
		Takes: func(b business.Business, order money.Asset) error { return e.Checkout.Takes(b, order) },
	})
}

func (e *Engine) wireAccounts(w wiring) {
	e.Accounts = accounts.New(
		ferry.Narrow(e.units, func(tx store.Tx) accounts.Tx { return tx }),
		accounts.Config{Banks: w.banks, ReadBank: e.BankFeed.Read, Verifies: e.Customers.Serves},
	)
}

func (e *Engine) wireCheckout(w wiring) {
	e.Checkout = checkout.New(
		ferry.Narrow(e.units, func(tx store.Tx) checkout.Tx { return tx }),
		checkout.Config{
			Wallets: e.Wallets, Outgoing: e.Outgoing, Deposits: e.Deposits,
			Banks: w.banks, ReadBank: e.BankFeed.Read, Rates: w.rates, Tariffs: w.Tariffs,
		},
	)
}

func (e *Engine) wirePayouts(w wiring) {
	e.Payouts = payouts.New(ferry.Narrow(e.units, func(tx store.Tx) payouts.Tx { return tx }), payouts.Config{
		Sending: e.sending(w, payoutRetry), Tariffs: w.Tariffs,
		Guard: w.guard(),
	})
}

func (e *Engine) wireTransfers(w wiring) {
	e.Transfers = transfers.New(ferry.Narrow(e.units, func(tx store.Tx) transfers.Tx { return tx }), transfers.Config{
		Sending: e.sending(w, payoutRetry), Tariffs: w.Tariffs, Enquire: e.Payouts.Enquire,
		Guard: w.guard(),
	})
}

func (e *Engine) wireRefunds(w wiring) {
	e.Refunds = refunds.New(ferry.Narrow(e.units, func(tx store.Tx) refunds.Tx { return tx }), refunds.Config{
		Sending: e.sending(w, payoutRetry), Tariffs: w.Tariffs,
		Guard: w.guard(), Outgoing: e.Outgoing,
	})
}

func (e *Engine) wireWidgets(w wiring) {
	e.Widgets = widgets.New(
		ferry.Narrow(e.units, func(tx store.Tx) widgets.Tx { return tx }),
		widgets.Config{Businesses: e.Businesses, Digest: w.Pepper.Digest, Random: w.Random},
	)
}

func (e *Engine) wireQuotes(w wiring) {
	e.Quotes = ramp.New(
		ferry.Narrow(e.units, func(tx store.Tx) ramp.Tx { return tx }),
		ramp.Config{Rates: w.rates, Pricing: w.Ramp},
	)
}

func (e *Engine) wireOfframps(w wiring) {
	e.Offramps = offramp.New(ferry.Narrow(e.units, func(tx store.Tx) offramp.Tx { return tx }), offramp.Config{
		Quotes: e.Quotes, Wallets: e.Wallets, Deposits: e.Deposits, Outgoing: e.Outgoing,
		Sending: e.sending(w, payoutRetry), Enquire: e.Payouts.Enquire, Bills: e.Bills,
	})
}

func (e *Engine) wireBills(w wiring) {
	sending := e.sending(w, payoutRetry)
	sending.Billers = w.billers
	e.Bills = bills.New(ferry.Narrow(e.units, func(tx store.Tx) bills.Tx { return tx }), bills.Config{
		Sending: sending, Tariffs: w.Tariffs, Guard: w.guard(), Moved: e.billMoved,
	})
}

func (e *Engine) wireOnramps(w wiring) {
	e.Onramps = onramp.New(
		ferry.Narrow(e.units, func(tx store.Tx) onramp.Tx { return tx }),
		onramp.Config{
			Quotes: e.Quotes, Wallets: e.Wallets, Outgoing: e.Outgoing,
			Banks: w.banks, ReadBank: e.BankFeed.Read, Stock: e.stock,
		},
	)
}

// sandboxStock is the USDC that the platform has for onramps in the test environment.
const sandboxStock = 1_000_000_000_000

// stock funds the address that pays for onramps in the test environment, once. On a real chain
// the operator does.
func (e *Engine) stock(ctx context.Context, env ferry.Env, to chain.Address) error {
	if env != ferry.Test || e.realChain {
		return nil
	}
	_, err := e.World.Deposit(ctx, sandbox.DepositParams{To: to, Amount: money.USDC(sandboxStock), Once: "onramps/" + string(to), Spared: true})
	return err
}

// sending says how naira goes out. A retry of 0 is the default.
func (e *Engine) sending(w wiring, retry time.Duration) disburse.Config {
	c := disburse.Config{Banks: w.banks, Held: custody.HeldIn, Lease: w.Lease, Logger: w.Logger, Retry: retry}
	if w.Sequential {
		c.AtOnce = 1
	}
	return c
}

// wireOutcomes makes the reader of what banks report of payments. It gives each report to all
// services that pay.
func (e *Engine) wireOutcomes(w wiring) {
	units := ferry.Narrow(e.units, func(tx store.Tx) disburse.FeedTx { return tx })
	e.Outcomes = disburse.NewFeed(units, w.banks, e.Payouts, e.Transfers, e.Refunds, e.Offramps)
}

// payoutRetry is how long to wait before a bank is asked again for a payment whose outcome it
// did not tell. The wait doubles with each time.
const payoutRetry = 5 * time.Second

// receivers lets the simulated world make the receivers of the test environment
// fail, and Config.Deliveries see what they get and answer.
func (w wiring) receivers(e *Engine) func(ferry.Env, http.RoundTripper) http.RoundTripper {
	return func(env ferry.Env, guarded http.RoundTripper) http.RoundTripper {
		if env != ferry.Test {
			return guarded
		}
		var to http.RoundTripper = untilReset{&e.era, e.World.Receiver(guarded)}
		if w.Deliveries != nil {
			to = w.Deliveries(to)
		}
		return to
	}
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
		wallets.PrefetchWalletsOf(tx, scope, string(id))
		accounts.PrefetchOfCustomer(tx, scope, id)
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
