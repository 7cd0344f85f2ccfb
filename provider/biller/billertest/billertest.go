// Package billertest is the executable contract of the port in package biller.
//
//	func TestMine(t *testing.T) {
//		billertest.Run(t, func(t *testing.T) billertest.Subject { return open(t) })
//	}
package billertest

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/biller"
)

// Subject is a biller under test, and what a test knows of its customers.
type Subject interface {
	Biller() biller.Biller
	// Known is a number of a service that a bill can be bought for.
	Known(biller.Service) string
}

// Decider is a Subject that brings purchases into a state.
type Decider interface {
	// Decide makes purchases for a number reach a state: those that are in progress, and those
	// that the biller is asked for from now on.
	Decide(ctx context.Context, number string, state biller.State) error
	// Nobody is a number of a service that belongs to nobody.
	Nobody(biller.Service) string
}

// Faulty is a Subject that goes wrong on request.
type Faulty interface {
	// Inject makes the next count calls that the fault applies to go wrong.
	// Errors: ErrNoFault.
	Inject(ctx context.Context, fault Fault, count int) error
}

// ErrNoFault says that a subject cannot go wrong in that way.
var ErrNoFault = errors.New("billertest: no such fault")

// Fault is a way to go wrong.
type Fault string

const (
	// Unavailable: the call has no effect and no answer.
	Unavailable Fault = "unavailable"
	// AnswerLost: the bill is bought, and the answer is lost.
	AnswerLost Fault = "answer_lost"
)

// Run tests a biller. open returns a fresh subject.
func Run(t *testing.T, open func(t *testing.T) Subject) {
	start := func(t *testing.T) *stage {
		s := open(t)
		return &stage{s, t, t.Context(), s.Biller()}
	}
	t.Run("Catalogue", func(t *testing.T) { testCatalogue(t, start) })
	t.Run("Customers", func(t *testing.T) { testCustomers(t, start) })
	t.Run("Purchases", func(t *testing.T) { testPurchases(t, start) })
	t.Run("Lost", func(t *testing.T) { testLost(t, start) })
}

type stage struct {
	Subject
	t      *testing.T
	ctx    context.Context
	biller biller.Biller
}

// products returns all that is sold within a service.
func (s *stage) products(service biller.Service) (all []biller.Product) {
	providers, err := s.biller.Providers(s.ctx, service)
	require.NoError(s.t, err)
	for _, p := range providers {
		products, err := s.biller.Products(s.ctx, service, p.Code)
		require.NoError(s.t, err)
		require.NotEmpty(s.t, products, "a company without products is none that a bill can be bought of")
		all = append(all, products...)
	}
	return all
}

// order is a purchase of a product of the catalogue.
func (s *stage) order(key string, p biller.Product) biller.Purchase {
	amount := p.Price
	if amount.IsZero() {
		amount = p.Least
	}
	return biller.Purchase{
		Key: key, Amount: amount, Reference: "bill-7",
		Target: biller.Target{Service: p.Service, Provider: p.Provider, Product: p.Code, Number: s.Known(p.Service)},
	}
}

// first is a purchase of the first product of a service.
func (s *stage) first(key string, service biller.Service) biller.Purchase {
	s.t.Helper()
	all := s.products(service)
	if len(all) == 0 {
		s.t.Skipf("the subject sells no %s", service)
	}
	return s.order(key, all[0])
}

func (s *stage) buy(order biller.Purchase) biller.Outcome {
	got, err := s.biller.Buy(s.ctx, order)
	require.NoError(s.t, err)
	return got
}

func (s *stage) outcome(key string) biller.Outcome {
	got, err := s.biller.Outcome(s.ctx, key)
	require.NoError(s.t, err)
	return got
}

// decider is the subject, or skips the test of one that decides nothing.
func (s *stage) decider() Decider {
	d, ok := s.Subject.(Decider)
	if !ok {
		s.t.Skip("NOT TESTED, and needed before live money: the Subject is no Decider, which brings purchases into the state that a test names")
	}
	return d
}

func (s *stage) decide(service biller.Service, state biller.State) {
	require.NoError(s.t, s.decider().Decide(s.ctx, s.Known(service), state))
}

// inject arms a fault, or skips the test of a subject that cannot go wrong so.
func (s *stage) inject(fault Fault, count int) {
	faulty, ok := s.Subject.(Faulty)
	if !ok {
		s.t.Skip("the subject has no faults")
	}
	err := faulty.Inject(s.ctx, fault, count)
	if errors.Is(err, ErrNoFault) {
		s.t.Skipf("the subject has no fault %q", fault)
	}
	require.NoError(s.t, err)
}

func testCatalogue(t *testing.T, start func(t *testing.T) *stage) {
	t.Run("every product has a name of its own, and a price or bounds", func(t *testing.T) {
		s := start(t)
		for _, service := range biller.Services() {
			names := map[string]bool{}
			for _, p := range s.products(service) {
				require.Equal(t, service, p.Service)
				require.NotEmpty(t, p.Name)
				require.NotEmpty(t, p.Category)
				require.False(t, names[p.Code], "two products of %s are called %s", service, p.Code)
				names[p.Code] = true
				if p.Price.IsZero() {
					require.Positive(t, p.Least.Sign())
					require.GreaterOrEqual(t, p.Most.Minor(), p.Least.Minor())
				}
				if service == biller.Utility {
					require.Contains(t, []string{biller.Prepaid, biller.Postpaid}, p.Category)
				}
			}
		}
	})
	t.Run("a company that there is not sells nothing", func(t *testing.T) {
		s := start(t)
		products, err := s.biller.Products(s.ctx, biller.Airtime, "no-such-company")
		require.NoError(t, err)
		require.Empty(t, products)
	})
	t.Run("a question that is not answered says so", func(t *testing.T) {
		s := start(t)
		s.inject(Unavailable, 1)
		_, err := s.biller.Providers(s.ctx, biller.Airtime)
		require.ErrorIs(t, err, biller.ErrUnavailable)
		s.inject(Unavailable, 1)
		_, err = s.biller.Products(s.ctx, biller.Airtime, "no-such-company")
		require.ErrorIs(t, err, biller.ErrUnavailable)
	})
}

func testCustomers(t *testing.T, start func(t *testing.T) *stage) {
	for _, service := range []biller.Service{biller.CableTV, biller.Utility} {
		t.Run("a number of "+string(service)+" has a name", func(t *testing.T) {
			s := start(t)
			got, err := s.biller.Verify(s.ctx, s.first("", service).Target)
			require.NoError(t, err)
			require.NotEmpty(t, got.Name)
		})
		t.Run("a number of "+string(service)+" that there is not belongs to nobody", func(t *testing.T) {
			s := start(t)
			target := s.first("", service).Target
			target.Number = s.decider().Nobody(service)
			_, err := s.biller.Verify(s.ctx, target)
			require.ErrorIs(t, err, biller.ErrNoCustomer)
		})
	}
	t.Run("an enquiry that is not answered says so", func(t *testing.T) {
		s := start(t)
		target := s.first("", biller.Utility).Target
		s.inject(Unavailable, 1)
		_, err := s.biller.Verify(s.ctx, target)
		require.ErrorIs(t, err, biller.ErrUnavailable)
	})
}
