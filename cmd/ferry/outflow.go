package main

import (
	"context"
	"os"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/wire"
)

type outflowCommand struct {
	Stop   outflowStopCommand   `cmd:"" help:"Let no money leave: no transfer is signed or sent, no bank is asked for a payment. Binds all servers at once."`
	Resume outflowResumeCommand `cmd:"" help:"End a stop. What waited is sent. May run twice."`
	Status outflowStatusCommand `cmd:"" help:"Print whether money may leave, and why not."`
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
