package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/funding"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/store"
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

// ErrNoEnvironment refuses an environment that the engine has no outside world for.
var ErrNoEnvironment = ferry.NewError(ferry.Forbidden, "forbidden", "This environment is not available")

// CreateTenant adds a business to an environment: with keys, a webhook secret, a
// source account at the environment's bank and a naira balance of nothing.
func (e *Engine) CreateTenant(ctx context.Context, env ferry.Env, name string) (Tenant, error) {
	return e.createTenant(ctx, env, name, Credentials{})
}

// createTenant is CreateTenant with some of its credentials given.
func (e *Engine) createTenant(ctx context.Context, env ferry.Env, name string, given Credentials) (Tenant, error) {
	providers, ok := e.providers[env]
	if !ok {
		return Tenant{}, ErrNoEnvironment
	}
	id := e.ids.NewID("biz_", e.clock.Now())
	account, err := providers.Bank.OpenAccount(ctx, id, name)
	if err != nil {
		return Tenant{}, fmt.Errorf("engine: open a source account: %w", err)
	}
	scope := ferry.Scope{Business: ferry.BusinessID(id), Env: env}
	return ferry.InUnit(ctx, e.units, func(ctx context.Context, tx store.Tx) (Tenant, error) {
		return e.createTenantIn(ctx, tx, scope, name, account, given)
	})
}

func (e *Engine) createTenantIn(
	ctx context.Context, tx store.Tx, scope ferry.Scope, name string, account bank.Account, given Credentials,
) (Tenant, error) {
	created, err := e.Businesses.CreateIn(ctx, tx, scope, business.CreateParams{
		Name: name,
		Keys: business.GivenKeys{Secret: given.SecretKey, Public: given.PublicKey, Widget: given.WidgetKey},
		SourceAccounts: []business.SourceAccount{{
			ID:            tx.NewID("bank_"),
			AccountNumber: account.AccountNumber,
			BankCode:      account.BankCode,
			BankName:      account.BankName,
			AccountName:   account.AccountName,
		}},
	})
	if err != nil {
		return Tenant{}, err
	}
	if err := funding.Register(ctx, tx, scope, account.AccountNumber); err != nil {
		return Tenant{}, err
	}
	secret, err := e.createEndpointIn(ctx, tx, scope, given.WebhookSecret)
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
	tenant, err := e.createTenant(ctx, ferry.Test, demoName, given)
	if err != nil {
		return Tenant{}, err
	}
	return tenant, e.FundNGN(ctx, tenant.Business.Scope, money.NGN(demoBalance))
}

// FundNGN sends naira to the source account of a test business through the
// simulated bank, and books what the bank then reports. A business that was made
// without CreateTenant has no such account: sandbox.ErrNoAccount.
func (e *Engine) FundNGN(ctx context.Context, scope ferry.Scope, amount money.Amount) error {
	b, err := e.Businesses.Business(ctx, scope)
	if err != nil {
		return err
	}
	if len(b.SourceAccounts) == 0 {
		return fmt.Errorf("engine: %s: %w", scope, sandbox.ErrNoAccount)
	}
	notice, err := e.World.Credit(ctx, sandbox.CreditParams{
		AccountNumber: b.SourceAccounts[0].AccountNumber,
		Amount:        amount,
		Narration:     "Funding",
	})
	if err != nil {
		return err
	}
	booked, err := e.AwaitCredit(ctx, scope.Env, notice.SessionID)
	if err == nil && !booked {
		err = fmt.Errorf("engine: session %s: %w", notice.SessionID, bank.ErrUnavailable)
	}
	return err
}

// creditLook is how often AwaitCredit looks again, in real time.
const creditLook = 50 * time.Millisecond

// AwaitCredit reads the bank's feed until a session is booked, and reports
// whether it was within 20 seconds.
func (e *Engine) AwaitCredit(ctx context.Context, env ferry.Env, session string) (bool, error) {
	waiting, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	for {
		e.drainOwn(waiting)
		booked, err := e.Funding.Booked(ctx, env, session)
		if err != nil || booked {
			return booked, err
		}
		select {
		case <-waiting.Done():
			return false, ctx.Err()
		case <-time.After(creditLook):
		}
	}
}
