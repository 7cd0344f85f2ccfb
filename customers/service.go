package customers

import (
	"cmp"
	"context"
	"iter"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/seal"
)

// Config is what a Service is made with. A zero number means its default.
type Config struct {
	// Providers are the identity providers by environment. Without one,
	// verifications in that environment are refused with ErrNoProvider.
	Providers map[ferry.Env]kyc.Provider
	// Sealer encrypts identity numbers. Required.
	Sealer seal.Sealer
	// KeyInitiations is how many verifications one API key may initiate within an hour,
	// over all numbers and customers: 100.
	KeyInitiations int
	// Guesses is how often a business may name a number that is not on record within 24
	// hours, over all customers: 50. This process counts them.
	Guesses int
	// ProviderTimeout ends a call to a provider: 10 seconds of real time.
	ProviderTimeout time.Duration
	// Sequential lets no request wait for another one that asks the provider the same: it is
	// ErrUnavailable at once. It is for simulations, in which nothing goes on meanwhile.
	Sequential bool
}

const (
	// otpLife is how long a one-time password is accepted, and otpAttempts how often one
	// may be tried.
	otpLife     = 10 * time.Minute
	otpAttempts = 5
	// maxInitiations is how many verifications one customer, or one number when no customer
	// is named, may initiate within initiationWindow.
	maxInitiations   = 5
	initiationWindow = 24 * time.Hour
	keyWindow        = time.Hour
	guessWindow      = 24 * time.Hour
	retryUnavailable = 5 * time.Second
)

func (c Config) withDefaults() Config {
	c.KeyInitiations = cmp.Or(c.KeyInitiations, 100)
	c.Guesses = cmp.Or(c.Guesses, 50)
	c.ProviderTimeout = cmp.Or(c.ProviderTimeout, 10*time.Second)
	return c
}

// Service is the customers of all businesses. It is safe for concurrent use.
type Service struct {
	units   ferry.EnvUnits[Tx]
	config  Config
	guesses guesses
}

// New returns a Service over units.
func New(units ferry.EnvUnits[Tx], config Config) *Service {
	return &Service{units, config.withDefaults(), newGuesses()}
}

// Serves returns ErrNoProvider in an environment without an identity provider.
func (s *Service) Serves(env ferry.Env) error {
	_, err := s.provider(env)
	return err
}

func (s *Service) provider(env ferry.Env) (kyc.Provider, error) {
	return ferry.Provider(s.config.Providers, env, ErrNoProvider)
}

// Customer returns a customer of the scope, or ErrNotFound.
func (s *Service) Customer(ctx context.Context, scope ferry.Scope, id ID) (Customer, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Customer, error) {
		return CustomerKind.Get(ctx, tx, scope, id)
	})
}

// Masks opens a customer's numbers and returns what may be shown of them. It
// asks no store.
func (s *Service) Masks(c Customer) (Masks, error) {
	bvn, err := s.open(c.BVN, customerContext(c.Scope, kyc.BVN, c.ID))
	if err != nil {
		return Masks{}, err
	}
	nin, err := s.open(c.NIN, customerContext(c.Scope, kyc.NIN, c.ID))
	if err != nil {
		return Masks{}, err
	}
	return Masks{BVN: bvn.String(), NIN: nin.String()}, nil
}

// Filter keeps customers; the zero value keeps all.
type Filter struct {
	Type   Type
	Status Status
	// Email and Phone are compared in the form in which they are kept.
	Email, Phone string
	// Search keeps customers whose name or email contains it, in any case.
	Search string
	Range  ferry.Range
}

// List lists the customers of a scope, newest first. An unknown type or status
// is refused with ferry.ErrValidation.
func (s *Service) List(ctx context.Context, scope ferry.Scope, f Filter, page ferry.Page) (ferry.List[Customer], error) {
	f, err := f.normalized()
	if err != nil {
		return ferry.List[Customer]{}, err
	}
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (ferry.List[Customer], error) {
		return CustomerKind.Page(ctx, tx, scope, f.Query(), page)
	})
}

// All walks the customers of a scope that a filter keeps, newest first.
func (s *Service) All(ctx context.Context, scope ferry.Scope, f Filter) iter.Seq2[Customer, error] {
	return ferry.WalkList(ctx, s.List, scope, f, func(c Customer) string { return string(c.ID) })
}

// normalized returns f in the forms in which rows are kept.
func (f Filter) normalized() (Filter, error) {
	var problems ferry.Problems
	if f.Type != "" && f.Type != Individual && f.Type != Company {
		problems.Add("type", unknownType)
	}
	if f.Status != "" && f.Status != PendingVerification && f.Status != Verified && f.Status != Rejected {
		problems.Add("status", unknownStatus)
	}
	f.Email, f.Phone = foldEmail(f.Email), foldPhone(f.Phone)
	if f.Phone != "" && f.Phone[0] != '+' {
		f.Phone = "+" + f.Phone // an unescaped plus sign of a query reads as a space
	}
	return f, problems.Err()
}
