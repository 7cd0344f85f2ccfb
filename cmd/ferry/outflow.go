package main

import (
	"context"
	"os"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/wire"
)

type outflowCommand struct {
	Stop   outflowStopCommand   `cmd:"" help:"Let no money leave: no transfer is signed or sent, no bank is asked for a payment. Binds all servers at once."`
	Resume outflowResumeCommand `cmd:"" help:"End a stop. What waited is sent. May run twice."`
	Status outflowStatusCommand `cmd:"" help:"Print whether money may leave, and why not."`

	Resolve outflowResolveCommand `cmd:"" help:"End a payment of which the bank reports another amount or account than it was told. May run twice."`
}

// outflowChoice names a store and the environments of it that are meant.
type outflowChoice struct {
	storeChoice

	Environment ferry.Env `help:"test or live. Both when it is left out." enum:"test,live," default:""`
}

// envs are the environments that are meant.
func (c outflowChoice) envs() []ferry.Env {
	if c.Environment == "" {
		return environments
	}
	return slices.DeleteFunc(slices.Clone(environments), func(env ferry.Env) bool { return env != c.Environment })
}

type outflowStopCommand struct {
	outflowChoice

	Reason string `required:"" help:"Why, for whoever comes next."`
}

type outflowResumeCommand struct{ outflowChoice }

type outflowStatusCommand struct{ outflowChoice }

// outflowView says whether money may leave an environment.
type outflowView struct {
	Environment ferry.Env         `json:"environment"`
	MayLeave    bool              `json:"may_leave"`
	Stopped     wire.OptionalTime `json:"stopped_at"`
	Reason      string            `json:"stop_reason,omitempty"`
	// Hold is the reason of a hold, which ends by itself once the chain is matched.
	Hold string `json:"hold,omitempty"`
}

type outflowResolveCommand struct {
	storeChoice

	Payment  string            `arg:"" help:"The payout item, fiat transfer, automatic refund, offramp or bill: its id, as reconcile prints it."`
	Decision disburse.Decision `arg:"" enum:"paid,not-paid" help:"paid: it is booked as it was ordered. not-paid: it fails, and its money is available again."`
	By       string            `required:"" help:"Who decides."`
	Reason   string            `required:"" help:"Why, for whoever comes next."`
	Session  string            `help:"The bank's session id of a payment that was made."`
}

// resolutionView is a resolution as it is printed.
type resolutionView struct {
	Environment ferry.Env         `json:"environment"`
	Business    ferry.BusinessID  `json:"business_id"`
	Payment     string            `json:"payment_id"`
	Decision    disburse.Decision `json:"decision"`
	Session     string            `json:"session_id,omitempty"`
	By          string            `json:"by"`
	Reason      string            `json:"reason"`
	At          wire.OptionalTime `json:"at"`
}

// Run ends the payment in whichever environment it is, and prints how.
func (c outflowResolveCommand) Run(ctx context.Context) error {
	r, err := wherever(ctx, c.storeChoice, disburse.ErrNoPayment, func(e *engine.Engine, env ferry.Env) (disburse.Resolution, error) {
		return e.Resolve(ctx, env, disburse.Resolution{
			ID: c.Payment, Decision: c.Decision, SessionID: c.Session, By: c.By, Reason: c.Reason,
		})
	})
	if err != nil {
		return err
	}
	return printJSON(os.Stdout, resolutionView{
		r.Scope.Env, r.Scope.Business, r.ID, r.Decision, r.SessionID, r.By, r.Reason, wire.OptionalTime(r.CreatedAt),
	})
}

// Run stops what leaves, and prints how each environment stands.
func (c outflowStopCommand) Run(ctx context.Context) error {
	return c.each(ctx, func(e *engine.Engine, env ferry.Env) error { return e.Custody.StopOutflows(ctx, env, c.Reason) })
}

// Run ends the stop, and prints how each environment stands.
func (c outflowResumeCommand) Run(ctx context.Context) error {
	return c.each(ctx, func(e *engine.Engine, env ferry.Env) error { return e.Custody.ResumeOutflows(ctx, env) })
}

// Run prints how each environment stands.
func (c outflowStatusCommand) Run(ctx context.Context) error {
	return c.each(ctx, func(*engine.Engine, ferry.Env) error { return nil })
}

// each does something in the chosen environments, and prints how they stand then.
func (c outflowChoice) each(ctx context.Context, do func(*engine.Engine, ferry.Env) error) error {
	all := []outflowView{}
	err := c.inspect(ctx, func(e *engine.Engine) error {
		for _, env := range c.envs() {
			if err := do(e, env); err != nil {
				return err
			}
			h, err := e.Custody.OutflowHold(ctx, env)
			if err != nil {
				return err
			}
			view := outflowView{Environment: env, MayLeave: !h.InForce(), Stopped: wire.OptionalTime(h.Stopped), Reason: h.StopReason}
			if h.Held {
				view.Hold = string(h.Reason)
			}
			all = append(all, view)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return printJSON(os.Stdout, map[string][]outflowView{"environments": all})
}
