package checkout

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/links"
)

// PayParams are what somebody says who pays through a link.
type PayParams struct {
	// Link is its id in either form, or Slug its slug.
	Link, Slug         string
	Email, Name, Phone string
	// Fields are the answers to the link's fields, by label.
	Fields map[string]string
	// Amount is in the link's own asset, for an open link.
	Amount money.Amount
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
	l, err := tx.Links().Find(ctx, links.BySlug, links.Link{Slug: p.Slug})
	if err == nil && scope.Business != "" && l.Scope != scope {
		return links.Link{}, links.ErrNotFound
	}
	return l.At(tx.Now()), err
}

// PreparedLink is an order through a link that was priced.
type PreparedLink struct {
	link  links.Link
	order Prepared
}

// PrepareLink checks what somebody says who pays through a link, and prices it.
// Errors: those of Prepare, links.ErrNotActive.
func (s *Service) PrepareLink(ctx context.Context, l links.Link, p PayParams) (PreparedLink, error) {
	if l.Status != links.Active && l.Status != links.Completed {
		return PreparedLink{}, links.ErrNotActive
	}
	amount := l.Amount
	if l.Type == links.Open {
		amount = p.Amount
	}
	collected, refused := collect(l, p)
	order, err := s.Prepare(ctx, l.Scope, CreateParams{
		Variant: business.DialectA, TrxID: "link", Email: p.Email, Name: p.Name, Phone: p.Phone,
		Amount: amount, Collected: collected, Metadata: l.Metadata,
		Redirects: Redirects{Success: l.SuccessURL, Cancel: l.CancelURL},
	})
	if refused != nil {
		return PreparedLink{}, merged(refused, err)
	}
	return PreparedLink{l, order}, err
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
		switch {
		case kept == "":
			problems.Add("fields."+label, missing)
		case problem != "":
			problems.Add("fields."+label, problem)
		}
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

// PayLinkIn takes a place of a link and makes a session for it within a unit, under
// a trx_id of its own. Errors: those of CreateIn, links.ErrNotActive,
// links.ErrLimitReached.
func (s *Service) PayLinkIn(ctx context.Context, tx Tx, ready PreparedLink) (Created, error) {
	l, err := tx.Links().Get(ctx, ready.link.Scope, ready.link.ID)
	if err != nil {
		return Created{}, err
	}
	if err := links.TakeIn(ctx, tx, l); err != nil {
		return Created{}, err
	}
	ready.order.params.TrxID = "pl_" + tx.NewID("")
	return s.fresh(ctx, tx, l.Scope, ready.order, l)
}

// PayLink is PrepareLink and PayLinkIn, with the account that the session offers. What
// got none takes no place.
func (s *Service) PayLink(ctx context.Context, l links.Link, p PayParams) (Created, error) {
	ready, err := s.PrepareLink(ctx, l, p)
	if err != nil {
		return Created{}, err
	}
	made, err := ferry.InUnit(ctx, s.units.In(l.Scope.Env), func(ctx context.Context, tx Tx) (Created, error) {
		return s.PayLinkIn(ctx, tx, ready)
	})
	if err != nil {
		return Created{}, err
	}
	open, err := s.withAccount(ctx, made)
	if err == nil {
		return open, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abandonTime)
	defer cancel()
	return Created{}, errors.Join(err, s.units.In(l.Scope.Env).Write(ctx, func(ctx context.Context, tx Tx) error {
		return s.AbandonIn(ctx, tx, made.Session)
	}))
}

// abandonTime is how long it may take to free a place, also of a caller who is gone.
const abandonTime = 4 * time.Second

// AbandonIn frees the place of a session that was made for a link and of which its payer
// was told nothing but a fault. Nobody else can go on with it.
func (s *Service) AbandonIn(ctx context.Context, tx Tx, made Session) error {
	if made.Link == "" {
		return nil
	}
	_, err := s.CancelIn(ctx, tx, made.Scope, made.Ref())
	if errors.Is(err, ferry.Conflict) {
		return nil // it has ended
	}
	return err
}
