package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets/custody"
	"github.com/ferrypay/ferry/wallets/deposits"
	"github.com/ferrypay/ferry/webhook"
)

// ErrUnknownName says that a business has nothing of a name.
var ErrUnknownName = ferry.NewError(ferry.NotFound, "not_found", "This business has nothing with that id, reference, address or number")

// Explain says why something of a business is not paid or not done: what is missing, what is
// awaited, what was refused, and what can be done. name is an id in either form, a reference, a
// trx_id, an address on the chain, the signature of a transfer or of a deposit, the number of an account,
// or a bank session. When it names several records, Also has the others. It changes nothing. Errors:
// ErrUnknownName, ferry.ErrValidation.
func (e *Engine) Explain(ctx context.Context, scope ferry.Scope, name string) (explain.Explanation, error) {
	if err := scope.Check(); err != nil {
		return explain.Explanation{}, err
	}
	if name == "" {
		return explain.Explanation{}, ferry.ErrValidation.About("id", "Missing required field")
	}
	return ferry.InRead(ctx, e.units.Of(scope), func(ctx context.Context, tx store.Tx) (explain.Explanation, error) {
		x, err := e.explainIn(ctx, tx, scope, name)
		if err != nil {
			return explain.Explanation{}, err
		}
		return *x, nil
	})
}

// explainIn explains a record, and joins what several domains know of it.
func (e *Engine) explainIn(ctx context.Context, tx store.Tx, scope ferry.Scope, name string) (*explain.Explanation, error) {
	x, err := e.find(ctx, tx, scope, name)
	if err != nil {
		return nil, err
	}
	if x.Leaves {
		if err := explainHold(ctx, tx, x, scope.Env); err != nil {
			return nil, err
		}
	}
	return x, webhook.ExplainNewest(ctx, tx, x, scope, cmp.Or(x.Events, x.ID))
}

// find returns what the domains say of a name. A domain knows more than those below it, and answers
// first; a record of which the name is the id comes before records of which it is the reference. By
// the signature of a deposit the order is meant that it paid, if there is one.
func (e *Engine) find(ctx context.Context, tx store.Tx, scope ferry.Scope, name string) (*explain.Explanation, error) {
	found, err := e.findAll(ctx, tx, scope, name)
	if err == nil && len(found) == 0 {
		found, err = e.findLine(ctx, tx, scope, name)
	}
	if err == nil {
		found, err = e.withPaid(ctx, tx, scope, name, found)
	}
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, ErrUnknownName
	}
	meant := max(0, slices.IndexFunc(found, func(x *explain.Explanation) bool { return x.ID == name || ferry.UID(x.ID) == name }))
	x := found[meant]
	for _, other := range found {
		for _, also := range append([]explain.Named{{Resource: other.Resource, ID: other.ID}}, other.Also...) {
			if also.ID != x.ID && !slices.Contains(x.Also, also) {
				x.Also = append(x.Also, also)
			}
		}
	}
	return x, nil
}

// findAll returns what each domain says of a name, the higher ones first.
func (e *Engine) findAll(ctx context.Context, tx store.Tx, scope ferry.Scope, name string) (found []*explain.Explanation, err error) {
	for _, d := range slices.Backward(e.domains) {
		if d.explain == nil {
			continue
		}
		x, err := d.explain(ctx, tx, scope, name)
		switch {
		case errors.Is(err, ferry.NotFound):
		case err != nil:
			return nil, err
		default:
			found = append(found, x)
		}
	}
	return found, nil
}

// findLine finds what a line of the list of all money belongs to: by the reference that the line has
// of the bank or of the chain, or by its own id.
func (e *Engine) findLine(ctx context.Context, tx store.Tx, scope ferry.Scope, name string) ([]*explain.Explanation, error) {
	line, err := statement.Kind.Find(ctx, tx, statement.ByReference, statement.Transaction{Scope: scope, Reference: name})
	if id, ok := ferry.CanonicalID(statement.Prefix, name); ok && errors.Is(err, statement.ErrNotFound) {
		line, err = statement.Kind.Get(ctx, tx, scope, statement.ID(id))
	}
	if errors.Is(err, statement.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, of := range []string{line.TrxID, line.Source, line.Reference} {
		if of == "" || of == name {
			continue
		}
		if found, err := e.findAll(ctx, tx, scope, of); err != nil || len(found) > 0 {
			return found, err
		}
	}
	return nil, nil
}

// withPaid adds the payments that a session of the bank or a signature of the chain paid: before the
// deposit that it is, and after the return of what was too much.
func (e *Engine) withPaid(ctx context.Context, tx store.Tx, scope ferry.Scope, name string, found []*explain.Explanation) ([]*explain.Explanation, error) {
	returned := len(found) > 0 && found[0].Resource == payments.ReturnResource
	if len(found) > 0 && found[0].Resource != deposits.Resource && !returned {
		return found, nil
	}
	paid, err := e.findPaid(ctx, tx, scope, name)
	if returned {
		return append(found, paid...), err
	}
	return append(paid, found...), err
}

// findPaid finds the payments that a session of the bank or a signature of the chain paid.
func (e *Engine) findPaid(ctx context.Context, tx store.Tx, scope ferry.Scope, name string) (found []*explain.Explanation, err error) {
	var known []payments.ID
	for receipt, err := range payments.ReceiptKind.Walk(ctx, tx, payments.ReceiptsFrom(name)) {
		if err != nil {
			return nil, err
		}
		if receipt.Scope != scope || slices.Contains(known, receipt.Payment) {
			continue
		}
		known = append(known, receipt.Payment)
		paid, err := e.findAll(ctx, tx, scope, string(receipt.Payment))
		if err != nil {
			return nil, err
		}
		found = append(found, paid...)
	}
	return found, nil
}

// explainHold adds that no money leaves an environment, if that is so.
func explainHold(ctx context.Context, tx store.Tx, x *explain.Explanation, env ferry.Env) error {
	h, err := custody.OutflowHoldKind.GetOr(ctx, tx, custody.OutflowHold{Env: env})
	if err != nil {
		return err
	}
	if !h.Stopped.IsZero() {
		x.Await(explain.Operator, "stopped", time.Time{}, "The operator has stopped all money that leaves, since %s.", h.Stopped)
		x.Do(explain.Operator, "stopped", "ferry outflow resume ends the stop, and ferry outflow status names its reason.")
	}
	if h.Held {
		x.Await(explain.Engine, "held", time.Time{}, "No money leaves until chain and store are compared, since %s.", h.Since)
	}
	return nil
}

// explainer explains the record of a business that a name leads to. Errors: of ferry.NotFound.
type explainer func(ctx context.Context, tx store.Tx, scope ferry.Scope, name string) (*explain.Explanation, error)

// explained is the explainer of a domain, which sees only its part of a unit.
func explained[T any](by func(context.Context, T, ferry.Scope, string) (*explain.Explanation, error)) explainer {
	return func(ctx context.Context, tx store.Tx, scope ferry.Scope, name string) (*explain.Explanation, error) {
		return by(ctx, ferry.Whole[T](tx), scope, name)
	}
}
