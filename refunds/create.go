package refunds

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/statement"
)

// Params describe a refund.
type Params struct {
	// Transaction names what is refunded, by exactly one of its names.
	Transaction statement.Ref
	// Amount is what goes back. The zero value is all that is left of the transaction.
	Amount            money.Amount
	Reference, Reason string
	// Mode is Manual unless it is given.
	Mode Mode
	// ScheduledAt is when an automatic refund is processed. Default: Config.Delay after
	// its creation.
	ScheduledAt time.Time
}

const (
	missing   = "Missing required field"
	maxReason = 500
)

// Check adds what is wrong with the fields of p.
func (p Params) Check(problems *ferry.Problems) {
	names := 0
	for _, name := range []string{p.Transaction.ID, p.Transaction.TrxID, p.Transaction.Reference} {
		if name != "" {
			names++
		}
	}
	if names != 1 {
		problems.Add("transaction_id", "Give exactly one of transaction_id, trx_id and transaction_reference")
	}
	if (p.Amount != money.Amount{}) {
		switch {
		case p.Amount.Sign() <= 0:
			problems.Add("amount", "Must be greater than 0")
		case p.Amount.AboveCeiling():
			problems.Add("amount", p.Amount.CeilingProblem())
		}
	}
	if p.Reference == "" {
		problems.Add("reference", missing)
	} else {
		problems.Note("reference", text.Reference(p.Reference))
	}
	_, problem := text.Paragraph(p.Reason, maxReason)
	problems.Note("reason", problem)
	switch {
	case p.Mode != "" && p.Mode != Manual && p.Mode != AutoSender:
		problems.Add("execution_mode", "Must be manual or auto_sender")
	case p.Mode != AutoSender && !p.ScheduledAt.IsZero():
		problems.Add("scheduled_at", "Only an automatic refund is scheduled")
	}
}

// Create makes a refund, and sets its amount aside. One that needs an approval waits for it.
// Errors: ferry.ErrValidation,
// ErrDuplicateReference, statement.ErrNotFound, ErrNotRefundable, ErrExceedsRemaining,
// ErrNoSender, outgoing.ErrAmountTooLow, outflow.ErrLimit, ledger.ErrInsufficientBalance.
func (s *Service) Create(ctx context.Context, scope ferry.Scope, p Params) (Refund, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Refund, error) { return s.CreateIn(ctx, tx, scope, p) })
}

// CreateIn is Create within a unit.
func (s *Service) CreateIn(ctx context.Context, tx Tx, scope ferry.Scope, p Params) (Refund, error) {
	var problems ferry.Problems
	p.Check(&problems)
	if err := problems.Err(); err != nil {
		return Refund{}, err
	}
	line, err := TransactionIn(ctx, tx, scope, p.Transaction)
	if err != nil {
		return Refund{}, err
	}
	if err := unused(ctx, tx, scope, p.Reference); err != nil {
		return Refund{}, err
	}
	made, err := s.describe(ctx, tx, line, p)
	if err != nil {
		return Refund{}, err
	}
	if made.Stage, err = s.admitIn(ctx, tx, made); err != nil {
		return Refund{}, err
	}
	if made, err = Kind.Add(ctx, tx, made); err != nil {
		return Refund{}, err
	}
	if err := setAside(ctx, tx, made); err != nil {
		return Refund{}, err
	}
	line.Refunds.Open += made.Amount.Minor()
	if err := statement.Kind.Update(ctx, tx, line); err != nil {
		return Refund{}, err
	}
	if err := scheduleIn(ctx, tx, made); err != nil {
		return Refund{}, err
	}
	return made, tell(ctx, tx, EventPending, made)
}

// scheduleIn makes an automatic refund due at its time, unless it waits for an approval.
func scheduleIn(ctx context.Context, tx Tx, r Refund) error {
	if r.Mode != AutoSender || r.Stage != outflow.Free {
		return nil
	}
	return dueIn(ctx, tx, r, r.ScheduledAt)
}

// dueIn makes an automatic refund due at an instant, or earlier.
func dueIn(ctx context.Context, tx Tx, r Refund, at time.Time) error {
	return tx.Leases().Schedule(ctx, QueueScheduled.In(r.Scope.Env), lease.RecordKey(r.Scope, string(r.ID)), at)
}

// unused refuses a reference that is taken. It is asked before what is left of the
// transaction, which the refund of that reference may have taken.
func unused(ctx context.Context, tx Tx, scope ferry.Scope, reference string) error {
	_, err := Find(ctx, tx, scope, Ref{Reference: reference})
	if err == nil {
		return ErrDuplicateReference
	}
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// TransactionIn returns the line of the statement that can be refunded. Errors:
// statement.ErrNotFound, and ErrNotRefundable also for a payment that is not successful.
func TransactionIn(ctx context.Context, tx records.Tx, scope ferry.Scope, ref statement.Ref) (statement.Transaction, error) {
	if strings.HasPrefix(ref.ID, payments.Prefix) {
		ref.ID, ref.Reference = "", ref.ID
	}
	line, err := payments.LineOf(ctx, tx, scope, ref)
	if errors.Is(err, statement.ErrNotFound) && ref.ID == "" {
		if _, unpaid := payments.Find(ctx, tx, scope, payments.Ref{Reference: ref.TrxID + ref.Reference}); unpaid == nil {
			return line, ErrNotRefundable
		}
	}
	switch {
	case err != nil:
		return line, err
	case !line.CanGoBack():
		return line, ErrNotRefundable
	}
	return line, nil
}

// describe returns the row of a refund.
func (s *Service) describe(ctx context.Context, tx Tx, line statement.Transaction, p Params) (made Refund, err error) {
	reason, _ := text.Paragraph(p.Reason, maxReason)
	made = Refund{
		ID: ID(tx.NewID(Prefix)), Scope: line.Scope, Transaction: line.ID, TrxID: line.TrxID, Paid: line.Reference, Reference: p.Reference,
		Status: Lifecycle.Initial, Mode: Manual, Amount: p.Amount, Reason: reason, CreatedAt: tx.Now(),
	}
	made.UpdatedAt = tx.Now()
	left := line.Refundable()
	if (made.Amount == money.Amount{}) {
		made.Amount = left
	}
	switch {
	case made.Amount.Asset() != left.Asset():
		return made, ferry.ErrValidation.About("amount", "Must be in "+left.Asset().String())
	case made.Amount.Minor() > left.Minor() || made.Amount.IsZero():
		return made, ErrExceedsRemaining
	}
	if made.Fees, err = s.feesOf(made.Amount); err != nil || p.Mode != AutoSender {
		return made, err
	}
	return made, s.automatic(ctx, tx, &made, line, p.ScheduledAt)
}

// automatic adds to a refund what an automatic one has: when and from where it goes where.
func (s *Service) automatic(ctx context.Context, tx Tx, made *Refund, line statement.Transaction, at time.Time) (err error) {
	made.Mode, made.ScheduledAt = AutoSender, at
	switch {
	case at.IsZero():
		made.ScheduledAt = tx.Now().Add(s.config.Delay)
	case at.After(tx.Now().AddDate(1, 0, 0)):
		return ferry.ErrValidation.About("scheduled_at", "Must not be more than a year ahead")
	}
	if made.onChain() {
		return s.toAddress(ctx, tx, made, line)
	}
	if made.To, err = accountOf(ctx, tx, line); err != nil {
		return err
	}
	b, err := business.Of(ctx, tx, line.Scope)
	if err != nil {
		return err
	}
	if len(b.SourceAccounts) == 0 {
		return ferry.ErrValidation.About("execution_mode", "The business has no account that it could be paid from")
	}
	made.Source = b.SourceAccounts[0].AccountNumber
	return nil
}

// feesOf are the fees of a refund by the tariff. That is in naira: a refund in USDC is free of it.
func (s *Service) feesOf(amount money.Amount) (fees.Fees, error) {
	if asset := amount.Asset(); asset != money.AssetNGN {
		return fees.Fees{Platform: money.Of(asset, 0), Processing: money.Of(asset, 0)}, nil
	}
	return s.config.Tariffs.Of(fees.Refund, amount)
}

// setAside reserves the amount of a refund that is made, when it takes money of the business.
func setAside(ctx context.Context, tx Tx, r Refund) error {
	if !r.holds() {
		return nil
	}
	return reserve(ctx, tx, r)
}

// reserve sets aside what an open refund needs as it stands.
func reserve(ctx context.Context, tx Tx, r Refund) error {
	held, err := r.held()
	if err != nil {
		return err
	}
	held.At = tx.Now()
	return ledger.Reserve(ctx, tx.Ledger(), held)
}
