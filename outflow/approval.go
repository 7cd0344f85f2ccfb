package outflow

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
)

// Stage is what an operation waits for before anything of it is sent.
type Stage string

const (
	// Free: it waits for nothing of this package.
	Free Stage = ""
	// PendingApproval: its money is reserved, and a second key or person has to approve it.
	PendingApproval Stage = "pending_approval"
)

// Stages are all stages.
func Stages() []Stage { return []Stage{Free, PendingApproval} }

// Waits matches the rows that wait for an approval, of a kind with a Stage in the column "stage".
var Waits = records.Is("stage", PendingApproval)

// WaitingIn selects the rows of an environment that wait for an approval.
func WaitingIn(env ferry.Env) records.Query { return records.Where(records.Is("env", env), Waits) }

// Kind says what an approval is about.
type Kind string

const (
	// Payout: Subject is the id of a payout.
	Payout Kind = "payout"
	// Transfer: Subject is the id of a transfer of USDC, to the chain or to another business.
	Transfer Kind = "transfer"
	// FiatTransfer: Subject is the id of a transfer of naira.
	FiatTransfer Kind = "fiat_transfer"
	// Refund: Subject is the id of a refund.
	Refund Kind = "refund"
	// Bill: Subject is the id of a bill.
	Bill Kind = "bill"
)

// ApprovalPrefix begins the id of an approval.
const ApprovalPrefix = "apr_"

// ApprovalID names an approval: apr_ and 32 hexadecimal digits.
type ApprovalID string

// Approval is what a second key or person has to decide about, or has decided.
type Approval struct {
	ID    ApprovalID
	Scope ferry.Scope
	// Kind and Subject name the operation, and Reference is its own name for the business.
	Kind      Kind
	Subject   string
	Reference string
	// Amount is what the receivers get together.
	Amount money.Amount
	// MadeBy is who asked for the operation: see By.
	MadeBy string
	Status ApprovalStatus
	// DecidedBy is who decided, and DecidedAt is when. They are empty until then. DecidedBy is
	// empty as well when nobody did: the approval was withdrawn, or it has expired.
	DecidedBy string
	// Note is that of whoever decided, or says that the approval has expired.
	Note      string
	DecidedAt time.Time
	// ExpiresAt is when it is rejected unless somebody has decided.
	ExpiresAt time.Time
	CreatedAt time.Time
	Version   int64
}

// ApprovalStatus is where an approval stands.
type ApprovalStatus string

const (
	// Pending: nobody has decided, and the money stays reserved until ExpiresAt.
	Pending ApprovalStatus = "pending"
	// Approved: the operation goes on. Final.
	Approved ApprovalStatus = "approved"
	// Rejected: the operation has ended unsent, and its money is available again. Final.
	Rejected ApprovalStatus = "rejected"
	// Withdrawn: the operation ended before anybody decided: the business cancelled it, or it
	// was found paid after a restore of the store. Final.
	Withdrawn ApprovalStatus = "withdrawn"
)

// Verdict is what moves an approval.
type Verdict string

const (
	// Approve lets the operation go on, and Reject ends it.
	Approve Verdict = "approve"
	Reject  Verdict = "reject"
	// Withdraw is that the operation ended otherwise, and Expire that nobody decided in time.
	// Nobody decides that.
	Withdraw Verdict = "withdraw"
	Expire   Verdict = "expire"
)

// ApprovalLifecycle is how an approval is decided.
var ApprovalLifecycle = ferry.Lifecycle[ApprovalStatus, Verdict]{
	Name:    "approval",
	Initial: Pending,
	Edges: []ferry.Edge[ApprovalStatus, Verdict]{
		{From: Pending, On: Approve, To: Approved},
		{From: Pending, On: Reject, To: Rejected},
		{From: Pending, On: Expire, To: Rejected},
		{From: Pending, On: Withdraw, To: Withdrawn},
	},
}

// bySubject finds an approval by Scope and Subject.
var bySubject = &records.Unique{Columns: []string{"env", "business", "subject"}}

// isPending matches the approvals that nobody has decided about.
var isPending = records.Is("status", Pending)

// PendingIn selects the pending approvals of an environment.
func PendingIn(env ferry.Env) records.Query { return records.Where(records.Is("env", env), isPending) }

// ApprovalKind is what an approval is as a row.
var ApprovalKind = records.Define(records.Kind[ApprovalID, Approval]{
	Name: "outflow_approvals",
	Columns: func(a *Approval) []records.Column {
		return []records.Column{
			records.ID(&a.ID), records.Owner(&a.Scope), records.Version(&a.Version),
			records.Text("kind", &a.Kind),
			records.Text("subject", &a.Subject),
			records.Text("reference", &a.Reference),
			records.Money("amount", &a.Amount),
			records.Text("made_by", &a.MadeBy),
			records.Word("status", &a.Status, ApprovalLifecycle.States()...),
			records.Text("decided_by", &a.DecidedBy),
			records.Text("note", &a.Note),
			records.Time("decided_at", &a.DecidedAt),
			records.Time("expires_at", &a.ExpiresAt),
			records.CreatedAt(&a.CreatedAt),
		}
	},
	Scope:   func(a *Approval) ferry.Scope { return a.Scope },
	Unique:  []*records.Unique{bySubject},
	Fixed:   []string{"kind", "subject", "reference", "made_by", "expires_at"},
	Lists:   [][]string{{}, {"status"}},
	Groups:  []records.Group{{By: []string{"env"}, When: isPending}},
	Missing: ErrApprovalNotFound,
})

// askIn records that an operation waits for its approval, and until when.
func askIn(ctx context.Context, tx Tx, o Order, wait time.Duration) error {
	a := Approval{
		ID: ApprovalID(tx.NewID(ApprovalPrefix)), Scope: o.Scope, Kind: o.Kind, Subject: o.ID, Reference: o.Reference,
		Amount: o.Amount, MadeBy: KeyOf(ctx), Status: ApprovalLifecycle.Initial, ExpiresAt: tx.Now().Add(wait), CreatedAt: tx.Now(),
	}
	if err := ApprovalKind.Insert(ctx, tx, a); err != nil {
		return err
	}
	return tx.Leases().Schedule(ctx, QueueApprovals.In(a.Scope.Env), lease.RecordKey(a.Scope, string(a.ID)), a.ExpiresAt)
}

// approvalOf returns an approval by its id in either form.
func approvalOf(ctx context.Context, tx Tx, scope ferry.Scope, name ApprovalID) (Approval, error) {
	id, ok := ferry.CanonicalID(ApprovalPrefix, string(name))
	if !ok {
		return Approval{}, ErrApprovalNotFound
	}
	return ApprovalKind.Get(ctx, tx, scope, ApprovalID(id))
}

// MaxNote is the greatest length of a note, in code points.
const MaxNote = 200

// Decision decides about an approval.
type Decision struct {
	ID ApprovalID
	// Verdict is Approve or Reject.
	Verdict Verdict
	// By is who decides: the id of an API key, or the name by which a program knows a person.
	By string
	// Note is for whoever reads it later, at most MaxNote characters.
	Note string
}

// DecideIn records a decision, within the unit that lets the operation go on or ends it. Who
// asked for an operation may reject it, and not approve it. Errors: ferry.ErrValidation,
// ErrApprovalNotFound, ErrMayNotApprove, and ferry.ErrInvalidTransition when the approval is
// not pending any more.
func DecideIn(ctx context.Context, tx Tx, scope ferry.Scope, d Decision) (Approval, error) {
	var problems ferry.Problems
	if d.Verdict != Approve && d.Verdict != Reject {
		problems.Add("decision", "Must be approve or reject")
	}
	if d.By == "" {
		problems.Add("by", "Must name who decides")
	}
	note, problem := text.Line(d.Note, 0, MaxNote)
	problems.Note("note", problem)
	if err := problems.Err(); err != nil {
		return Approval{}, err
	}
	a, err := approvalOf(ctx, tx, scope, d.ID)
	if err != nil {
		return Approval{}, err
	}
	edge, err := ApprovalLifecycle.Next(a.Status, d.Verdict)
	if err != nil {
		return Approval{}, ferry.ErrInvalidTransition.Saying("The approval is " + string(a.Status) + " already").Because(err)
	}
	switch {
	case d.Verdict != Approve:
	case d.By == a.MadeBy:
		return Approval{}, ErrMayNotApprove.Saying("Who asked for an operation cannot approve it")
	case a.expired(tx.Now()):
		return Approval{}, ferry.ErrInvalidTransition.Saying("The approval has expired")
	}
	a.Status, a.DecidedBy, a.Note, a.DecidedAt = edge.To, d.By, note, tx.Now()
	return ApprovalKind.Save(ctx, tx, a)
}

// WithdrawIn ends the approval of an operation that ends while it is PendingApproval, in the
// unit that ends it.
func WithdrawIn(ctx context.Context, tx Tx, scope ferry.Scope, subject string) error {
	a, err := ApprovalKind.Find(ctx, tx, bySubject, Approval{Scope: scope, Subject: subject})
	if err != nil {
		return err
	}
	edge, err := ApprovalLifecycle.Next(a.Status, Withdraw)
	if err != nil {
		return err
	}
	a.Status, a.DecidedAt = edge.To, tx.Now()
	return ApprovalKind.Update(ctx, tx, a)
}

// Approval returns an approval of a business, or ErrApprovalNotFound.
func (s *Service) Approval(ctx context.Context, scope ferry.Scope, id ApprovalID) (Approval, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Approval, error) {
		return approvalOf(ctx, tx, scope, id)
	})
}

// Approvals lists the approvals of a business, newest first: those that have a status, or all
// when it is empty.
func (s *Service) Approvals(ctx context.Context, scope ferry.Scope, status ApprovalStatus, page ferry.Page) (ferry.List[Approval], error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (ferry.List[Approval], error) {
		return ApprovalKind.Page(ctx, tx, scope, records.Where(records.Is("status", status)), page)
	})
}
