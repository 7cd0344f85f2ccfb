package bills

import (
	"context"
	"errors"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/biller"
)

// Providers returns the companies of a service. Errors: ErrUnavailable, and biller.ErrNone in an
// environment without a biller.
func (s *Service) Providers(ctx context.Context, env ferry.Env, service biller.Service) ([]biller.Provider, error) {
	b, err := s.biller(env)
	if err != nil {
		return nil, err
	}
	all, err := b.Providers(ctx, service)
	return all, unanswered(err)
}

// Products returns what a company sells within a service, or all its companies when none is
// named. Errors: those of Providers, and ferry.ErrValidation naming a company that is not known.
func (s *Service) Products(ctx context.Context, env ferry.Env, service biller.Service, provider string) (all []biller.Product, err error) {
	companies, err := s.Providers(ctx, env, service)
	if err != nil {
		return nil, err
	}
	if provider != "" && !slices.ContainsFunc(companies, func(p biller.Provider) bool { return p.Code == provider }) {
		return nil, unknownProvider
	}
	for _, p := range companies {
		if provider != "" && p.Code != provider {
			continue
		}
		products, err := s.config.Sending.Billers[env].Products(ctx, service, p.Code)
		if err != nil {
			return nil, unanswered(err)
		}
		all = append(all, products...)
	}
	return all, nil
}

var unknownProvider = ferry.ErrValidation.About("provider", "Is no provider of this service")

// Verified is a number of a provider, in the form in which it is kept, and whom it belongs to:
// nobody is named for the number of a phone.
type Verified struct {
	biller.Target
	biller.Customer
}

// Verify returns whom a number belongs to. For electricity, p names the vend type or the product;
// for all else the product does not matter, and may be empty. Errors: those of Create but for what
// is about money.
func (s *Service) Verify(ctx context.Context, env ferry.Env, p Params) (v Verified, err error) {
	var problems ferry.Problems
	p.checkTarget(&problems)
	if err := problems.Err(); err != nil {
		return v, err
	}
	product := biller.Product{Service: p.Service, Provider: p.Provider, Code: p.Product}
	if p.Service == biller.Utility || p.Product != "" {
		product, err = s.productOf(ctx, env, p)
	} else {
		_, err = s.Products(ctx, env, p.Service, p.Provider)
	}
	if err != nil {
		return v, err
	}
	v.Target = p.target(product)
	v.Customer, err = s.customerOf(ctx, env, p, product)
	return v, err
}

// productOf returns the one product that p means.
func (s *Service) productOf(ctx context.Context, env ferry.Env, p Params) (biller.Product, error) {
	all, err := s.Products(ctx, env, p.Service, p.Provider)
	if err != nil {
		return biller.Product{}, err
	}
	all = slices.DeleteFunc(slices.Clone(all), func(is biller.Product) bool {
		return p.Product != "" && is.Code != p.Product || p.VendType != "" && is.Category != p.VendType
	})
	switch {
	case len(all) == 1:
		return all[0], nil
	case len(all) == 0:
		return biller.Product{}, ferry.ErrValidation.About(p.naming(), "Is no product of this provider")
	}
	return biller.Product{}, ferry.ErrValidation.About(p.naming(), missing)
}

// naming is the field by which a request names its product.
func (p Params) naming() string {
	if p.Service == biller.Utility && p.Product == "" {
		return "vend_type"
	}
	return "product"
}

// customerOf returns whom the number of p belongs to.
func (s *Service) customerOf(ctx context.Context, env ferry.Env, p Params, product biller.Product) (biller.Customer, error) {
	b, err := s.biller(env)
	if err != nil {
		return biller.Customer{}, err
	}
	customer, err := b.Verify(ctx, p.target(product))
	if errors.Is(err, biller.ErrNoCustomer) {
		return customer, ferry.ErrValidation.About("number", "Belongs to no customer of this provider")
	}
	return customer, unanswered(err)
}

func (s *Service) biller(env ferry.Env) (biller.Biller, error) {
	return ferry.Provider(s.config.Sending.Billers, env, biller.ErrNone)
}

// unanswered is ErrUnavailable for an error of a biller.
func unanswered(err error) error {
	if err == nil {
		return nil
	}
	return ErrUnavailable.Because(err)
}
