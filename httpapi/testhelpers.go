package httpapi

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/sandbox"
)

const tagHelpers = "Test helpers"

func (a *api) helperRoutes() []route {
	return []route{
		helper(post, "deposits", outside(a.deposit), about{
			id: "simulateDeposit", scope: business.Collect, summary: "Send tokens on the chain to an address", message: "Deposit sent",
		}),
		helper(post, "fund", outside(a.fund), about{
			id: "fund", scope: business.Manage, summary: "Credit the business's naira, or a wallet's USDC", message: "Funded",
		}),
		helper(post, "bank_credits", outside(a.bankCredit), about{
			id: "simulateBankCredit", scope: business.Collect, summary: "Send naira to a bank account of a business", message: "Credit sent",
			prose: []string{"narration"},
		}),
		helper(post, "payments", outside(a.drivePayment), about{
			id: "drivePayment", scope: business.Collect, summary: "Drive an attempt to pay a session", message: "Payment driven",
		}),
		helper(post, "bank_outcomes", outside(a.setBankOutcome), about{
			id: "setBankOutcome", scope: business.Manage, summary: "Say what the bank does with payments to an account or of a reference", message: "Outcome set",
		}),
		helper(post, "bill_outcomes", outside(a.setBillOutcome), about{
			id: "setBillOutcome", scope: business.Manage, summary: "Say what the biller does with purchases for a number or of a reference", message: "Outcome set",
		}),
		helper(post, "rates", outside(a.setRates), about{
			id: "setRates", scope: business.Manage, summary: "Say what one USDC costs from now on", message: "Rates set",
		}),
		helper(post, "faults", outside(a.injectFault), about{
			id: "injectFault", scope: business.Manage, summary: "Make the next calls of a provider fail", message: "Fault injected",
		}),
		helper(get, "faults", query(a.faults), about{
			id: "listFaults", summary: "List the kinds of faults", message: "Faults retrieved successfully",
		}),
		helper(post, "businesses", secretOutside(a.createTenant, a.createdTenant), about{
			id: "createBusiness", scope: business.Manage, secret: true, summary: "Make another business", message: "Business created successfully",
		}),
		helper(get, "clock", query(a.clock), about{
			id: "getClock", summary: "Read the sandbox's time", message: "Clock retrieved successfully",
		}),
		helper(post, "clock/advance", outside(a.advanceClock), about{
			id: "advanceClock", scope: business.Manage, summary: "Move the clock and do what is due on the way", message: "Clock advanced",
		}),
		helper(post, "drain", outside(a.drain), about{
			id: "drain", scope: business.Manage, summary: "Do what is due until nothing is", message: "Drained",
		}),
		helper(post, "reset", query(a.reset), about{
			id: "reset", scope: business.Manage, summary: "Empty the sandbox, but for the demo business and its keys", message: "Sandbox reset",
		}),
		helper(get, "otp", query(a.otp), about{
			id: "getOTP", summary: "Read the one-time password that was sent for a number", message: "OTP retrieved successfully",
		}),
		helper(get, "explain", query(a.explain), about{
			id: "explain", summary: "Say why something is not paid or not done", message: "Explained",
		}),
		helper(get, "audit", query(a.audit), about{
			id: "audit", summary: "Hold the books against themselves and the world", message: "Audit completed",
		}),
	}
}

// helper is a route for the code of tests.
func helper(method func(string, action, about) route, name string, o action, a about) route {
	a.tag, a.sandbox = tagHelpers, true
	return method("/v1/test_helpers/"+name, o, a)
}

type faultInput struct {
	Target string `json:"target" required:"true" enum:"chain,bank,kyc,rates,biller,receiver" eg:"kyc"`
	Kind   string `json:"kind" required:"true" doc:"One of those that GET lists for the target" eg:"unavailable"`
	Count  *int   `json:"count" doc:"How many calls fail; 0 disarms, by default 1" min:"0" eg:"2"`
}

func (a *api) injectFault(ctx context.Context, _ *call, in faultInput) (faultView, error) {
	count := 1
	if in.Count != nil {
		count = *in.Count
	}
	if in.Target == string(sandbox.TargetChain) && a.engine.RealChain() {
		return faultView{}, engine.ErrRealChain
	}
	err := a.engine.World.Inject(ctx, sandbox.Target(in.Target), sandbox.Kind(in.Kind), count)
	if errors.Is(err, sandbox.ErrUnknownFault) {
		err = ferry.ErrValidation.About("kind", "Must be one that GET /v1/test_helpers/faults lists for the target")
	}
	return faultView{in.Target, in.Kind, count}, err
}

func (a *api) faults(context.Context, *call, struct{}) ([]knownFaultView, error) {
	known := a.engine.World.Faults()
	views := make([]knownFaultView, 0, len(known))
	for _, f := range known {
		if f.Target == sandbox.TargetChain && a.engine.RealChain() {
			continue
		}
		views = append(views, knownFaultView{string(f.Target), string(f.Kind), f.Description})
	}
	return views, nil
}

type tenantInput struct {
	Name string `json:"name" required:"true" eg:"Bola's shop"`
}

func (a *api) createTenant(ctx context.Context, c *call, in tenantInput) (tenantView, error) {
	made, err := a.engine.CreateTenant(ctx, c.scope.Env, in.Name)
	c.resource = string(made.Business.Scope.Business)
	return tenantView{c.resource, made.SecretKey, made.PublicKey, made.WidgetKey, made.WebhookSecret, made.StandardWebhookSecret()}, err
}

// createdTenant answers again without the credentials.
func (a *api) createdTenant(id string) tenantView { return tenantView{BusinessID: id} }

func (a *api) clock(context.Context, *call, struct{}) (clockView, error) {
	return clockView{timestamp(a.engine.Clock(ferry.Test).Now())}, nil
}

type advanceInput struct {
	Seconds *int64 `json:"seconds" required:"true" doc:"0 goes on with what was not done" min:"0" max:"315360000" eg:"3600"`
}

func (a *api) advanceClock(ctx context.Context, _ *call, in advanceInput) (progressView, error) {
	progress, err := a.engine.Advance(ctx, time.Duration(*in.Seconds)*time.Second)
	return progressView{timestamp(progress.Now), progress.Done}, err
}

func (a *api) drain(ctx context.Context, _ *call, _ struct{}) (progressView, error) {
	progress, err := a.engine.Drain(ctx)
	return progressView{timestamp(progress.Now), progress.Done}, err
}

// reset keeps no idempotency key: it empties those, too, and doing it twice is
// doing it once.
func (a *api) reset(ctx context.Context, _ *call, _ struct{}) (clockView, error) {
	err := a.engine.Reset(ctx)
	return clockView{timestamp(a.engine.Clock(ferry.Test).Now())}, err
}

type otpQuery struct {
	Number string `query:"number" required:"true"`
}

func (a *api) otp(ctx context.Context, _ *call, in otpQuery) (otpView, error) {
	otp, sent, err := a.engine.World.OTP(ctx, in.Number)
	if err == nil && !sent {
		err = errNotFound.Saying("No one-time password was sent for this number")
	}
	return otpView{otp}, err
}

func (a *api) audit(ctx context.Context, c *call, _ struct{}) (auditView, error) {
	found, err := a.engine.Audit(ctx, c.scope.Env)
	view := auditView{len(found) == 0, make([]findingView, 0, len(found))}
	for _, f := range found {
		view.Findings = append(view.Findings, viewFinding(f))
	}
	return view, err
}

type faultView struct {
	Target string `json:"target" eg:"kyc"`
	Kind   string `json:"kind" eg:"unavailable"`
	Count  int    `json:"count" eg:"2"`
}

type knownFaultView struct {
	Target      string `json:"target" eg:"kyc"`
	Kind        string `json:"kind" eg:"unavailable"`
	Description string `json:"description" eg:"The provider does nothing and answers nothing"`
}

type tenantView struct {
	BusinessID     string `json:"business_id" eg:"biz_019cadd4569875d7a1b61a53693e7f0f"`
	SecretKey      string `json:"secret_key,omitempty" doc:"Shown in this one answer, like the others" eg:"sk_test_9sYQnVqTtVb3m1e2Wk6c8xJ0hD4fL7uA5rG2oZ1pXwE"`
	PublicKey      string `json:"public_key,omitempty" eg:"pk_test_9sYQnVqTtVb3m1e2Wk6c8xJ0hD4fL7uA5rG2oZ1pXwE"`
	WidgetKey      string `json:"widget_key,omitempty" eg:"rwpk_test_9sYQnVqTtVb3m1e2Wk6c8xJ0hD4fL7uA5rG2oZ1pXwE"`
	WebhookSecret  string `json:"webhook_secret,omitempty" eg:"whsec_test_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="`
	StandardSecret string `json:"standard_webhook_secret,omitempty" doc:"The same for libraries of Standard Webhooks" eg:"whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="`
}

type clockView struct {
	Now timestamp `json:"now" eg:"2026-03-02T09:15:00.120Z"`
}

type progressView struct {
	Now  timestamp `json:"now" eg:"2026-03-02T10:15:00.120Z"`
	Done bool      `json:"done" doc:"Whether nothing is left to do" eg:"true"`
}

type otpView struct {
	OTP string `json:"otp" eg:"123456"`
}

type auditView struct {
	Clean    bool          `json:"clean" eg:"true"`
	Findings []findingView `json:"findings" eg:"[]"`
}

// findingView is one thing that does not agree.
type findingView struct {
	Check   string `json:"check" eg:"balance"`
	Subject string `json:"subject" eg:"test/biz_019c/NGN"`
	Problem string `json:"problem" eg:"running sum is 1 NGN, balance after is 2 NGN"`
}

func viewFinding(f ledger.Finding) findingView { return findingView{f.Check, f.Subject, f.Text} }
