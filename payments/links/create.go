package links

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/money"
)

const (
	maxTitle       = 100
	maxDescription = 500
	maxFields      = 10
	maxField       = 50
)

// CreateParams describe a new link.
type CreateParams struct {
	// Policy is the dialect in which it is asked for.
	Policy business.Dialect
	// Type is Fixed when it is empty.
	Type     Type
	Currency string
	// Amount is required of a fixed link. Of an open one it is a suggestion to the payer,
	// which only policy A takes.
	Amount             money.Amount
	Title, Description string
	// Slug is random when it is empty.
	Slug string
	// QuantityLimit is at least 1; nil is any number.
	QuantityLimit *int64
	// Fields are Address, Phone and Email under policy A, any labels under B.
	Fields                []string
	ExpiresAt             time.Time
	SuccessURL, CancelURL string
	Metadata              ferry.Metadata
}

// Create makes a link: active under policy A, pending under B. Errors:
// ferry.ErrValidation, ErrInvalidCurrency, and ErrSlugTaken under policy A.
func (s *Service) Create(ctx context.Context, scope ferry.Scope, p CreateParams) (Link, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Link, error) {
		return s.CreateIn(ctx, tx, scope, p)
	})
}

// CreateIn is Create within a unit.
func (s *Service) CreateIn(ctx context.Context, tx Tx, scope ferry.Scope, p CreateParams) (Link, error) {
	b, err := business.Of(ctx, tx, scope)
	if err != nil {
		return Link{}, err
	}
	l, err := p.link(tx.Now(), b)
	if err != nil {
		return Link{}, err
	}
	if err := s.config.Takes(b, l.Amount.Asset()); err != nil {
		return Link{}, err
	}
	if l.Slug, err = chooseSlug(ctx, tx, p.Policy, p.Slug); err != nil {
		return Link{}, err
	}
	l.ID, l.Scope, l.Status = ID(tx.NewID(Prefix)), scope, l.lifecycle().Initial
	l.CreatedAt, l.UpdatedAt = tx.Now(), tx.Now()
	if l, err = LinkKind.Add(ctx, tx, l); err != nil || l.ExpiresAt.IsZero() {
		return l, err
	}
	return l, tx.Leases().Schedule(ctx, QueueExpiry.In(l.Scope.Env), dueKey(l), l.ExpiresAt)
}

// link checks p and returns the link it describes.
func (p CreateParams) link(now time.Time, b business.Business) (Link, error) {
	var problems ferry.Problems
	l := Link{
		Policy: p.Policy, Type: p.Type, Amount: p.Amount, ExpiresAt: p.ExpiresAt,
		SuccessURL: p.SuccessURL, CancelURL: p.CancelURL,
		Fields: slices.Clone(p.Fields), Metadata: ferry.Metadata(nil).Merge(p.Metadata),
	}
	if l.Type == "" {
		l.Type = Fixed
	}
	var problem string
	if l.Title, problem = text.Line(p.Title, 1, maxTitle); l.Title == "" {
		problem = missing
	}
	problems.Note("title", problem)
	if l.Description, problem = text.Paragraph(p.Description, maxDescription); problem != "" {
		problems.Add("description", problem)
	}
	p.checkAmount(l.Type, &problems)
	checkSlug(p.Slug, &problems)
	p.checkFields(&problems)
	if p.QuantityLimit != nil {
		if l.QuantityLimit = *p.QuantityLimit; l.QuantityLimit < 1 {
			problems.Add("quantity_limit", "Must be at least 1")
		}
	}
	if !p.ExpiresAt.IsZero() && !now.Before(p.ExpiresAt) {
		problems.Add("expires_at", "Must be in the future")
	}
	checkURL(b, "success_url", p.SuccessURL, &problems)
	checkURL(b, "cancel_url", p.CancelURL, &problems)
	p.Metadata.Check("metadata", &problems)
	if err := problems.Err(); err != nil {
		return Link{}, err
	}
	asset, err := money.ParseAsset(p.Currency)
	if err != nil {
		return Link{}, ErrInvalidCurrency
	}
	if l.Type == Open {
		l.Amount = money.Of(asset, p.Amount.Minor())
	}
	return l, nil
}

const missing = "Missing required field"

func (p CreateParams) checkAmount(t Type, problems *ferry.Problems) {
	if p.Currency == "" {
		problems.Add("currency", missing)
	}
	_, unknown := money.ParseAsset(p.Currency)
	switch {
	case t == Open && p.Policy != business.DialectA && !p.Amount.IsZero():
		problems.Add("amount", "Is for the payer of an open link to say")
	case t == Open && p.Amount.IsZero():
	case t != Fixed && t != Open:
		problems.Add("type", "Must be fixed or open")
	case p.Amount == money.Amount{} && (unknown == nil || p.Currency == ""):
		problems.Add("amount", missing)
	case unknown == nil && p.Amount.Sign() <= 0:
		problems.Add("amount", "Must be greater than 0")
	case unknown == nil && p.Amount.AboveCeiling():
		problems.Add("amount", p.Amount.CeilingProblem())
	}
}

// askedByA are the fields that policy A knows.
var askedByA = []string{"Address", "Phone", "Email"}

func (p CreateParams) checkFields(problems *ferry.Problems) {
	if len(p.Fields) > maxFields {
		problems.Add("fields", fmt.Sprintf("Must have at most %d labels", maxFields))
		return
	}
	for i, label := range p.Fields {
		name := fmt.Sprintf("fields.%d", i)
		_, problem := text.Line(label, 1, maxField)
		switch {
		case problem != "":
			problems.Add(name, problem)
		case p.Policy == business.DialectA && !slices.Contains(askedByA, label):
			problems.Add(name, "Must be "+strings.Join(askedByA, ", "))
		case slices.Contains(p.Fields[:i], label):
			problems.Add(name, "Is named twice")
		}
	}
}

func checkURL(b business.Business, field, url string, problems *ferry.Problems) {
	if url != "" {
		problems.Note(field, b.RefusesRedirect(url))
	}
}
