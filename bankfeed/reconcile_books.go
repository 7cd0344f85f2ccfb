package bankfeed

import (
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

// compareRecall holds one recall against its posting.
func (r *reconciler) compareRecall(ctx context.Context, c bank.Credit) error {
	if r.recalls[c.SessionID] {
		return nil // told twice
	}
	r.recalls[c.SessionID] = true
	entries, err := ferry.InRead(ctx, r.units.In(r.env), func(ctx context.Context, tx Tx) ([]ledger.Entry, error) {
		return tx.Ledger().Legs(ctx, RecallID(r.env, c.SessionID))
	})
	if err != nil {
		return err
	}
	if len(entries) == 0 {
		r.unbooked(c, fmt.Sprintf("the recall of %s from account %s is not booked", c.Amount, c.AccountNumber))
		return nil
	}
	if back := entries[len(entries)-1].Amount; back != c.Amount {
		r.found.Findings = append(r.found.Findings, ledger.Finding{Check: "recall", Subject: c.SessionID, Text: fmt.Sprintf(
			"the recall of %s from account %s is booked as %s", c.Amount, c.AccountNumber, back)})
	}
	return nil
}

// suspect is an entry of the bank's account that the bank did not report.
type suspect struct {
	session string
	recall  bool
	amount  money.Amount
}

func (s suspect) finding() ledger.Finding {
	text := "%s is booked, but the bank tells no such credit"
	if s.recall {
		text = "a recall of %s is booked, but the bank tells none"
	}
	return ledger.Finding{Check: "booked", Subject: s.session, Text: fmt.Sprintf(text, s.amount)}
}

// tells reports whether the bank reported an entry.
func (r *reconciler) tells(of suspect) bool {
	if of.recall {
		return r.recalls[of.session]
	}
	_, told := r.told[of.session]
	return told
}

// readBooks returns booked credits and recalls that the bank did not report.
func (r *reconciler) readBooks(ctx context.Context) (suspects []suspect, err error) {
	err = r.eachEntry(ctx, r.env, ledger.SystemAccount(r.env, ledger.Bank, money.AssetNGN), func(e ledger.Entry) {
		at := suspect{e.Ref, e.Kind == recallKind, e.Amount}
		if e.Kind == creditKind {
			at.amount = e.Amount.Neg()
		}
		if (at.recall || e.Kind == creditKind) && !r.tells(at) {
			suspects = append(suspects, at)
		}
	})
	return suspects, err
}

// readSuspense lists what suspense holds, what it owes, and what is of neither.
func (r *reconciler) readSuspense(ctx context.Context) error {
	held, err := r.Suspense(ctx, r.env)
	for _, c := range held {
		r.found.Findings = append(r.found.Findings, ledger.Finding{
			Check: "suspense", Subject: c.Session, Text: fmt.Sprintf("%s to account %s is held in suspense", c.Amount, r.told[c.Session])})
	}
	strange := r.eachEntry(ctx, r.env, suspenseOf(r.env), func(e ledger.Entry) {
		if e.Kind != creditKind && e.Kind != recallKind && e.Kind != releaseKind {
			r.found.Findings = append(r.found.Findings, ledger.Finding{
				Check: "suspense", Subject: string(e.ID.Posting), Text: fmt.Sprintf("%s in suspense are of no credit, recall or release", e.Amount)})
		}
	})
	owed, failed := r.Uncovered(ctx, r.env)
	for _, c := range owed {
		r.found.Findings = append(r.found.Findings, ledger.Finding{
			Check: "suspense", Subject: c.Session, Text: fmt.Sprintf("%s of account %s was recalled and is not covered", c.Amount, r.told[c.Session])})
	}
	return errors.Join(err, strange, failed)
}
