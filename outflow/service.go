package outflow

import (
	"context"

	"github.com/ferrypay/ferry"
)

// Service is the rules of all businesses. It is safe for concurrent use.
type Service struct {
	units  ferry.EnvUnits[Tx]
	guard  Guard
	expire func(ctx context.Context, limit int) (int, error)
}

// New returns a Service over units. End ends the operation of an approval that has expired, in
// the unit that rejects it.
func New[T Tx](units ferry.EnvUnits[T], guard Guard, end func(context.Context, T, Approval) error) *Service {
	return &Service{ferry.Narrow(units, func(tx T) Tx { return tx }), guard, expiring(units, end)}
}

// Rules returns the rules of a business.
func (s *Service) Rules(ctx context.Context, scope ferry.Scope) (Rules, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Rules, error) {
		return rulesOf(ctx, tx, scope)
	})
}

// Ceilings returns the limits of the operator in an environment.
func (s *Service) Ceilings(env ferry.Env) Limits { return s.guard.Ceilings[env] }

// ChangeIn changes the rules of a business, within a unit. A day limit that is set counts what
// is asked for from then on. Errors: ferry.ErrValidation with every refused field.
func (s *Service) ChangeIn(ctx context.Context, tx Tx, scope ferry.Scope, c Change) (Rules, error) {
	rules, err := rulesOf(ctx, tx, scope)
	if err != nil {
		return Rules{}, err
	}
	var problems ferry.Problems
	c.apply(&rules, &problems)
	if err := problems.Err(); err != nil {
		return Rules{}, err
	}
	rules.ChangedBy, rules.UpdatedAt = c.By, tx.Now()
	return rules, RulesKind.Put(ctx, tx, rules)
}
