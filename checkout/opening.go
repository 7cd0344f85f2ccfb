package checkout

import (
	"context"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/provider/bank"
)

// opening is one run of an operation that makes a session: it is recorded, the bank is
// asked for its account, and the account is attached. A retry goes on with the session
// that was recorded. One that is to reuse a session recorded none, and reuses it again.
type opening struct {
	service *Service
	scope   ferry.Scope
	// requested is the trx_id that is asked for, if any.
	requested string
	prepare   func(context.Context) (business.Business, error)
	create    func(context.Context, Tx) (Created, error)
	// owner is the business, unless the session was recorded by an earlier run.
	owner business.Business

	made    Created
	account bank.Account
	refused error
}

// opens returns an operation whose runs are what begin returns.
func (s *Service) opens(name string, scope ferry.Scope, params any, begin func() *opening) ferry.Operation[Tx, Created] {
	return ferry.Operation[Tx, Created]{
		Name: name, Scope: scope, Params: params, Units: s.units.Of(scope),
		Begin: func() ferry.Steps[Tx, Created] {
			run := begin()
			run.service, run.scope = s, scope
			return ferry.Steps[Tx, Created]{
				Prepare: run.ask, Record: run.record, Act: run.act, Conclude: run.conclude, Abandon: run.abandon, Recall: run.recall,
			}
		},
	}
}

func (r *opening) ask(ctx context.Context, resource string) (err error) {
	if resource == "" { // else it was priced before
		r.owner, err = r.prepare(ctx)
	}
	return err
}

func (r *opening) record(ctx context.Context, tx Tx, resource string) (_ ferry.Step[Created], err error) {
	if resource != "" {
		r.made, err = r.recall(ctx, tx, resource)
	} else {
		r.made, err = r.create(ctx, tx)
	}
	if err != nil {
		return ferry.Step[Created]{}, err
	}
	if !r.made.Session.NeedsAccount() {
		return done(r.made), nil
	}
	step := ferry.Step[Created]{Open: true}
	if !r.made.Reused {
		step.Resource = string(r.made.Session.ID)
	}
	return step, nil
}

func (r *opening) act(ctx context.Context) {
	if r.owner.Version == 0 {
		if r.owner, r.refused = r.service.businessOf(ctx, r.scope); r.refused != nil {
			return
		}
	}
	r.account, r.refused = r.service.askAccount(ctx, r.made.Session, r.owner)
}

func (r *opening) conclude(ctx context.Context, tx Tx) (ferry.Step[Created], error) {
	if r.refused != nil {
		return ferry.Step[Created]{Resource: string(r.made.Session.ID), Out: r.made, Refused: r.refused}, nil
	}
	made := r.made
	var err error
	made.Session, err = attachIn(ctx, tx, made.Session, r.account)
	return done(made), err
}

// abandon frees the place of a session that was made for a link, when its payer got an
// error. No other request can continue it.
func (r *opening) abandon(ctx context.Context, tx Tx) error {
	if r.made.Session.Link == "" {
		return nil
	}
	_, err := r.service.CancelIn(ctx, tx, r.made.Session.Scope, r.made.Session.Ref())
	if ferry.KindOf(err) == ferry.Conflict {
		return nil // it has ended
	}
	return err
}

// done is the end of an opening. Its resource is the id of the session, and behind it
// the methods of an order that reuses it.
func done(made Created) ferry.Step[Created] {
	resource := string(made.Session.ID)
	if made.Reused {
		resource += " "
		for _, m := range made.Methods {
			resource += string(m) + " "
		}
	}
	return ferry.Step[Created]{Resource: resource, Out: made}
}

func (r *opening) recall(ctx context.Context, tx Tx, resource string) (Created, error) {
	id, methods, reused := strings.Cut(resource, " ")
	session, err := SessionKind.Get(ctx, tx, r.scope, ID(id))
	made := Created{Session: session, Reused: reused, Requested: session.TrxID}
	if !reused {
		return made, err
	}
	made.Requested = r.requested
	for m := range strings.FieldsSeq(methods) {
		made.Methods = append(made.Methods, business.PaymentMethod(m))
	}
	return made, err
}
