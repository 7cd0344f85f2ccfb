package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets/custody"
)

// hold holds every environment that has a chain, before anything can be signed.
func (e *Engine) hold(ctx context.Context) error {
	for env := range each(e.providers, func(p Providers) chain.Chain { return p.Chain }) {
		if err := e.Custody.HoldOutflows(ctx, env, custody.HoldAsked); err != nil {
			return fmt.Errorf("engine: hold %s: %w", env, err)
		}
	}
	return nil
}

// Held reports whether money is kept from leaving an environment, by a hold or by the
// operator's stop, and says why and what it waits for. See docs/storage.md, "After a restore:
// hold mode", and docs/operations.md, "Stop all that leaves".
func (e *Engine) Held(ctx context.Context, env ferry.Env) (held bool, why string, err error) {
	h, err := e.Custody.OutflowHold(ctx, env)
	if err != nil || !h.InForce() {
		return false, "", err
	}
	var all []string
	if !h.Stopped.IsZero() {
		all = append(all, fmt.Sprintf("stopped by the operator since %s (%s), waits for him", h.Stopped.Format(time.RFC3339), h.StopReason))
	}
	if h.Held {
		all = append(all, fmt.Sprintf("%s since %s, %s", h.Reason, h.Since.Format(time.RFC3339), waitsFor(h)))
	}
	return true, strings.Join(all, "; "), nil
}

// waitsFor says what a hold waits for.
func waitsFor(h custody.OutflowHold) string {
	switch {
	case !h.Matched.IsZero():
		return "waits for unknown payments to be adopted"
	case h.After != "":
		return "reads the histories of addresses"
	}
	return "waits about five minutes until nothing signed before can still land"
}

// Outflows returns the payments on the chain that the store does not know, and that were
// not adopted.
func (e *Engine) Outflows(ctx context.Context, env ferry.Env) ([]custody.Outflow, error) {
	all := []custody.Outflow{}
	open := ferry.WalkKeys(func(after chain.Signature, limit int) ([]custody.Outflow, error) {
		return e.Custody.Outflows(ctx, env, after, limit)
	}, func(o custody.Outflow) chain.Signature { return o.Signature })
	for o, err := range open {
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

// AdoptAll adopts every unknown payment that can be, and returns those. An error
// of one does not stop the others.
func (e *Engine) AdoptAll(ctx context.Context, env ferry.Env) ([]custody.Outflow, error) {
	open, err := e.Outflows(ctx, env)
	adopted := []custody.Outflow{}
	for _, o := range open {
		booked, failed := e.Custody.Adopt(ctx, env, o.Signature)
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("adopt %s: %w", o.Signature, failed))
			continue
		}
		adopted = append(adopted, booked)
	}
	return adopted, err
}
