package accounts

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/provider/bank"
)

// ReservedParams describe a reserved account.
type ReservedParams struct {
	Currency string
	// IdentityID names a verified identity of the business.
	IdentityID   string
	Email, Phone string
}

// Check adds what is wrong with the fields of p.
func (p ReservedParams) Check(problems *ferry.Problems) {
	checkCurrency(p.Currency, problems)
	if p.IdentityID == "" {
		problems.Add("identity_id", missing)
	}
	switch _, ok := text.Email(p.Email); {
	case p.Email == "":
		problems.Add("email", missing)
	case !ok:
		problems.Add("email", "Invalid email format")
	}
	switch phone := bare(p.Phone); {
	case phone == "":
		problems.Add("phone_number", missing)
	case !phonePattern.MatchString(phone):
		problems.Add("phone_number", "Invalid phone format")
	}
}

// bare is a phone number without what people put between its digits.
func bare(phone string) string {
	return strings.NewReplacer(" ", "", "-", "").Replace(text.Clean(phone))
}

// check brings p into the form in which it is kept.
func (p *ReservedParams) check() error {
	var problems ferry.Problems
	p.Check(&problems)
	p.Email, _ = text.Email(p.Email)
	p.Phone = bare(p.Phone)
	if err := problems.Err(); err != nil {
		return err
	}
	return onlyNaira(p.Currency)
}

// identity returns the verified identity that p names.
func (p ReservedParams) identity(ctx context.Context, tx Tx, scope ferry.Scope) (customers.Identity, error) {
	id, ok := ferry.CanonicalID("idn_", p.IdentityID)
	if !ok {
		return customers.Identity{}, customers.ErrIdentityNotFound
	}
	return customers.VerifiedIdentity(ctx, tx, scope, customers.IdentityID(id))
}

// contactsOf refuses contacts that are not those of the customer of an identity. An
// identity of no customer has none to compare with.
func (p ReservedParams) contactsOf(ctx context.Context, tx Tx, identity customers.Identity) error {
	if identity.CustomerID == "" {
		return nil
	}
	c, err := customers.CustomerKind.Get(ctx, tx, identity.Scope, identity.CustomerID)
	if err != nil {
		return err
	}
	var problems ferry.Problems
	const foreign = "Must be that of the identity's customer"
	if p.Email != c.Email {
		problems.Add("email", foreign)
	}
	if international(p.Phone) != international(c.Phone) {
		problems.Add("phone_number", foreign)
	}
	return problems.Err()
}

// international is a bare phone number with the code of Nigeria in the place of a
// leading zero.
func international(phone string) string {
	if local, ok := strings.CutPrefix(phone, "0"); ok {
		return "+234" + local
	}
	return phone
}

// opening is a reserved account whose bank account is still to be opened. Its id is
// the key by which the bank opens no more than one.
type opening struct {
	id     ID
	scope  ferry.Scope
	params ReservedParams
	name   string // that the identity was verified under
}

// prepareReservedIn checks within a unit what a reserved account is asked for with,
// and writes nothing. An empty id is a new account; a request that is taken up again
// names the account that it began. Errors: those of CreateReserved.
func (s *Service) prepareReservedIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID, p ReservedParams) (opening, error) {
	if err := p.check(); err != nil {
		return opening{}, err
	}
	if _, err := s.bank(scope.Env); err != nil {
		return opening{}, err
	}
	identity, err := p.identity(ctx, tx, scope)
	if err != nil {
		// In an environment that cannot verify, an initiation would not help.
		return opening{}, cmp.Or(s.config.Verifies(scope.Env), err)
	}
	if err := p.contactsOf(ctx, tx, identity); err != nil {
		return opening{}, err
	}
	if id == "" {
		id = ID(tx.NewID(prefixes[Reserved]))
	}
	return opening{id, scope, p, identity.VerifiedName}, nil
}

// issueReserved opens the bank's side of a reserved account, outside any unit. The
// same opening is the same account. Errors: ErrUnavailable.
func (s *Service) issueReserved(ctx context.Context, o opening) (bank.Account, error) {
	return s.issue(ctx, o.scope, "reserved/"+o.scope.String()+"/"+string(o.id), o.name)
}

// CreateReserved issues a reserved account. Errors: ferry.ErrValidation,
// ErrInvalidCurrency, customers.ErrIdentityNotFound, customers.ErrNotVerified,
// customers.ErrNoProvider, ErrUnavailable.
func (s *Service) CreateReserved(ctx context.Context, scope ferry.Scope, p ReservedParams) (Account, error) {
	return operation.Run(ctx, s.CreateReservedOp(scope, p))
}

// CreateReservedOp is CreateReserved as an operation, for engine.Do. It names the account,
// asks the bank to open it, and records it. A retry goes on with the account that was
// named, so that the bank opens one.
func (s *Service) CreateReservedOp(scope ferry.Scope, p ReservedParams) ferry.Operation[Tx, Account] {
	return ferry.Operation[Tx, Account]{
		Name: "accounts.CreateReserved", Scope: scope, Params: p, Units: s.units.Of(scope),
		Begin: func() ferry.Steps[Tx, Account] {
			var o opening
			var issued bank.Account
			var refused error
			return ferry.Steps[Tx, Account]{
				Record: func(ctx context.Context, tx Tx, resource string) (_ ferry.Step[Account], err error) {
					o, err = s.prepareReservedIn(ctx, tx, scope, ID(resource), p)
					return ferry.Step[Account]{Resource: string(o.id), Open: true}, err
				},
				Act: func(ctx context.Context) { issued, refused = s.issueReserved(ctx, o) },
				Conclude: func(ctx context.Context, tx Tx) (_ ferry.Step[Account], err error) {
					step := ferry.Step[Account]{Resource: string(o.id), Refused: refused}
					if refused == nil {
						step.Out, err = s.createReservedIn(ctx, tx, o, issued)
					}
					return step, err
				},
				Recall: recall(scope),
			}
		},
	}
}

// createReservedIn records a reserved account with what issueReserved opened.
// An account that was created meanwhile is returned as it is.
func (s *Service) createReservedIn(ctx context.Context, tx Tx, o opening, issued bank.Account) (Account, error) {
	made, err := AccountKind.Get(ctx, tx, o.scope, o.id)
	if !errors.Is(err, ErrNotFound) {
		return made, err
	}
	identity, err := o.params.identity(ctx, tx, o.scope)
	if err != nil {
		return Account{}, err
	}
	a := newAccount(tx, o.scope, Reserved, issued)
	a.ID, a.Reference = o.id, string(o.id)
	a.Identity, a.Customer, a.Email, a.Phone = identity.ID, identity.CustomerID, o.params.Email, o.params.Phone
	return AccountKind.Add(ctx, tx, a)
}
