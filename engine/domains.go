package engine

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bankfeed"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/operatorlog"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/payouts/transfers"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/ramp/onramp"
	"github.com/ferrypay/ferry/ramp/widgets"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/settings"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/custody"
	"github.com/ferrypay/ferry/wallets/deposits"
	"github.com/ferrypay/ferry/wallets/outgoing"
	"github.com/ferrypay/ferry/webhook"
)

// Services are the services of the domains. A call acts at once; the background work of the
// engine does the rest later.
type Services struct {
	Businesses *business.Service
	Outflow    *outflow.Service
	Webhooks   *webhook.Service
	Customers  *customers.Service
	Wallets    *wallets.Service
	Outgoing   *outgoing.Service
	Deposits   *deposits.Service
	Custody    *custody.Service
	BankFeed   *bankfeed.Service
	Payments   *payments.Service
	Statement  *statement.Service
	Links      *links.Service
	Accounts   *accounts.Service
	Checkout   *checkout.Service
	Payouts    *payouts.Service
	Transfers  *transfers.Service
	Refunds    *refunds.Service
	Quotes     *ramp.Quoter
	Offramps   *offramp.Service
	Onramps    *onramp.Service
	Widgets    *widgets.Service
	Bills      *bills.Service
	Outcomes   *disburse.Feed
}

// Domain is what a domain of the engine declares. Documents and the answers of an API are made
// from it.
type Domain struct {
	// Name is the name of its package.
	Name string
	// Errors are the errors that a caller may get, one for each code.
	Errors []*ferry.Error
	// Queues are the queues of its due work. Advance stops at each instant at which one of
	// them has work.
	Queues []lease.Kind
	// Records are its kinds of rows, as package records declares them.
	Records []*records.Shape
	// Lifecycles are the lifecycles of its records.
	Lifecycles []Lifecycle
}

// Lifecycle is a ferry.Lifecycle with the title of its drawing.
type Lifecycle struct {
	Title string
	Drawn interface{ Mermaid() string }
}

// Domains are all domains of the engine, the lower ones first.
func Domains() (all []Domain) {
	for _, d := range domains(&Engine{}) {
		all = append(all, d.Domain)
	}
	return all
}

// domain is a domain with what the engine does for it.
type domain struct {
	Domain
	// wire makes its services. The services of the entries before it exist by then.
	wire func(wiring)
	// pass does its background work, or is nil.
	pass *pass
	// realTime are further queues of the pass. Their work is due by the real clock, so
	// Advance does not stop for it.
	realTime []lease.Kind
	// audit recounts its books.
	audit func(ctx context.Context, tx store.Tx, env ferry.Env) ([]ledger.Finding, error)
	// compare compares its books with the outside world.
	compare *comparison
	// vaults are its rows with sealed texts.
	vaults []vault
	// explain explains one of its records, or is nil.
	explain explainer
	// forget drops what this process remembers of its rows. It is called when a sandbox is reset.
	forget func()
}

// domains returns the one list of domains. A new domain needs only an entry here, and fields in
// Services. Passes run, and audits report, in this order.
func domains(e *Engine) []domain {
	return []domain{
		{
			Domain: Domain{Name: "ledger", Errors: []*ferry.Error{ledger.ErrInsufficientBalance}},
			audit: func(ctx context.Context, tx store.Tx, env ferry.Env) ([]ledger.Finding, error) {
				return ledger.Audit(ctx, tx.Ledger(), env)
			},
		}, {
			Domain: Domain{
				Name:    "business",
				Errors:  []*ferry.Error{business.ErrNotFound, business.ErrKeyNotFound},
				Records: []*records.Shape{business.Kind.Shape, business.KeyKind.Shape},
			},
			wire:   e.wireBusinesses,
			forget: e.Businesses.Forget,
		}, {
			Domain: Domain{
				Name:    "outflow",
				Errors:  []*ferry.Error{outflow.ErrLimit, outflow.ErrDestination, outflow.ErrApprovalNotFound, outflow.ErrMayNotApprove},
				Queues:  []lease.Kind{outflow.QueueApprovals},
				Records: []*records.Shape{outflow.RulesKind.Shape, outflow.DayKind.Shape, outflow.ApprovalKind.Shape},

				Lifecycles: []Lifecycle{{"Approvals", outflow.ApprovalLifecycle}},
			},
			explain: explained(outflow.Explain),
			wire:    e.wireOutflow,
			pass:    &pass{name: "approvals", work: e.Outflow.RunDue},

			audit: auditApprovals,
		}, {
			Domain: Domain{
				Name: "customers",
				Errors: []*ferry.Error{
					customers.ErrNotFound, customers.ErrDuplicate, customers.ErrIdentityNotFound, customers.ErrAlreadyVerified,
					customers.ErrInvalidOTP, customers.ErrNotVerified, customers.ErrUnavailable,
				},
				Records:    []*records.Shape{customers.CustomerKind.Shape, customers.IdentityKind.Shape, customers.InitiationLogKind.Shape},
				Lifecycles: []Lifecycle{{"Customers", customers.Lifecycle}, {"Identities", customers.IdentityLifecycle}},
			},
			explain: explained(customers.Explain),
			wire:    e.wireCustomers,
			vaults:  []vault{customerVault, identityVault},
			forget:  e.Customers.Forget,
		}, {
			Domain:  Domain{Name: "bankfeed", Records: []*records.Shape{bankfeed.AccountKind.Shape, bankfeed.FeedKind.Shape}},
			wire:    e.wireBankFeed,
			pass:    &pass{name: "bankfeed", sweeps: true, work: e.BankFeed.RunDue},
			compare: &comparison{with: partBank, run: e.compareFeed},
			forget:  e.BankFeed.Forget,
		}, {
			Domain: Domain{
				Name:    "wallets",
				Records: []*records.Shape{wallets.WalletKind.Shape, wallets.AddressKind.Shape, wallets.SealedKeyKind.Shape, wallets.CustodyKind.Shape, wallets.TransactionKind.Shape},
				Errors: []*ferry.Error{
					wallets.ErrWalletNotFound, wallets.ErrUnknownWallet, wallets.ErrAddressNotFound, wallets.ErrTransactionNotFound,
					wallets.ErrDuplicateReference, wallets.ErrInvalidNetwork, wallets.ErrInvalidAsset, wallets.ErrWalletNotActive,
					wallets.ErrAddressCompromised, wallets.ErrUnavailable,
				},
				Lifecycles: []Lifecycle{{"Wallets", wallets.Lifecycle}, {"Addresses", wallets.AddressLifecycle}},
			},
			explain: explained(wallets.Explain),
			wire:    e.wireWallets,
			vaults:  []vault{keyVault},
		}, {
			Domain: Domain{
				Name:    "deposits",
				Records: []*records.Shape{deposits.AnomalyKind.Shape},
			},
			explain: explained(deposits.Explain),
			pass:    &pass{name: "deposits", sweeps: true, work: e.Deposits.Sweep},
			forget:  e.Deposits.Forget,
		}, {
			Domain: Domain{
				Name:    "custody",
				Queues:  []lease.Kind{custody.QueueHolds},
				Records: []*records.Shape{custody.OutflowHoldKind.Shape, custody.SentCursorKind.Shape, custody.OutflowKind.Shape},
			},
			pass: &pass{name: "holds", work: e.Custody.RunHolds},
			audit: func(ctx context.Context, tx store.Tx, env ferry.Env) ([]ledger.Finding, error) {
				return custody.Audit(ctx, tx, env)
			},
			compare: &comparison{with: partChain, run: e.compareChain, act: e.freezeDrifting},
		}, {
			Domain: Domain{
				Name:    "outgoing",
				Errors:  []*ferry.Error{outgoing.ErrAddressNotOwned, outgoing.ErrInvalidAddress, outgoing.ErrAmountTooLow},
				Queues:  []lease.Kind{outgoing.QueueTransfers},
				Records: []*records.Shape{outgoing.TransferKind.Shape, outgoing.AttemptKind.Shape},
				Lifecycles: []Lifecycle{
					{"Wallet transfers", outgoing.TransferLifecycle}, {"Attempts of a transfer", outgoing.AttemptLifecycle},
				},
			},
			explain: explained(outgoing.Explain),
			pass:    &pass{name: "transfers", work: e.Outgoing.RunDue},
			audit: func(ctx context.Context, tx store.Tx, env ferry.Env) ([]ledger.Finding, error) {
				return outgoing.Audit(ctx, tx, env)
			},
		}, {
			Domain: Domain{
				Name:    "statement",
				Errors:  []*ferry.Error{statement.ErrDuplicateTrxID},
				Records: []*records.Shape{statement.Kind.Shape},
			},
			wire: e.wireStatement,
		}, {
			Domain: Domain{
				Name:    "payments",
				Errors:  []*ferry.Error{payments.ErrNotFound, payments.ErrInvalidReference},
				Queues:  []lease.Kind{payments.QueueReturns},
				Records: []*records.Shape{payments.PaymentKind.Shape, payments.ReceiptKind.Shape, payments.ReturnKind.Shape},
				Lifecycles: []Lifecycle{
					{"Payments", payments.Lifecycle}, {"Receipts", payments.ReceiptLifecycle}, {"Returns", payments.ReturnLifecycle},
				},
			},
			explain: explained(payments.Explain),
			wire:    e.wirePayments,
			pass:    &pass{name: "returns", work: e.Payments.RunDue},
			audit: func(ctx context.Context, tx store.Tx, env ferry.Env) ([]ledger.Finding, error) {
				return payments.Audit(ctx, tx, env)
			},
			compare: &comparison{with: partBank, run: e.compareReturns},
		}, {
			Domain: Domain{
				Name:    "links",
				Errors:  []*ferry.Error{links.ErrNotFound, links.ErrSlugTaken, links.ErrNotActive, links.ErrLimitReached},
				Queues:  []lease.Kind{links.QueueExpiry},
				Records: []*records.Shape{links.LinkKind.Shape, links.TallyKind.Shape},
				Lifecycles: []Lifecycle{
					{"Payment links of policy A", links.LifecycleA}, {"Payment links of policy B", links.LifecycleB},
				},
			},
			explain: explained(links.Explain),
			wire:    e.wireLinks,
			pass:    &pass{name: "links", work: e.Links.RunDue},
		}, {
			Domain: Domain{
				Name:    "accounts",
				Errors:  []*ferry.Error{accounts.ErrNotFound},
				Queues:  []lease.Kind{accounts.QueueExpiry},
				Records: []*records.Shape{accounts.AccountKind.Shape},
				Lifecycles: []Lifecycle{
					{"Virtual accounts", accounts.VirtualLifecycle}, {"Reserved accounts", accounts.ReservedLifecycle},
				},
			},
			explain: explained(accounts.Explain),
			wire:    e.wireAccounts,
			pass:    &pass{name: "accounts", work: e.Accounts.RunDue},
		}, {
			Domain: Domain{
				Name: "checkout",
				Errors: []*ferry.Error{
					checkout.ErrNotFound, checkout.ErrRedirectNotAllowed, checkout.ErrCryptoUnavailable, checkout.ErrSenderUnknown,
				},
				Queues:  []lease.Kind{checkout.QueueSessions},
				Records: []*records.Shape{checkout.SessionKind.Shape, checkout.InstructionKind.Shape, checkout.ReuseSlotKind.Shape},
				Lifecycles: []Lifecycle{
					{"Checkout sessions", checkout.Lifecycle}, {"Crypto instructions", checkout.InstructionLifecycle},
				},
			},
			explain: explained(checkout.Explain),
			wire:    e.wireCheckout,
			pass:    &pass{name: "checkout", work: e.Checkout.RunDue},
			audit: func(ctx context.Context, tx store.Tx, env ferry.Env) ([]ledger.Finding, error) {
				return checkout.Audit(ctx, tx, env)
			},
		}, {
			Domain: Domain{
				Name:       "payouts",
				Errors:     []*ferry.Error{payouts.ErrNotFound, payouts.ErrUnknownAccount},
				Queues:     []lease.Kind{payouts.QueueItems},
				Records:    []*records.Shape{payouts.Kind.Shape, payouts.ItemKind.Shape},
				Lifecycles: []Lifecycle{{"Payout items", payouts.ItemLifecycle}},
			},
			explain: explained(payouts.Explain),
			wire:    e.wirePayouts,
			pass:    &pass{name: "payouts", work: e.Payouts.RunDue},
			audit: func(ctx context.Context, tx store.Tx, env ferry.Env) ([]ledger.Finding, error) {
				return payouts.Audit(ctx, tx, env)
			},
			compare: &comparison{with: partBank, run: e.comparePayouts},
		}, {
			Domain: Domain{
				Name:       "transfers",
				Errors:     []*ferry.Error{transfers.ErrNotFound},
				Queues:     []lease.Kind{transfers.QueueTransfers},
				Records:    []*records.Shape{transfers.Kind.Shape},
				Lifecycles: []Lifecycle{{"Fiat transfers", transfers.Lifecycle}},
			},
			explain: explained(transfers.Explain),
			wire:    e.wireTransfers,
			pass:    &pass{name: "fiat transfers", work: e.Transfers.RunDue},
			audit: func(ctx context.Context, tx store.Tx, env ferry.Env) ([]ledger.Finding, error) {
				return transfers.Audit(ctx, tx, env)
			},
			compare: &comparison{with: partBank, run: e.compareTransfers},
		}, {
			Domain: Domain{
				Name: "refunds",
				Errors: []*ferry.Error{
					refunds.ErrNotFound, refunds.ErrNotRefundable, refunds.ErrExceedsRemaining, refunds.ErrNoSender, refunds.ErrNotProcessing,
				},
				Queues:     []lease.Kind{refunds.QueueScheduled, refunds.QueuePayments},
				Records:    []*records.Shape{refunds.Kind.Shape},
				Lifecycles: []Lifecycle{{"Refunds", refunds.Lifecycle}},
			},
			explain: explained(refunds.Explain),
			wire:    e.wireRefunds,
			pass:    &pass{name: "refunds", work: e.Refunds.RunDue},
			audit: func(ctx context.Context, tx store.Tx, env ferry.Env) ([]ledger.Finding, error) {
				return refunds.Audit(ctx, tx, env)
			},
			compare: &comparison{with: partBank, run: e.compareRefunds},
		}, {
			Domain: Domain{
				Name:       "bills",
				Errors:     []*ferry.Error{bills.ErrNotFound},
				Queues:     []lease.Kind{bills.QueueBills},
				Records:    []*records.Shape{bills.Kind.Shape},
				Lifecycles: []Lifecycle{{"Bills", bills.Lifecycle}},
			},
			explain: explained(bills.Explain),
			wire:    e.wireBills,
			pass:    &pass{name: "bills", work: e.Bills.RunDue},
			audit: func(ctx context.Context, tx store.Tx, env ferry.Env) ([]ledger.Finding, error) {
				return bills.Audit(ctx, tx, env)
			},
			compare: &comparison{with: partBiller, run: e.compareBills},
		}, {
			Domain: Domain{
				Name: "ramp",
				Errors: []*ferry.Error{
					ramp.ErrNotFound, ramp.ErrBelowMinimum, ramp.ErrQuoteExpired,
				},
				Records: []*records.Shape{ramp.QuoteKind.Shape, ramp.TransactionKind.Shape, ramp.VolumeKind.Shape},
			},
			wire: e.wireQuotes,
		}, {
			Domain: Domain{
				Name:       "offramp",
				Queues:     []lease.Kind{offramp.QueueOrders, offramp.QueuePayments, offramp.QueueReturns},
				Records:    []*records.Shape{offramp.Kind.Shape, offramp.DepositKind.Shape},
				Lifecycles: []Lifecycle{{"Offramps", offramp.Lifecycle}, {"Crypto bills", offramp.BillLifecycle}, {"Deposits of offramps", offramp.DepositLifecycle}},
			},
			explain: explained(offramp.Explain),
			wire:    e.wireOfframps,
			pass:    &pass{name: "offramps", work: e.Offramps.RunDue},
			audit: func(ctx context.Context, tx store.Tx, env ferry.Env) ([]ledger.Finding, error) {
				return offramp.Audit(ctx, tx, env)
			},
			compare: &comparison{with: partBank, run: e.compareOfframps},
		}, {
			Domain: Domain{
				Name:       "onramp",
				Queues:     []lease.Kind{onramp.QueueOrders},
				Records:    []*records.Shape{onramp.Kind.Shape},
				Lifecycles: []Lifecycle{{"Onramps", onramp.Lifecycle}},
			},
			explain: explained(onramp.Explain),
			wire:    e.wireOnramps,
			pass:    &pass{name: "onramps", work: e.Onramps.RunDue},
			audit: func(ctx context.Context, tx store.Tx, env ferry.Env) ([]ledger.Finding, error) {
				return onramp.Audit(ctx, tx, env)
			},
		}, {
			Domain: Domain{
				Name:    "widgets",
				Errors:  []*ferry.Error{widgets.ErrNotFound},
				Records: []*records.Shape{widgets.WidgetKind.Shape, widgets.SessionKind.Shape},
			},
			wire: e.wireWidgets,
			pass: &pass{name: "ramp sessions", work: e.Widgets.RunDue},
		}, {
			Domain: Domain{Name: "disburse", Records: []*records.Shape{disburse.PlaceKind.Shape, disburse.ResolutionKind.Shape}},
			wire:   e.wireOutcomes,
			forget: e.Outcomes.Forget,
			pass:   &pass{name: "outcomes", sweeps: true, work: e.Outcomes.RunDue},
		}, {
			Domain: Domain{
				Name:    "webhook",
				Records: []*records.Shape{webhook.EndpointKind.Shape, webhook.EventKind.Shape, webhook.AttemptKind.Shape},
				Errors:  []*ferry.Error{webhook.ErrEventNotFound},
				Queues:  []lease.Kind{webhook.QueueStreams},
			},
			explain: explained(webhook.Explain),
			wire:    e.wireWebhooks,
			pass:    &pass{name: "webhooks", inHand: true, work: e.Webhooks.RunDue},
			vaults:  []vault{endpointVault},
		}, {
			Domain:   Domain{Name: "engine"},
			pass:     &pass{name: "reconcile", work: e.reconcileDue},
			realTime: []lease.Kind{QueueReconcile},
			forget:   e.forgetReconciled,
		}, {
			Domain: Domain{
				Name:    "idempotency",
				Records: []*records.Shape{idempotency.RecordKind.Shape},
				Errors:  []*ferry.Error{idempotency.ErrConflict},
			},
			pass: &pass{name: "idempotency", work: e.purgeIdempotency},
		}, {
			Domain: Domain{Name: "operatorlog", Records: []*records.Shape{operatorlog.Kind.Shape}},
		}, {
			Domain: Domain{Name: "settings", Records: []*records.Shape{settings.Kind.Shape}},
		},
	}
}

// passes returns the passes of all domains.
func (e *Engine) passes() (all []*pass) {
	for _, d := range e.domains {
		if d.pass != nil {
			all = append(all, d.pass)
		}
	}
	return all
}

// vaults returns the vaults of all domains.
func (e *Engine) vaults() (all []vault) {
	for _, d := range e.domains {
		all = append(all, d.vaults...)
	}
	return all
}
