package disburse

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/records"
)

// Reconciliation is what a comparison of payments with the bank has found.
type Reconciliation struct {
	// Payments counts the payments that the bank reports, and Told is their sum. Booked is
	// the sum that the books have as paid.
	Payments     int
	Told, Booked money.Amount
	// Findings are what is wrong, InFlight what the bank has not ended yet.
	Findings, InFlight []ledger.Finding
	// Unanswered are open payments of a kind with Begin of which no answer of the bank is
	// recorded. Whether it was asked is for the domain to say: see Unanswered.Begun.
	Unanswered []Unanswered
}

// Unanswered is an open payment of which no answer of the bank is recorded.
type Unanswered struct {
	ID    string
	Scope ferry.Scope
	// Text names the payment, as in "7 NGN to 058 0123456789".
	Text string
	// asked names who makes it: the bank or the biller.
	asked string
}

// The checks of payments that are in flight.
const (
	notSubmitted     = "not_submitted"
	waitsForApproval = "waits_for_approval"
	outcomeUnknown   = "outcome_unknown"
	inProgress       = "in_progress"
)

// never is what a person must not do with a payment that the bank may make.
const never = "; do not pay it by hand or order it again"

// Begun is the payment as one that Begin has moved on. The process that asked the bank may have
// died before it could record the answer.
func (u Unanswered) Begun() ledger.Finding {
	return u.finding(outcomeUnknown, "the "+u.asked+" may have been asked, and no answer of it is recorded"+never)
}

// NotSubmitted is the payment as one that was not begun: the bank was never asked for it.
func (u Unanswered) NotSubmitted() ledger.Finding {
	return u.finding(notSubmitted, "the "+u.asked+" was not asked to pay it yet")
}

// WaitsForApproval is the payment as one that is not begun before somebody approves it.
func (u Unanswered) WaitsForApproval() ledger.Finding {
	return u.finding(waitsForApproval, "it waits for an approval")
}

func (u Unanswered) finding(check, text string) ledger.Finding {
	return ledger.Finding{Check: check, Subject: u.ID, Text: u.Text + ": " + text}
}

// reconcilePage is how many payments are read at once.
const reconcilePage = 500

func (s *service[T, K, P]) Reconcile(ctx context.Context, env ferry.Env) (Reconciliation, error) {
	found := Reconciliation{Told: money.NGN(0), Booked: money.NGN(0)}
	b, err := ferry.Provider(s.config.Banks, env, bank.ErrNone)
	if err != nil {
		return found, err
	}
	// The bank is read first, so that the books know of each payment that it reports.
	// It is read again at the end, for payments that it made meanwhile.
	before, err := s.told(ctx, b)
	if err != nil {
		return found, err
	}
	own, err := s.ofEnv(ctx, env)
	if err != nil {
		return found, err
	}
	after := before
	if slices.ContainsFunc(own, func(p P) bool { o := s.kind.Order(p); return o.wasPaid() && before[o.Key] == Told{} }) {
		if after, err = s.told(ctx, b); err != nil {
			return found, err
		}
	}
	resolved, err := s.resolved(ctx, env)
	if err != nil {
		return found, err
	}
	err = s.compare(&found, own, before, after, resolved)
	return found, err
}

// told is all payments of a bank, by key, or by place when they have no key.
func (s *service[T, K, P]) told(ctx context.Context, b bank.Bank) (map[string]Told, error) {
	all := map[string]Told{}
	var after bank.Cursor
	for {
		page, err := s.kind.Told(ctx, b, after, reconcilePage)
		if err != nil || len(page) == 0 {
			return all, err
		}
		for _, t := range page {
			name := t.Key
			if name == "" {
				name = "\x00" + string(t.Cursor)
			}
			all[name], after = t, t.Cursor
		}
	}
}

// ofEnv returns all payments of an environment.
func (s *service[T, K, P]) ofEnv(ctx context.Context, env ferry.Env) (all []P, err error) {
	rows := ferry.WalkKeys(func(after K, limit int) ([]P, error) {
		return ferry.InRead(ctx, s.units.In(env), func(ctx context.Context, tx T) ([]P, error) {
			return s.kind.Rows.After(ctx, tx, records.Where(records.Is("env", env)), after, limit)
		})
	}, s.kind.Rows.IDOf)
	for p, err := range rows {
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// compare compares payments of the books with the reports of the bank from before the books
// were read, and from after.
func (s *service[T, K, P]) compare(found *Reconciliation, own []P, before, after map[string]Told, resolved map[string]Resolution) (err error) {
	found.Payments = len(before)
	known := map[string]bool{}
	for _, p := range own {
		order := s.kind.Order(p)
		known[order.Key] = true
		s.compareOne(found, p, after[order.Key], resolved[order.Key])
		if order.wasPaid() {
			if found.Booked, err = found.Booked.Add(order.Amount); err != nil {
				return err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		t := before[name]
		if !known[name] {
			found.wrong(s.kind.Name, t.Ref, "the bank sent %s that the books do not know", t.Amount)
		}
		if found.Told, err = found.Told.Add(t.Amount); err != nil {
			return err
		}
	}
	return nil
}

// compareOne compares one payment with the report of the bank and with what a person has decided,
// if there are such.
func (s *service[T, K, P]) compareOne(found *Reconciliation, p P, told Told, decided Resolution) {
	order, progress := s.kind.Order(p), s.kind.Progress(&p)
	id, name, by, known := string(order.ID), s.kind.Name, s.kind.asked(), told != Told{}
	switch {
	case known && decided.settles(told, order.Amount, order.State):
	case known && (told.Party != order.Party || told.Amount != order.Amount):
		found.wrong(name, id, "the %s sent %s %s instead of %s %s%s%s", by, told.Amount, told.Party, order.Amount, order.Party, told.back(), decided)
	case known && order.State == Failed:
		found.wrong(name, id, "%s %s is booked as failed, but the %s sent it", order.Amount, order.Party, by)
	case order.wasPaid() && !known:
		found.wrong(name, id, "%s %s is booked as sent, but the %s tells no such %s", order.Amount, order.Party, by, name)
	case order.State == Back && !told.Back:
		found.wrong(name, id, "%s %s is booked as come back, but the %s does not tell so", order.Amount, order.Party, by)
	case order.State == Paid && told.Back:
		found.inFlight(id, "%s %s came back, and is not booked yet", order.Amount, order.Party)
	case order.State != Open:
	case progress.Answer.Refused():
		found.wrong("refused", id, "the %s refuses to send %s %s: %s, asked %d times", by, order.Amount, order.Party, progress.Answer, progress.Attempts)
	case known:
		found.inFlight(id, "%s %s: the %s has made it, and it is not booked yet%s", order.Amount, order.Party, by, never)
	default:
		s.waits(found, order, *progress)
	}
}

// waits notes an open payment that the bank does not report.
func (s *service[T, K, P]) waits(found *Reconciliation, order Order[K], p Progress) {
	u := Unanswered{ID: string(order.ID), Scope: order.Scope, Text: fmt.Sprintf("%s %s", order.Amount, order.Party), asked: s.kind.asked()}
	var as ledger.Finding
	switch {
	case p.Answer == "" && s.kind.Begin != nil:
		found.Unanswered = append(found.Unanswered, u)
		return
	case p.Answer == "":
		as = u.Begun()
	case p.Answer == InProgress:
		as = u.finding(inProgress, fmt.Sprintf("the %s has accepted it and has not finished, asked %d times%s", u.asked, p.Attempts, never))
	case p.Answer == NotAsPaid:
		as = u.finding(outcomeUnknown, "the "+u.asked+" has said another amount or account than it was told, and lists no payment; ask it"+never)
	default:
		as = u.finding(outcomeUnknown, fmt.Sprintf("the %s does not say whether it pays, asked %d times%s", u.asked, p.Attempts, never))
	}
	found.InFlight = append(found.InFlight, as)
}

func (r *Reconciliation) inFlight(subject, text string, args ...any) {
	r.InFlight = append(r.InFlight, ledger.Finding{Check: "in_flight", Subject: subject, Text: fmt.Sprintf(text, args...)})
}

func (r *Reconciliation) wrong(check, subject, text string, args ...any) {
	r.Findings = append(r.Findings, ledger.Finding{Check: check, Subject: subject, Text: fmt.Sprintf(text, args...)})
}
