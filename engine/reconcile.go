package engine

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bankfeed"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/custody"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// Reconciliation is the books of an environment beside the outside world.
type Reconciliation struct {
	Env ferry.Env
	At  time.Time
	// Chain compares the addresses on the chain with custody, Bank the bank's feed with
	// the books, and Returns the bank's returns with the books.
	Chain custody.Reconciliation
	Bank  bankfeed.Reconciliation
	// Payouts, Transfers, Refunds and Offramps compare the bank's payments with the books.
	Returns, Payouts, Transfers, Refunds, Offramps disburse.Reconciliation
	// Bills compares what the biller has sold with the books.
	Bills disburse.Reconciliation
	// Findings are what is wrong; none means clean. InFlight differs only
	// because it is under way. Waiting are payments that nobody has approved yet: no bank was
	// asked for them.
	Findings, InFlight, Waiting []ledger.Finding
	// Missing names what there is nothing to compare with: the environment has no
	// "chain", no "bank" or no "biller".
	Missing []string
}

// Clean reports whether nothing is wrong.
func (r Reconciliation) Clean() bool { return len(r.Findings) == 0 }

// Reconcile compares an environment with its chain, its bank and its biller, as far as it has them,
// and the custody that is compared with the chain with the ledger. It moves no money and
// changes nothing. Errors: ErrNoEnvironment, those of the providers.
func (e *Engine) Reconcile(ctx context.Context, env ferry.Env) (Reconciliation, error) {
	r := Reconciliation{Env: env, At: e.clocks.In(env).Now(), Findings: []ledger.Finding{}, InFlight: []ledger.Finding{}, Waiting: []ledger.Finding{}}
	if !e.Serves(env) {
		return r, ErrNoEnvironment
	}
	for _, part := range []string{partChain, partBank, partBiller} {
		if err := r.compared(part, e.compare(ctx, &r, part)); err != nil {
			return r, err
		}
	}
	for _, audit := range []func(context.Context, wallets.Tx, ferry.Env) ([]ledger.Finding, error){outgoing.Audit, custody.Audit} {
		found, err := ferry.InRead(ctx, e.units.In(env), func(ctx context.Context, tx store.Tx) ([]ledger.Finding, error) {
			return audit(ctx, tx, env)
		})
		if err != nil {
			return r, err
		}
		r.Findings = append(r.Findings, found...)
	}
	return r, nil
}

// compared notes a part for which the environment has no provider. Any other error
// stays.
func (r *Reconciliation) compared(part string, err error) error {
	if errors.Is(err, ferry.ErrNoProvider) {
		r.Missing = append(r.Missing, part)
	}
	return ferry.UnlessLacking(err)
}

// comparison holds the books of a domain against a part of the outside world.
type comparison struct {
	// with is the part: partChain, partBank or partBiller.
	with string
	run  func(ctx context.Context, r *Reconciliation) error
	// act, if not nil, does what the regular comparison does about its findings.
	act func(ctx context.Context, r *Reconciliation) error
}

// compare makes the comparisons of all domains with a part, in their order.
func (e *Engine) compare(ctx context.Context, r *Reconciliation, part string) error {
	return e.eachComparison(part, func(c *comparison) error { return c.run(ctx, r) })
}

// act does what follows from the findings.
func (e *Engine) act(ctx context.Context, r *Reconciliation, part string) error {
	return e.eachComparison(part, func(c *comparison) error {
		if c.act == nil {
			return nil
		}
		return c.act(ctx, r)
	})
}

func (e *Engine) eachComparison(part string, do func(*comparison) error) error {
	for _, d := range e.domains {
		if d.compare == nil || d.compare.with != part {
			continue
		}
		if err := do(d.compare); err != nil {
			return err
		}
	}
	return nil
}

// compareChain compares the addresses with custody.
func (e *Engine) compareChain(ctx context.Context, r *Reconciliation) (err error) {
	if r.Chain, err = e.Custody.Reconcile(ctx, r.Env); err != nil {
		return err
	}
	for _, drift := range r.Chain.Drifts {
		r.Findings = append(r.Findings, drift.Finding())
	}
	r.InFlight = append(r.InFlight, r.Chain.InFlight...)
	return nil
}

// freezeDrifting stops addresses that drift for the second time from sending.
func (e *Engine) freezeDrifting(ctx context.Context, r *Reconciliation) error {
	_, err := e.Custody.Freeze(ctx, r.Env, r.Chain.Drifts)
	return err
}

// compareFeed compares the feed of the bank with what was booked.
func (e *Engine) compareFeed(ctx context.Context, r *Reconciliation) (err error) {
	if r.Bank, err = e.BankFeed.Reconcile(ctx, r.Env); err != nil {
		return err
	}
	r.Findings = append(r.Findings, r.Bank.Findings...)
	r.InFlight = append(r.InFlight, r.Bank.InFlight...)
	return nil
}

// compareReturns compares what went back through the bank with what was booked.
func (e *Engine) compareReturns(ctx context.Context, r *Reconciliation) (err error) {
	if r.Returns, err = e.Payments.Reconcile(ctx, r.Env); err != nil {
		return err
	}
	r.Findings = append(r.Findings, r.Returns.Findings...)
	r.InFlight = append(r.InFlight, r.Returns.InFlight...)
	return nil
}

// comparePayouts compares what was paid out through the bank with what was booked.
func (e *Engine) comparePayouts(ctx context.Context, r *Reconciliation) (err error) {
	if r.Payouts, err = e.Payouts.Reconcile(ctx, r.Env); err != nil {
		return err
	}
	return e.notePayments(ctx, r, r.Payouts, payoutStands)
}

// compareTransfers compares what fiat transfers sent through the bank with what was booked.
func (e *Engine) compareTransfers(ctx context.Context, r *Reconciliation) (err error) {
	if r.Transfers, err = e.Transfers.Reconcile(ctx, r.Env); err != nil {
		return err
	}
	return e.notePayments(ctx, r, r.Transfers, transferStands)
}

// compareRefunds compares what was refunded through the bank with what was booked.
func (e *Engine) compareRefunds(ctx context.Context, r *Reconciliation) (err error) {
	if r.Refunds, err = e.Refunds.Reconcile(ctx, r.Env); err != nil {
		return err
	}
	return e.notePayments(ctx, r, r.Refunds, refundStands)
}

// compareOfframps compares what offramps paid through the bank with what was booked.
func (e *Engine) compareOfframps(ctx context.Context, r *Reconciliation) (err error) {
	if r.Offramps, err = e.Offramps.Reconcile(ctx, r.Env); err != nil {
		return err
	}
	return e.notePayments(ctx, r, r.Offramps, offrampStands)
}

// compareBills compares what was bought of the biller with what was booked.
func (e *Engine) compareBills(ctx context.Context, r *Reconciliation) (err error) {
	if r.Bills, err = e.Bills.Reconcile(ctx, r.Env, r.At); err != nil {
		return err
	}
	return e.notePayments(ctx, r, r.Bills, billStands)
}

// QueueReconcile is the queue of regular comparisons with the outside world, so
// that of several servers one does each. Its keys are environment and part.
const QueueReconcile lease.Kind = "engine.reconcile"

// The parts of a regular comparison, and how often each is done: the chain is
// read address by address, the feed of the bank from its beginning.
const (
	partChain  = "chain"
	partBank   = "bank"
	partBiller = "biller"

	everyChain  = 10 * time.Minute
	everyBank   = 6 * time.Hour
	everyBiller = 6 * time.Hour
	// reconcileLease is how long one may take before another server does it.
	reconcileLease = 10 * time.Minute
)

var parts = map[string]time.Duration{partChain: everyChain, partBank: everyBank, partBiller: everyBiller}

// reconcileDue makes the comparisons that are due, and returns how many.
func (e *Engine) reconcileDue(ctx context.Context, limit int) (int, error) {
	if err := e.scheduleReconcile(ctx); err != nil {
		return 0, err
	}
	return lease.RunDue(ctx, e.units, QueueReconcile, reconcileLease, limit, e.reconcilePart)
}

// scheduleReconcile makes every part due some time after the first pass of this
// process, unless it is due earlier.
func (e *Engine) scheduleReconcile(ctx context.Context) error {
	e.reconciling.Lock()
	defer e.reconciling.Unlock()
	if e.scheduled {
		return nil
	}
	for env := range e.providers {
		err := e.units.In(env).Write(ctx, func(ctx context.Context, tx store.Tx) error {
			for part, every := range parts {
				if err := tx.Leases().Schedule(ctx, QueueReconcile.In(env), string(env)+"/"+part, tx.Now().Add(every)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	e.scheduled = true
	return nil
}

// reconcilePart does one part, acts on what it found, and makes it due again.
func (e *Engine) reconcilePart(ctx context.Context, claim lease.Claim) error {
	env, part, _ := strings.Cut(claim.Key, "/")
	r := Reconciliation{Env: ferry.Env(env), At: e.clocks.In(ferry.Env(env)).Now()}
	var err error
	if e.Serves(r.Env) {
		if err = e.compare(ctx, &r, part); err == nil {
			err = e.act(ctx, &r, part)
		}
	}
	for _, f := range r.Findings {
		e.logger.ErrorContext(ctx, "the books differ from the outside world", "env", env, "check", f.Check, "subject", f.Subject, "text", f.Text)
	}
	if err = r.compared(part, err); err == nil && len(r.Missing) == 0 {
		e.noteReconciled(claim.Key, ReconcileStats{Env: r.Env, Part: part, At: r.At, Findings: len(r.Findings), InFlight: len(r.InFlight)})
	}
	return errors.Join(err, lease.IgnoreLost(e.units.In(r.Env).Write(ctx, func(ctx context.Context, tx store.Tx) error {
		return tx.Leases().Retry(ctx, claim, tx.Now().Add(parts[part]))
	})))
}

// ReconcileStats is what the last regular comparison in this process found.
type ReconcileStats struct {
	Env                ferry.Env
	Part               string
	At                 time.Time
	Findings, InFlight int
}

func (e *Engine) noteReconciled(key string, s ReconcileStats) {
	e.reconciling.Lock()
	defer e.reconciling.Unlock()
	e.reconciled[key] = s
}

// forgetReconciled drops what this process knows of comparisons.
func (e *Engine) forgetReconciled() {
	e.reconciling.Lock()
	defer e.reconciling.Unlock()
	clear(e.reconciled)
	e.scheduled = false
}
