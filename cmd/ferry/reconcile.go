package main

import (
	"context"
	"errors"
	"os"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/wallets/custody"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

type reconcileCommand struct {
	chainChoice

	Adopt bool `help:"Book payments that the chain has and the store does not know, and end a hold that waits for that."`
}

// reconciliation is what reconcile prints: what is wrong, what is under way, what
// waits for an approval, and the sums that were compared.
type reconciliation struct {
	Clean        bool          `json:"clean"`
	Findings     []findingView `json:"findings"`
	InFlight     []findingView `json:"in_flight"`
	Waiting      []findingView `json:"waiting"`
	Unknown      []paymentView `json:"unknown_payments"`
	Adopted      []paymentView `json:"adopted,omitempty"`
	Environments []comparison  `json:"environments"`
}

// comparison is an environment beside the outside world.
type comparison struct {
	Environment ferry.Env         `json:"environment"`
	At          wire.OptionalTime `json:"at"`
	Held        string            `json:"held,omitempty"`    // why nothing leaves
	Missing     []string          `json:"missing,omitempty"` // what it has no provider of: "chain", "bank"
	Chain       struct {
		Slot      uint64 `json:"slot"`
		Addresses int    `json:"addresses"`
		Holds     string `json:"holds"`
		Books     string `json:"books"`
	} `json:"chain"`
	Bank struct {
		Credits int    `json:"credits"`
		Told    string `json:"told"`
		Books   string `json:"books"`
	} `json:"bank"`
}

// paymentView is a payment that the store did not know.
type paymentView struct {
	Environment ferry.Env         `json:"environment"`
	Signature   string            `json:"signature"`
	From        string            `json:"from"`
	To          string            `json:"to"`
	Amount      string            `json:"amount"`
	Transfer    string            `json:"transfer,omitempty"`
	At          wire.OptionalTime `json:"at"`
}

// Run compares the books of a store with the chain and the bank and prints what
// it has found.
func (c reconcileCommand) Run(ctx context.Context) error {
	var found reconciliation
	err := c.inspect(ctx, func(e *engine.Engine) (err error) {
		found, err = c.reconcile(ctx, e)
		return err
	})
	return exitWith(err, found.Clean, found)
}

func (c reconcileCommand) reconcile(ctx context.Context, e *engine.Engine) (reconciliation, error) {
	all := reconciliation{
		Findings: []findingView{}, InFlight: []findingView{}, Waiting: []findingView{}, Unknown: []paymentView{}, Environments: []comparison{},
	}
	for _, env := range environments {
		if !e.Serves(env) {
			continue
		}
		if c.Adopt {
			if err := all.adopt(ctx, e, env); err != nil {
				return all, err
			}
		}
		if err := all.compare(ctx, e, env); err != nil {
			return all, err
		}
	}
	all.Clean = len(all.Findings) == 0 && len(all.Unknown) == 0
	return all, nil
}

// adopt books the unknown payments and ends a hold. A payment that cannot be adopted yet
// is listed with the other findings.
func (r *reconciliation) adopt(ctx context.Context, e *engine.Engine, env ferry.Env) error {
	adopted, err := e.AdoptAll(ctx, env)
	r.Adopted = append(r.Adopted, viewPayments(adopted)...)
	if released := e.Custody.ReleaseOutflows(ctx, env); !errors.Is(released, outgoing.ErrHeld) {
		err = errors.Join(err, released)
	}
	return err
}

func (r *reconciliation) compare(ctx context.Context, e *engine.Engine, env ferry.Env) error {
	found, err := e.Reconcile(ctx, env)
	if err != nil {
		return err
	}
	unknown, err := e.Outflows(ctx, env)
	if err != nil {
		return err
	}
	_, held, err := e.Held(ctx, env)
	if err != nil {
		return err
	}
	c := comparison{Environment: env, At: wire.OptionalTime(found.At), Held: held, Missing: found.Missing}
	c.Chain.Slot, c.Chain.Addresses = found.Chain.Slot, found.Chain.Addresses
	c.Chain.Holds, c.Chain.Books = found.Chain.OnChain.String(), found.Chain.Custody.String()
	c.Bank.Credits = found.Bank.Credits
	c.Bank.Told, c.Bank.Books = found.Bank.Told.String(), found.Bank.Booked.String()
	r.Environments = append(r.Environments, c)
	r.Unknown = append(r.Unknown, viewPayments(unknown)...)
	r.Findings = append(r.Findings, viewFindings(env, found.Findings)...)
	r.InFlight = append(r.InFlight, viewFindings(env, found.InFlight)...)
	r.Waiting = append(r.Waiting, viewFindings(env, found.Waiting)...)
	return nil
}

func viewPayments(all []custody.Outflow) []paymentView {
	views := make([]paymentView, 0, len(all))
	for _, o := range all {
		views = append(views, paymentView{
			o.Env, string(o.Signature), string(o.From), string(o.To), o.Amount.String(), string(o.Transfer), wire.OptionalTime(o.At),
		})
	}
	return views
}

// exitWith prints a result, and returns the error that has the exit code of
// audit and reconcile.
func exitWith(err error, clean bool, result any) error {
	if err == nil {
		err = printJSON(os.Stdout, result)
	}
	if err != nil {
		return exitError{err, exitCannotTell}
	}
	if !clean {
		return exitError{errFindings, exitFindings}
	}
	return nil
}
