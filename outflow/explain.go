package outflow

import (
	"context"
	"errors"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/records"
)

// ExplainStage adds to the explanation of an operation that it waits for an approval, and until
// when. It reports whether it does.
func ExplainStage(ctx context.Context, tx records.Tx, x *explain.Explanation, scope ferry.Scope, stage Stage) (bool, error) {
	if stage != PendingApproval {
		return false, nil
	}
	a, err := ApprovalKind.Find(ctx, tx, bySubject, Approval{Scope: scope, Subject: x.ID})
	if errors.Is(err, ErrApprovalNotFound) {
		x.Await(explain.Approver, "approval", a.ExpiresAt, "It waits for an approval.")
		return true, nil
	}
	if err == nil {
		a.await(x)
	}
	return true, err
}

// await adds that an approval is awaited, and who can give it.
func (a Approval) await(x *explain.Explanation) {
	x.Await(explain.Approver, "approval", a.ExpiresAt, "A second key or person has to approve it until %s; otherwise it is rejected then.", a.ExpiresAt)
	x.Do(explain.Approver, "approve", "Approve or reject %s with another key than the one that asked.", a.ID)
}

// refuse adds that an approval was not given.
func (a Approval) refuse(x *explain.Explanation) {
	if a.DecidedBy == "" {
		x.Refuse(explain.Approver, "approval", a.DecidedAt, "Nobody approved it in time.")
		return
	}
	x.Refuse(explain.Approver, "approval", a.DecidedAt, "%s rejected it%s.", a.DecidedBy, explain.Because(a.Note))
}

// Explain says where an approval stands, by its id in either form or by the id of its operation.
func Explain(ctx context.Context, tx Tx, scope ferry.Scope, name string) (*explain.Explanation, error) {
	a, err := approvalOf(ctx, tx, scope, ApprovalID(name))
	if err != nil {
		return nil, err
	}
	x := explain.New("approval", a.ID, a.Reference, a.Status, tx.Now())
	x.Ended, x.Events = ApprovalLifecycle.Final(a.Status), a.Subject
	switch a.Status {
	case Pending:
		x.Say("The %s %s over %s is not approved yet.", strings.ReplaceAll(string(a.Kind), "_", " "), a.Subject, a.Amount)
		a.await(x)
	case Approved:
		x.Say("%s approved %s at %s.", a.DecidedBy, a.Subject, a.DecidedAt)
	case Rejected:
		x.Say("%s was not approved, and its money is available again.", a.Subject)
		a.refuse(x)
	case Withdrawn:
		x.Say("%s ended before anybody decided.", a.Subject)
	}
	return x, nil
}
