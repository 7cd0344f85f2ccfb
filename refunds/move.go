package refunds

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/statement"
)

// ProcessParams say that a refund is going to be paid. Note replaces the note of the refund,
// unless it is empty.
type ProcessParams struct {
	Refund Ref
	Note   string
}

const (
	maxNote      = 500
	maxProvider  = 200
	maxResponse  = 2000
	notAutomatic = "Only the word of the bank or of the chain ends an automatic refund that is processing"
)

// Process moves a pending refund on: a manual one is being paid by people, an automatic one is
// sent now. One that is processing stays as it is. Errors: ErrNotFound,
// ferry.ErrInvalidTransition also while it waits for its approval, ledger.ErrInsufficientBalance
// when its fee is not covered.
func (s *Service) Process(ctx context.Context, scope ferry.Scope, p ProcessParams) (Refund, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Refund, error) { return s.ProcessIn(ctx, tx, scope, p) })
}

// ProcessIn is Process within a unit.
func (s *Service) ProcessIn(ctx context.Context, tx Tx, scope ferry.Scope, p ProcessParams) (Refund, error) {
	note, problem := text.Paragraph(p.Note, maxNote)
	if problem != "" {
		return Refund{}, ferry.ErrValidation.About("note", problem)
	}
	r, err := Find(ctx, tx, scope, p.Refund)
	if err != nil || r.Status == Processing {
		return r, err
	}
	if note != "" {
		r.Note = note
	}
	if r, err = startIn(ctx, tx, r); err != nil {
		return r, err
	}
	if err := s.askIn(ctx, tx, r); err != nil {
		return r, err
	}
	return Kind.Save(ctx, tx, r)
}

// askIn makes an automatic refund that is processing due at whoever sends it: the bank, or the
// worker that makes its transfer on the chain.
func (s *Service) askIn(ctx context.Context, tx Tx, r Refund) error {
	switch {
	case r.Mode == Manual:
		return nil
	case r.onChain():
		return dueIn(ctx, tx, r, tx.Now())
	}
	return orderOf(r).ScheduleIn(ctx, tx, QueuePayments, tx.Now())
}

// FinalizeParams say how a refund ended: Successful or Failed. The texts replace those of the
// refund, unless they are empty.
type FinalizeParams struct {
	Refund                                    Ref
	Status                                    Status
	ProviderReference, ProviderResponse, Note string
}

// Check adds what is wrong with the fields of p.
func (p FinalizeParams) Check(problems *ferry.Problems) {
	if p.Status != Successful && p.Status != Failed {
		problems.Add("status", "Must be successful or failed")
	}
	for _, field := range []struct {
		name, value string
		longest     int
	}{{"provider_reference", p.ProviderReference, maxProvider}, {"provider_response", p.ProviderResponse, maxResponse}, {"note", p.Note, maxNote}} {
		_, problem := text.Paragraph(field.value, field.longest)
		problems.Note(field.name, problem)
	}
}

// Finalize ends a refund that people pay, and cancels one that is pending. The same end again
// changes nothing. Errors: ferry.ErrValidation, ErrNotFound, ErrNotProcessing.
func (s *Service) Finalize(ctx context.Context, scope ferry.Scope, p FinalizeParams) (Refund, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Refund, error) { return s.FinalizeIn(ctx, tx, scope, p) })
}

// FinalizeIn is Finalize within a unit.
func (s *Service) FinalizeIn(ctx context.Context, tx Tx, scope ferry.Scope, p FinalizeParams) (Refund, error) {
	var problems ferry.Problems
	p.Check(&problems)
	if err := problems.Err(); err != nil {
		return Refund{}, err
	}
	r, err := Find(ctx, tx, scope, p.Refund)
	switch {
	case err != nil || r.Status == p.Status:
		return r, err
	case Lifecycle.Final(r.Status), r.Status == Pending && p.Status == Successful:
		return Refund{}, ErrNotProcessing
	case r.Status == Processing && r.Mode == AutoSender:
		return Refund{}, ferry.ErrInvalidTransition.Saying(notAutomatic)
	}
	for _, field := range []struct {
		of      *string
		given   string
		longest int
	}{{&r.ProviderReference, p.ProviderReference, maxProvider}, {&r.ProviderResponse, p.ProviderResponse, maxResponse}, {&r.Note, p.Note, maxNote}} {
		if field.given != "" {
			*field.of, _ = text.Paragraph(field.given, field.longest)
		}
	}
	switch {
	case p.Status == Successful:
		r, err = paidIn(ctx, tx, r)
	case r.Status == Pending:
		r, err = failedIn(ctx, tx, r, Cancel)
	default:
		r, err = failedIn(ctx, tx, r, Fail)
	}
	if err != nil {
		return r, err
	}
	return Kind.Save(ctx, tx, r)
}

// moveIn makes one move of the lifecycle, with its event. The caller saves the refund.
func moveIn(ctx context.Context, tx Tx, r Refund, cause Cause) (Refund, error) {
	edge, err := Lifecycle.Next(r.Status, cause)
	if err != nil {
		return r, err
	}
	r.Status, r.UpdatedAt = edge.To, tx.Now()
	if Lifecycle.Final(r.Status) {
		r.FinalizedAt = tx.Now()
	} else {
		r.ProcessedAt = tx.Now()
	}
	return r, tell(ctx, tx, edge.Event, r)
}

// startIn moves a pending refund on, and sets its fee aside as well.
func startIn(ctx context.Context, tx Tx, r Refund) (Refund, error) {
	if r.Stage == outflow.PendingApproval {
		return r, ferry.ErrInvalidTransition.Saying("The refund waits for its approval")
	}
	before, err := r.held()
	if err != nil {
		return r, err
	}
	if r, err = moveIn(ctx, tx, r, Process); err != nil {
		return r, err
	}
	now, err := r.held()
	if err != nil || now.ID == before.ID {
		return r, err
	}
	if err := ledger.Release(ctx, tx.Ledger(), before.ID); err != nil {
		return r, err
	}
	return r, reserve(ctx, tx, r)
}

// paidIn ends a refund that was paid: the money that it held is booked, and the statement gets
// its line.
func paidIn(ctx context.Context, tx Tx, r Refund) (Refund, error) {
	paid, err := moveIn(ctx, tx, r, Pay)
	if err != nil {
		return r, err
	}
	if r.holds() {
		if err := bookIn(ctx, tx, r); err != nil {
			return r, err
		}
	}
	if err := countIn(ctx, tx, r, r.Amount.Minor()); err != nil {
		return r, err
	}
	line := statement.Outgoing(tx, r.Scope, Channel, string(r.ID), r.Amount)
	if line.Fee, err = r.Fees.Total(); err != nil {
		return r, err
	}
	return paid, statement.Kind.Insert(ctx, tx, line)
}

// bookIn books what a refund held: the amount leaves through the bank, and the fees go to those
// who take them.
func bookIn(ctx context.Context, tx Tx, r Refund) error {
	held, err := r.held()
	if err != nil {
		return err
	}
	env := r.Scope.Env
	return ledger.Settle(ctx, tx.Ledger(), held.ID, ledger.Posting{
		ID: ledger.PostingID("refund:" + r.ID), Env: env, Kind: "refund", Ref: string(r.ID), At: tx.Now(),
		Legs: ledger.Nonzero(
			ledger.Leg{Account: held.Account, Amount: held.Amount.Neg()},
			ledger.Leg{Account: ledger.SystemAccount(env, ledger.Bank, money.AssetNGN), Amount: r.Amount},
			ledger.Leg{Account: ledger.SystemAccount(env, ledger.PlatformFees, money.AssetNGN), Amount: r.Fees.Platform},
			ledger.Leg{Account: ledger.SystemAccount(env, ledger.ProcessingFees, money.AssetNGN), Amount: r.Fees.Processing},
		),
	})
}

// failedIn gives back what was set aside for a refund that is not paid: by Fail or Cancel.
func failedIn(ctx context.Context, tx Tx, r Refund, cause Cause) (Refund, error) {
	r, err := freeIn(ctx, tx, r)
	if err != nil {
		return r, err
	}
	failed, err := moveIn(ctx, tx, r, cause)
	if err != nil {
		return r, err
	}
	if r.holds() {
		held, err := r.held()
		if err != nil {
			return r, err
		}
		if err := ledger.Release(ctx, tx.Ledger(), held.ID); err != nil {
			return r, err
		}
	}
	return failed, countIn(ctx, tx, r, 0)
}

// countIn takes a refund that ended out of the open ones of its transaction. Done is what of
// it went back.
func countIn(ctx context.Context, tx Tx, r Refund, done int64) error {
	line, err := statement.Kind.Get(ctx, tx, r.Scope, r.Transaction)
	if err != nil {
		return err
	}
	line.Refunds.Open -= r.Amount.Minor()
	line.Refunds.Done += done
	line.UpdatedAt = tx.Now()
	return statement.Kind.Update(ctx, tx, line)
}

// WithdrawIn cancels the pending refunds of a transaction that is taken back from the
// business, so that what they set aside can cover that. Reference is that of its line. One
// that is processing may have been paid, and goes on.
func WithdrawIn(ctx context.Context, tx Tx, scope ferry.Scope, reference string) error {
	line, err := statement.Kind.Find(ctx, tx, statement.ByReference, statement.Transaction{Scope: scope, Reference: reference})
	if err != nil || line.Refunds.Open == 0 {
		return err
	}
	var open []Refund
	for r, err := range Kind.Newest(ctx, tx, scope, records.Where(records.Is("transaction_id", line.ID))) {
		if err != nil {
			return err
		}
		if r.Status == Pending {
			open = append(open, r)
		}
	}
	for _, r := range open {
		r.ProviderResponse = "The transaction was reversed"
		if r, err = failedIn(ctx, tx, r, Cancel); err != nil {
			return err
		}
		if err := Kind.Update(ctx, tx, r); err != nil {
			return err
		}
	}
	return nil
}
