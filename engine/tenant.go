package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bankfeed"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/ramp/widgets"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// Tenant is a business with its credentials, which no answer shows again.
type Tenant struct {
	Business business.Business
	Credentials
}

// Credentials are the first keys of a business and the secret of its webhooks.
type Credentials struct {
	SecretKey     string
	PublicKey     string
	WidgetKey     string
	WebhookSecret string
}

// StandardWebhookSecret is WebhookSecret as the libraries of Standard Webhooks take
// it.
func (c Credentials) StandardWebhookSecret() string { return webhook.StandardSecret(c.WebhookSecret) }

// ErrNoEnvironment refuses an environment that the engine has no outside world for.
var ErrNoEnvironment = ferry.NewError(ferry.Forbidden, "forbidden", "This environment is not available")

// CreateTenant adds a business to an environment: with keys, a widget, a webhook secret, a
// source account at the environment's bank, if there is one, and a naira balance of
// nothing. While the bank does not answer, it makes nothing: accounts.ErrUnavailable.
func (e *Engine) CreateTenant(ctx context.Context, env ferry.Env, name string) (Tenant, error) {
	return e.createTenant(ctx, env, newTenant{name: name})
}

// newTenant is a business to be made. Where its id, that of its source account or
// credentials are empty, they are made as well.
type newTenant struct {
	name   string
	id     ferry.BusinessID
	source string
	given  Credentials
}

func (e *Engine) createTenant(ctx context.Context, env ferry.Env, n newTenant) (Tenant, error) {
	providers, ok := e.providers[env]
	if !ok {
		return Tenant{}, ErrNoEnvironment
	}
	var problems ferry.Problems
	business.CheckName(n.name, &problems) // before the bank is asked
	if err := problems.Err(); err != nil {
		return Tenant{}, err
	}
	if n.id == "" {
		n.id = ferry.BusinessID(e.ids.NewID("biz_", e.clocks.In(env).Now()))
	}
	var account bank.Account
	if providers.Bank != nil {
		var err error
		if account, err = providers.Bank.OpenAccount(ctx, string(n.id), n.name); err != nil {
			return Tenant{}, ofBank(fmt.Errorf("engine: open a source account: %w", err))
		}
	}
	scope := ferry.Scope{Business: n.id, Env: env}
	return ferry.InUnit(ctx, e.units.In(env), func(ctx context.Context, tx store.Tx) (Tenant, error) {
		return e.createTenantIn(ctx, tx, scope, n, account)
	})
}

func (e *Engine) createTenantIn(ctx context.Context, tx store.Tx, scope ferry.Scope, n newTenant, account bank.Account) (Tenant, error) {
	p := business.CreateParams{
		Name: n.name,
		Keys: business.GivenKeys{Secret: n.given.SecretKey, Public: n.given.PublicKey, Widget: n.given.WidgetKey},
	}
	if account != (bank.Account{}) {
		p.SourceAccounts = []business.SourceAccount{sourceAccount(cmp.Or(n.source, tx.NewID("bank_")), account)}
	}
	created, err := e.Businesses.CreateIn(ctx, tx, scope, p)
	if err != nil {
		return Tenant{}, err
	}
	for _, source := range p.SourceAccounts {
		if err := bankfeed.Register(ctx, tx, scope, source.AccountNumber); err != nil {
			return Tenant{}, err
		}
	}
	if _, err := widgets.AdoptIn(ctx, tx, created.Widget.Key, n.name); err != nil {
		return Tenant{}, err
	}
	secret, err := e.createEndpointIn(ctx, tx, scope, n.given.WebhookSecret)
	return Tenant{
		Business: created.Business,
		Credentials: Credentials{
			SecretKey:     created.Secret.Secret,
			PublicKey:     created.Public.Secret,
			WidgetKey:     created.Widget.Secret,
			WebhookSecret: secret,
		},
	}, err
}

func sourceAccount(id string, a bank.Account) business.SourceAccount {
	return business.SourceAccount{
		ID: id, AccountNumber: a.AccountNumber, BankCode: a.BankCode, BankName: a.BankName, AccountName: a.AccountName,
	}
}

// createEndpointIn makes the endpoint of a new business, with the secret that is
// given or a fresh one, and returns the secret.
func (e *Engine) createEndpointIn(ctx context.Context, tx store.Tx, scope ferry.Scope, given string) (string, error) {
	if given == "" {
		return e.Webhooks.EnsureEndpointIn(ctx, tx, scope)
	}
	return given, e.Webhooks.CreateEndpointIn(ctx, tx, scope, given)
}

// Demo is what Bootstrap makes: a business with 1,000,000.00 NGN.
const (
	demoName    = "Demo business"
	demoBalance = 1_000_000_00
)

// Bootstrap makes the demo business of a sandbox and funds it, so that there is
// something to try at once.
func (e *Engine) Bootstrap(ctx context.Context) (Tenant, error) {
	return e.BootstrapWith(ctx, Credentials{})
}

// BootstrapWith is Bootstrap with credentials that are known beforehand; an empty
// one is made. A given key is the prefix of its type (sk_test_, pk_test_,
// rwpk_test_) and 8 to 100 letters, digits, dashes or underscores; a given secret
// is whsec_test_ and the base64 of 24 to 64 bytes. Errors: ferry.ErrValidation,
// also for any that is given to an engine in Production.
func (e *Engine) BootstrapWith(ctx context.Context, given Credentials) (Tenant, error) {
	tenant, err := e.createTenant(ctx, ferry.Test, newTenant{name: demoName, given: given})
	if err != nil {
		return Tenant{}, err
	}
	e.AdoptDemo(tenant)
	return tenant, e.FundNGN(ctx, tenant.Business.Scope, money.NGN(demoBalance))
}

// FundNGN sends naira to the source account of a test business through the
// simulated bank, and books what the bank then reports. A business that was made
// without CreateTenant has no such account: sandbox.ErrNoAccount. While the bank does
// not report it, or when a reset overtakes it: accounts.ErrUnavailable.
func (e *Engine) FundNGN(ctx context.Context, scope ferry.Scope, amount money.Amount) error {
	b, err := e.Businesses.Business(ctx, scope)
	if err != nil {
		return err
	}
	if len(b.SourceAccounts) == 0 {
		return fmt.Errorf("engine: %s: %w", scope, sandbox.ErrNoAccount)
	}
	return e.fund(ctx, b, amount, func(session string) (bool, error) { return e.AwaitCredit(ctx, scope.Env, session) })
}

// fund sends naira to the source account of a business. Book books the session, and
// reports whether it did.
func (e *Engine) fund(ctx context.Context, b business.Business, amount money.Amount, book func(session string) (bool, error)) error {
	notice, err := e.World.Credit(ctx, sandbox.CreditParams{
		AccountNumber: b.SourceAccounts[0].AccountNumber, Amount: amount, Narration: "Funding",
	})
	if err != nil {
		return err
	}
	booked, err := book(notice.SessionID)
	if err == nil && !booked {
		err = fmt.Errorf("engine: session %s: %w", notice.SessionID, bank.ErrUnavailable)
	}
	return ofBank(err)
}

// ofBank returns accounts.ErrUnavailable for what a bank did not answer, and err else.
func ofBank(err error) error {
	if errors.Is(err, bank.ErrUnavailable) {
		return accounts.ErrUnavailable.Because(err)
	}
	return err
}
