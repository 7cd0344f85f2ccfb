package checkout

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/payments/links"
)

// PayParams are the data of a payer of a link.
type PayParams struct {
	// Link is its id in either form, or Slug its slug.
	Link, Slug         string
	Email, Name, Phone string
	// Fields are the answers to the link's fields, by label.
	Fields map[string]string
	// Amount is in the link's own asset, for an open link.
	Amount money.Amount
	// Pages is that of CreateParams.
	Pages string `json:"-"`
}

// FindLink returns the link that p names, as it stands now. A scope without a
// business finds that of any, by its slug. Errors: links.ErrNotFound.
func (s *Service) FindLink(ctx context.Context, scope ferry.Scope, p PayParams) (links.Link, error) {
	read := func(ctx context.Context, tx Tx) (links.Link, error) { return findLink(ctx, tx, scope, p) }
	l, err := ferry.InRead(ctx, s.units.In(scope.Env), read)
	if err != nil || l.Scope.Env == scope.Env {
		return l, err
	}
	return ferry.InRead(ctx, s.units.In(l.Scope.Env), read) // by its own clock
}

func findLink(ctx context.Context, tx Tx, scope ferry.Scope, p PayParams) (links.Link, error) {
	if p.Link != "" && scope.Business != "" {
		l, err := links.Find(ctx, tx, scope, p.Link)
		if err == nil && p.Slug != "" && links.FoldSlug(p.Slug) != links.FoldSlug(l.Slug) {
			return links.Link{}, links.ErrNotFound
		}
		return l, err
	}
	l, err := links.LinkKind.Find(ctx, tx, links.BySlug, links.Link{Slug: p.Slug})
	if err == nil && scope.Business != "" && l.Scope != scope {
		return links.Link{}, links.ErrNotFound
	}
	return l.At(tx.Now()), err
}

// preparedLink is an order through a link that was priced.
type preparedLink struct {
	link  links.Link
	order prepared
}

// prepareLink checks the data of a payer of a link, and prices the order.
// Errors: those of Create, links.ErrNotActive.
func (s *Service) prepareLink(ctx context.Context, l links.Link, p PayParams) (preparedLink, error) {
	if l.Status != links.Active && l.Status != links.Completed {
		return preparedLink{}, links.ErrNotActive
	}
	amount := l.Amount
	if l.Type == links.Open {
		amount = p.Amount
	}
	collected, refused := collect(l, p)
	order, err := s.prepare(ctx, l.Scope, CreateParams{
		Variant: business.DialectA, TrxID: "link", Email: p.Email, Name: p.Name, Phone: p.Phone,
		Amount: amount, Collected: collected, Metadata: l.Metadata,
		Redirects: Redirects{Success: l.SuccessURL, Cancel: l.CancelURL}, Pages: p.Pages,
	})
	if refused != nil {
		return preparedLink{}, merged(refused, err)
	}
	return preparedLink{l, order}, err
}

const maxAnswer = 250

// collect checks the answers to the fields of a link. Those that the order has
// anyway need not be given twice.
func collect(l links.Link, p PayParams) (map[string]string, error) {
	var problems ferry.Problems
	known := map[string]string{"Email": p.Email, "Phone": p.Phone, "Name": p.Name}
	collected := map[string]string{}
	for _, label := range l.Fields {
		answer := p.Fields[label]
		if answer == "" {
			answer = known[label]
		}
		kept, problem := text.Line(answer, 1, maxAnswer)
		if kept == "" {
			problem = missing
		}
		problems.Note("fields."+label, problem)
		collected[label] = kept
	}
	if l.Type == links.Open && p.Amount != (money.Amount{}) && p.Amount.Asset() != l.Amount.Asset() {
		problems.Add("amount", "Must be in the link's own currency")
	}
	return collected, problems.Err()
}

// merged adds the fields that another check refuses.
func merged(refused, more error) error {
	all, _ := errors.AsType[*ferry.Error](refused)
	other, ok := errors.AsType[*ferry.Error](more)
	if all == nil || !ok || !errors.Is(other, ferry.ErrValidation) {
		return refused
	}
	for _, f := range other.Fields {
		all = all.About(f.Name, f.Message)
	}
	return all
}

// payLinkIn takes a place of a link and makes a session for it within a unit, under
// a trx_id of its own. Errors: those of Create, links.ErrNotActive,
// links.ErrLimitReached.
func (s *Service) payLinkIn(ctx context.Context, tx Tx, ready preparedLink) (Created, error) {
	l, err := links.LinkKind.Get(ctx, tx, ready.link.Scope, ready.link.ID)
	if err != nil {
		return Created{}, err
	}
	if err := links.TakeIn(ctx, tx, l); err != nil {
		return Created{}, err
	}
	if err := ready.order.standsIn(ctx, tx); err != nil {
		return Created{}, err
	}
	ready.order.params.TrxID = "pl_" + tx.NewID("")
	return s.fresh(ctx, tx, l.Scope, ready.order, l)
}

// PayLink takes a place of a link and makes a session for it, with the account that it
// offers. An order that got none takes no place. Errors: those of Create,
// links.ErrNotActive, links.ErrLimitReached.
func (s *Service) PayLink(ctx context.Context, l links.Link, p PayParams) (Created, error) {
	return operation.Run(ctx, s.PayLinkOp(l, p))
}

// PayLinkOp is PayLink as an operation, for engine.Do. A retry goes on with the session
// that was recorded, and keeps its place. With a key, a session whose bank did not answer
// stays, and is the result beside the error.
func (s *Service) PayLinkOp(l links.Link, p PayParams) ferry.Operation[Tx, Created] {
	params := struct {
		Link  links.ID
		Order PayParams
	}{l.ID, p}
	return s.opens("checkout.PayLink", l.Scope, params, func() *opening {
		var ready preparedLink
		return &opening{
			prepare: func(ctx context.Context) (_ business.Business, err error) {
				ready, err = s.prepareLink(ctx, l, p)
				return ready.order.business, err
			},
			create: func(ctx context.Context, tx Tx) (Created, error) { return s.payLinkIn(ctx, tx, ready) },
		}
	})
}
