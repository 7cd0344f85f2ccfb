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

// Tenant is a new business with its credentials, which nothing tells again.
type Tenant struct {
	Business      business.Business
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
		return e.createTenantIn(ctx, tx, scope, name, account)
	})
}

func (e *Engine) createTenantIn(ctx context.Context, tx store.Tx, scope ferry.Scope, name string, account bank.Account) (Tenant, error) {
	created, err := e.Businesses.CreateIn(ctx, tx, scope, business.CreateParams{
		Name: name,
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
	secret, err := e.Webhooks.EnsureEndpointIn(ctx, tx, scope)
	if err != nil {
		return Tenant{}, err
	}
	return Tenant{
		Business:      created.Business,
		SecretKey:     created.Secret.Secret,
		PublicKey:     created.Public.Secret,
		WidgetKey:     created.Widget.Secret,
		WebhookSecret: secret,
	}, nil
}

// Demo is what Bootstrap makes: a business with 1,000,000.00 NGN.
const (
	demoName    = "Demo business"
	demoBalance = 1_000_000_00
)

// Bootstrap makes the demo business of a sandbox and funds it, so that there is
// something to try at once.
func (e *Engine) Bootstrap(ctx context.Context) (Tenant, error) {
	tenant, err := e.CreateTenant(ctx, ferry.Test, demoName)
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
