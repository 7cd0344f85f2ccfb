package accounts

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/provider/bank"
)

const missing = "Missing required field"

var phonePattern = regexp.MustCompile(`^(?:\+[1-9][0-9]{6,14}|0[0-9]{10})$`)

// VirtualParams describe a virtual account.
type VirtualParams struct {
	Currency  string
	Reference string
	// Amount is in naira; none is any sum.
	Amount money.Amount
	// ValidFor is in seconds, at most a day; nil is 15 minutes.
	ValidFor *int64
}

const (
	// defaultValid is how long a virtual account lives that does not say, and maxValid
	// the longest life in seconds.
	defaultValid = 15 * time.Minute
	maxValid     = 24 * 60 * 60
)

// Check adds what is wrong with the fields of p.
func (p VirtualParams) Check(problems *ferry.Problems) {
	checkCurrency(p.Currency, problems)
	switch {
	case p.Reference == "":
		problems.Add("reference", missing)
	default:
		problems.Note("reference", text.Reference(p.Reference))
	}
	switch {
	case p.Amount == money.Amount{}:
	case p.Amount.Asset() != money.AssetNGN:
		problems.Add("amount", "Must be in naira")
	case p.Amount.Sign() <= 0:
		problems.Add("amount", "Must be greater than 0")
	case p.Amount.AboveCeiling():
		problems.Add("amount", p.Amount.CeilingProblem())
	}
}

func (p VirtualParams) check() error {
	var problems ferry.Problems
	p.Check(&problems)
	if p.ValidFor != nil && (*p.ValidFor < 1 || *p.ValidFor > maxValid) {
		problems.Add("validFor", fmt.Sprintf("Must be 1 to %d seconds", maxValid))
	}
	if err := problems.Err(); err != nil {
		return err
	}
	return onlyNaira(p.Currency)
}

func (p VirtualParams) validFor() time.Duration {
	if p.ValidFor == nil {
		return defaultValid
	}
	return time.Duration(*p.ValidFor) * time.Second
}

func checkCurrency(currency string, problems *ferry.Problems) {
	if currency == "" {
		problems.Add("currency", missing)
	}
}

func onlyNaira(currency string) error {
	if asset, err := money.ParseAsset(currency); err != nil || asset != money.AssetNGN {
		return ErrInvalidCurrency
	}
	return nil
}

// issueVirtual opens the bank's side of a virtual account, outside any unit. The
// same reference is the same account. Errors: those of CreateVirtual.
func (s *Service) issueVirtual(ctx context.Context, scope ferry.Scope, p VirtualParams) (bank.Account, error) {
	if err := scope.Check(); err != nil {
		return bank.Account{}, err
	}
	if err := p.check(); err != nil {
		return bank.Account{}, err
	}
	name, err := ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (string, error) {
		if _, err := AccountKind.Find(ctx, tx, ByReference, Referred(scope, Virtual, p.Reference)); err == nil {
			return "", ErrDuplicateReference
		}
		b, err := business.Of(ctx, tx, scope)
		return b.Name, err
	})
	if err != nil {
		return bank.Account{}, err
	}
	return s.issue(ctx, scope, "virtual/"+scope.String()+"/"+p.Reference, name)
}

func (s *Service) issue(ctx context.Context, scope ferry.Scope, key, name string) (bank.Account, error) {
	b, err := s.bank(scope.Env)
	if err != nil {
		return bank.Account{}, err
	}
	account, err := b.OpenAccount(ctx, key, name)
	if err != nil {
		return bank.Account{}, ErrUnavailable.Because(err)
	}
	return account, nil
}

// CreateVirtual issues a virtual account. Errors: ferry.ErrValidation,
// ErrInvalidCurrency, ErrDuplicateReference, ErrUnavailable.
func (s *Service) CreateVirtual(ctx context.Context, scope ferry.Scope, p VirtualParams) (Account, error) {
	return operation.Run(ctx, s.CreateVirtualOp(scope, p))
}

// CreateVirtualOp is CreateVirtual as an operation, for engine.Do.
func (s *Service) CreateVirtualOp(scope ferry.Scope, p VirtualParams) ferry.Operation[Tx, Account] {
	return ferry.Operation[Tx, Account]{
		Name: "accounts.CreateVirtual", Scope: scope, Params: p, Units: s.units.Of(scope),
		Begin: ferry.InOneUnit(
			func(ctx context.Context) (bank.Account, error) { return s.issueVirtual(ctx, scope, p) },
			func(ctx context.Context, tx Tx, issued bank.Account) (Account, error) {
				return createVirtualIn(ctx, tx, scope, p, issued)
			},
			func(a Account) string { return string(a.ID) },
			recall(scope),
		),
	}
}

// recall reads an account by its id.
func recall(scope ferry.Scope) func(context.Context, Tx, string) (Account, error) {
	return func(ctx context.Context, tx Tx, id string) (Account, error) {
		return AccountKind.Get(ctx, tx, scope, ID(id))
	}
}

// createVirtualIn records a virtual account with what issueVirtual opened.
func createVirtualIn(ctx context.Context, tx Tx, scope ferry.Scope, p VirtualParams, issued bank.Account) (Account, error) {
	a := newAccount(tx, scope, Virtual, issued)
	a.Reference, a.ValidFor, a.ExpiresAt = p.Reference, p.validFor(), tx.Now().Add(p.validFor())
	a.Amount = money.NGN(p.Amount.Minor())
	a, err := AccountKind.Add(ctx, tx, a)
	if err != nil {
		return Account{}, err
	}
	return a, tx.Leases().Schedule(ctx, QueueExpiry.In(a.Scope.Env), dueKey(a), a.ExpiresAt)
}

func newAccount(tx Tx, scope ferry.Scope, kind Kind, issued bank.Account) Account {
	return Account{
		ID: ID(tx.NewID(prefixes[kind])), Scope: scope, Kind: kind, Status: Active, Bank: issued,
		Amount: money.NGN(0), Received: money.NGN(0), CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
}
