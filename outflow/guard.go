package outflow

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
)

// Order is an operation that is going to send money away.
type Order struct {
	Scope ferry.Scope
	// Kind and ID name it, and Reference is its own name for the business.
	Kind      Kind
	ID        string
	Reference string
	// Amount is what the receivers get together, without fees.
	Amount money.Amount
	// To are the destinations. Money that goes back to where it came from has none.
	To []Target
}

// Target is a destination, and the field of the request that names it.
type Target struct {
	Destination
	Field string
}

// Guard decides about operations. Its zero value knows the rules of businesses only.
type Guard struct{ Ceilings Ceilings }

// AdmitIn lets an operation pass, in the unit that reserves its money, and counts it for its
// day; or refuses it with ErrLimit or ErrDestination. What was counted stays counted, also
// when the operation fails or is cancelled later: so nobody gains by making and cancelling
// operations, and a day never sends more than its limit. The key that asks is that of By.
//
// The stage that it returns is for the row of the operation. One that is PendingApproval has its
// approval recorded; the caller reserves its money, and sends nothing of it until it is
// approved. It then asks MayPayIn, and not AdmitIn again.
func (g Guard) AdmitIn(ctx context.Context, tx Tx, o Order) (Stage, error) {
	rules, days, err := g.weighIn(ctx, tx, o)
	if err != nil {
		return Free, err
	}
	for _, day := range days {
		if err := DayKind.Put(ctx, tx, day); err != nil {
			return Free, err
		}
	}
	own, operators := g.limits(rules, o)
	if from, _ := lower(own.Approval, operators.Approval); from.IsZero() || o.Amount.Minor() < from.Minor() {
		return Free, nil
	}
	return PendingApproval, askIn(ctx, tx, o, rules.approvalWait())
}

// ForeseeIn returns the refusal that AdmitIn would give an operation now. It counts nothing.
func (g Guard) ForeseeIn(ctx context.Context, tx Tx, o Order) error {
	_, _, err := g.weighIn(ctx, tx, o)
	return err
}

// weighIn returns the rules for an operation and the days with the operation counted in, or its
// refusal. It writes nothing.
func (g Guard) weighIn(ctx context.Context, tx Tx, o Order) (rules Rules, days []Day, err error) {
	if rules, err = rulesOf(ctx, tx, o.Scope); err != nil {
		return rules, nil, err
	}
	if err := rules.mayPay(o.To); err != nil {
		return rules, nil, err
	}
	own, operators := g.limits(rules, o)
	if e := exceeded(PerOperation, own.Operation, operators.Operation, money.Of(o.Amount.Asset(), 0), o.Amount); e != nil {
		return rules, nil, e.refused(tx.Now())
	}
	if key := KeyOf(ctx); key != "" {
		if days, err = countIn(ctx, tx, days, o, PerKeyAndDay, key, own.KeyDay, operators.KeyDay); err != nil {
			return rules, nil, err
		}
	}
	days, err = countIn(ctx, tx, days, o, PerBusinessAndDay, "", own.BusinessDay, operators.BusinessDay)
	return rules, days, err
}

// limits are those of the business and of the operator for an operation.
func (g Guard) limits(rules Rules, o Order) (own, operators Limit) {
	ceilings := g.Ceilings[o.Scope.Env]
	return *rules.Limits.of(o.Amount.Asset()), *ceilings.of(o.Amount.Asset())
}

// MayPayIn asks whether an operation that was admitted may pay its destinations by the rules of
// this moment, or returns ErrDestination.
func (g Guard) MayPayIn(ctx context.Context, tx Tx, o Order) error {
	rules, err := rulesOf(ctx, tx, o.Scope)
	if err != nil {
		return err
	}
	return rules.mayPay(o.To)
}

// countIn appends the day of an operation with the operation in its sum, when the day has a limit.
func countIn(ctx context.Context, tx Tx, days []Day, o Order, rule Rule, key string, own, operators money.Amount) ([]Day, error) {
	if own.IsZero() && operators.IsZero() {
		return days, nil
	}
	day, err := dayOf(ctx, tx, o.Scope, o.Amount.Asset(), key, tx.Now())
	if err != nil {
		return nil, err
	}
	if e := exceeded(rule, own, operators, day.Sum, o.Amount); e != nil {
		if o.Amount.Minor() <= e.Limit.Minor() {
			e.RetryAt = day.Until
		}
		return nil, e.refused(tx.Now())
	}
	day.Sum, err = day.Sum.Add(o.Amount)
	return append(days, day), err
}

// exceeded returns the lower one of two limits that an amount is beyond, or nil. A zero limit
// is none.
func exceeded(rule Rule, own, operators, used, asked money.Amount) *Exceeded {
	limit, by := lower(own, operators)
	if limit.IsZero() || asked.Minor() <= limit.Minor()-used.Minor() {
		return nil
	}
	return &Exceeded{Rule: rule, SetBy: by, Limit: limit, Used: used, Asked: asked}
}

// lower returns the lower one of the limits of a business and of the operator, and whose it is.
func lower(own, operators money.Amount) (money.Amount, Setter) {
	if own.IsZero() || !operators.IsZero() && operators.Minor() < own.Minor() {
		return operators, ByOperator
	}
	return own, ByBusiness
}

// mayPay returns ErrDestination when a target is not listed and has to be.
func (r Rules) mayPay(to []Target) error {
	if !r.AllowList {
		return nil
	}
	listed := make(map[Destination]bool, len(r.Destinations))
	for _, d := range r.Destinations {
		listed[d] = true
	}
	refused := ErrDestination
	for _, t := range to {
		if !listed[t.Destination.listed()] {
			refused = refused.About(t.Field, "Is not among the destinations that the business allows")
		}
	}
	if len(refused.Fields) == 0 {
		return nil
	}
	return refused
}

type keyInContext struct{}

// By returns a context in which somebody asks for operations: an API key, by its id, or a person
// whom the program knows by a name. Without one, the program that embeds the engine asks, and
// no limit of a key applies.
func By(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, keyInContext{}, key)
}

// KeyOf is who asks, by the name that By was given; empty when that is the program.
func KeyOf(ctx context.Context) string {
	key, _ := ctx.Value(keyInContext{}).(string)
	return key
}
