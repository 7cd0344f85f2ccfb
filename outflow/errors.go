package outflow

import (
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
)

var (
	// ErrLimit refuses an operation that is beyond a limit. Its cause is an *Exceeded.
	ErrLimit = ferry.NewError(ferry.Unprocessable, "outflow_limit_exceeded", "The operation is beyond an outflow limit")
	// ErrDestination refuses an operation to a destination that is not listed. It names the
	// fields.
	ErrDestination = ferry.NewError(ferry.Unprocessable, "destination_not_allowed", "The destination is not among those that the business allows")
)

var (
	// ErrApprovalNotFound says that there is no such approval.
	ErrApprovalNotFound = ferry.NewError(ferry.NotFound, "approval_not_found", "Approval not found")
	// ErrMayNotApprove refuses an approval by whoever asked for the operation, and by a key that
	// may be theirs or that has ended. Its message says which.
	ErrMayNotApprove = ferry.NewError(ferry.Forbidden, "approval_not_allowed", "Another key has to approve the operation")
)

// Rule names a limit.
type Rule string

const (
	// PerOperation: the sum of one operation.
	PerOperation Rule = "operation"
	// PerKeyAndDay: the sums of the operations of an API key on a day.
	PerKeyAndDay Rule = "key_day"
	// PerBusinessAndDay: the sums of all operations of a business on a day.
	PerBusinessAndDay Rule = "business_day"
)

// Setter is who set a limit.
type Setter string

const (
	// ByOperator: a ceiling of the operator.
	ByOperator Setter = "operator"
	// ByBusiness: a rule of the business.
	ByBusiness Setter = "business"
)

// Exceeded says which limit an operation is beyond.
type Exceeded struct {
	Rule  Rule
	SetBy Setter
	// Limit is what the rule allows, Used what of it is used on the day, and Asked what the
	// operation is about.
	Limit, Used, Asked money.Amount
	// RetryAt is when the operation would pass, or zero when it never would.
	RetryAt time.Time
}

// Error tells the rule and its figures.
func (e *Exceeded) Error() string {
	return fmt.Sprintf("the limit %s of the %s is %s, %s of it is used, and %s is asked for", e.Rule, e.SetBy, e.Limit, e.Used, e.Asked)
}

// refused is ErrLimit for a reason, in the words of the caller.
func (e *Exceeded) refused(now time.Time) error {
	says := map[Rule]string{
		PerOperation:      fmt.Sprintf("One operation may be of %s at most, by the limit of the %s", e.Limit, e.SetBy),
		PerKeyAndDay:      fmt.Sprintf("This API key may send %s a day at most, by the limit of the %s", e.Limit, e.SetBy),
		PerBusinessAndDay: fmt.Sprintf("The business may send %s a day at most, by the limit of the %s", e.Limit, e.SetBy),
	}
	err := ErrLimit.Saying(says[e.Rule]).Because(e)
	if !e.RetryAt.IsZero() {
		err = err.After(e.RetryAt.Sub(now))
	}
	return err
}
