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
	rules, err := rulesOf(ctx, tx, o.Scope)
	if err != nil {
		return Free, err
	}
	if err := rules.mayPay(o.To); err != nil {
		return Free, err
	}
	ceilings, asset := g.Ceilings[o.Scope.Env], o.Amount.Asset()
	own, operators := rules.Limits.of(asset), ceilings.of(asset)
	if e := exceeded(PerOperation, own.Operation, operators.Operation, money.Of(asset, 0), o.Amount); e != nil {
		return Free, e.refused(tx.Now())
	}
	if key := keyOf(ctx); key != "" {
		if err := countIn(ctx, tx, o, PerKeyAndDay, key, own.KeyDay, operators.KeyDay); err != nil {
			return Free, err
		}
	}
	if err := countIn(ctx, tx, o, PerBusinessAndDay, "", own.BusinessDay, operators.BusinessDay); err != nil {
		return Free, err
	}
	if from, _ := lower(own.Approval, operators.Approval); from.IsZero() || o.Amount.Minor() < from.Minor() {
		return Free, nil
	}
	return PendingApproval, askIn(ctx, tx, o, rules.approvalWait())
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

// countIn adds an operation to the sum of its day, when the day has a limit.
func countIn(ctx context.Context, tx Tx, o Order, rule Rule, key string, own, operators money.Amount) error {
	if own.IsZero() && operators.IsZero() {
		return nil
	}
	day, err := dayOf(ctx, tx, o.Scope, o.Amount.Asset(), key, tx.Now())
	if err != nil {
		return err
	}
	if e := exceeded(rule, own, operators, day.Sum, o.Amount); e != nil {
		if o.Amount.Minor() <= e.Limit.Minor() {
			e.RetryAt = day.Until
		}
		return e.refused(tx.Now())
	}
	if day.Sum, err = day.Sum.Add(o.Amount); err != nil {
		return err
	}
	return DayKind.Put(ctx, tx, day)
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

func keyOf(ctx context.Context) string {
	key, _ := ctx.Value(keyInContext{}).(string)
	return key
}
