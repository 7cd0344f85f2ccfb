package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/provider/bank"
)

// watchedBank lets a test look while the bank is being asked for a payment.
type watchedBank struct {
	bank.Bank
	asked func()
}

func (b *watchedBank) Pay(ctx context.Context, p bank.Payment) (bank.Outcome, error) {
	if b.asked != nil {
		b.asked()
	}
	return b.Bank.Pay(ctx, p)
}

// compared is what a comparison says of what is under way, and of what waits for an approval.
func (p *payroll) compared() (inFlight, waiting []ledger.Finding) {
	p.Helper()
	r, err := p.Reconcile(p.Context(), ferry.Test)
	require.NoError(p, err)
	require.Empty(p, r.Findings)
	return r.InFlight, r.Waiting
}

func TestAPaymentThatTheBankWasNotAskedForIsNotSubmitted(t *testing.T) {
	p := newPayroll(t)
	item := p.items(p.paid(7_00, "0123456780").ID)[0]
	transfer := p.transferred(rent(9_00, "0123456780"))
	inFlight, waiting := p.compared()
	require.Equal(t, []ledger.Finding{
		{Check: "not_submitted", Subject: string(item.ID), Text: "7 NGN to 058 0123456780: the bank was not asked to pay it yet"},
		{Check: "not_submitted", Subject: string(transfer.ID), Text: "9 NGN to 058 0123456780: the bank was not asked to pay it yet"},
	}, inFlight)
	require.Empty(t, waiting)
}

// The process may die right there.
func TestAPaymentThatTheBankIsBeingAskedForHasAnUnknownOutcome(t *testing.T) {
	watched := &watchedBank{}
	p := payrollOver(t, memstore.New(), func(b bank.Bank) bank.Bank { watched.Bank = b; return watched })
	const text = " NGN to 058 0123456780: the bank may have been asked, and no answer of it is recorded; do not pay it by hand or order it again"
	var inFlight []ledger.Finding
	watched.asked = func() { inFlight, _ = p.compared() }
	item := p.items(p.paid(7_00, "0123456780").ID)[0]
	p.pass(time.Minute)
	require.Equal(t, []ledger.Finding{{Check: "outcome_unknown", Subject: string(item.ID), Text: "7" + text}}, inFlight)
	transfer := p.transferred(rent(9_00, "0123456780"))
	p.pass(time.Minute)
	require.Equal(t, []ledger.Finding{{Check: "outcome_unknown", Subject: string(transfer.ID), Text: "9" + text}}, inFlight)
	inFlight, _ = p.compared()
	require.Empty(t, inFlight)
}

func TestAPaymentThatTheBankHasAcceptedIsInProgress(t *testing.T) {
	p := newPayroll(t)
	item := p.items(p.paid(7_00, "0123456786").ID)[0]
	p.pass(4 * time.Second)
	inFlight, _ := p.compared()
	require.Equal(t, []ledger.Finding{{
		Check: "in_progress", Subject: string(item.ID),
		Text: "7 NGN to 058 0123456786: the bank has accepted it and has not finished, asked 1 times; do not pay it by hand or order it again",
	}}, inFlight)
}

func TestWhatWaitsForAnApprovalIsToldApart(t *testing.T) {
	f := newFourEyes(t)
	f.payoutBy(f.payer)
	transfer := f.transferred(rent(600_00, "0123456780"))
	inFlight, waiting := f.compared()
	require.Empty(t, inFlight)
	texts := []string{}
	for _, w := range waiting {
		require.Equal(t, "waits_for_approval", w.Check)
		texts = append(texts, w.Text)
	}
	require.Equal(t, []string{
		"300 NGN to 058 0123456780: it waits for an approval",
		"300 NGN to 058 0123456781: it waits for an approval",
		"600 NGN to 058 0123456780: it waits for an approval",
	}, texts)
	require.Equal(t, string(transfer.ID), waiting[2].Subject)
}
