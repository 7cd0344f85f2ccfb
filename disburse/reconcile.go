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
	// Findings are what is wrong, InFlight what is not paid yet.
	Findings, InFlight []ledger.Finding
}

// reconcilePage is how many payments are read at once.
const reconcilePage = 500

// Reconcile compares the payments of an environment with the reports of its bank. It
// changes nothing.
//
//   - the bank reports each payment that is booked as paid, with its party and amount, and
//     each report has a payment that is paid or open (the check is the name of the kind);
//   - the bank refuses no open payment (check "refused").
//
// A payment that a person has resolved is compared by its amount: one that counts as paid may have
// gone to another account, and one that does not may have come back.
//
// All other open payments are in flight (check "in_flight"), and those that came back and are
// not booked yet.
func (s *Service[T, K, P]) Reconcile(ctx context.Context, env ferry.Env) (Reconciliation, error) {
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
func (s *Service[T, K, P]) told(ctx context.Context, b bank.Bank) (map[string]Told, error) {
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
func (s *Service[T, K, P]) ofEnv(ctx context.Context, env ferry.Env) (all []P, err error) {
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
func (s *Service[T, K, P]) compare(found *Reconciliation, own []P, before, after map[string]Told, resolved map[string]Resolution) (err error) {
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
func (s *Service[T, K, P]) compareOne(found *Reconciliation, p P, told Told, by Resolution) {
	order, progress := s.kind.Order(p), s.kind.Progress(&p)
	id, name, known := string(order.ID), s.kind.Name, told != Told{}
	switch {
	case known && by.settles(told, order.Amount):
	case known && (told.Party != order.Party || told.Amount != order.Amount):
		found.wrong(name, id, "the bank sent %s %s instead of %s %s%s", told.Amount, told.Party, order.Amount, order.Party, by)
	case known && order.State == Failed:
		found.wrong(name, id, "%s %s is booked as failed, but the bank sent it", order.Amount, order.Party)
	case order.wasPaid() && !known:
		found.wrong(name, id, "%s %s is booked as sent, but the bank tells no such %s", order.Amount, order.Party, name)
	case order.State == Back && !told.Back:
		found.wrong(name, id, "%s %s is booked as come back, but the bank does not tell so", order.Amount, order.Party)
	case order.State == Paid && told.Back:
		found.inFlight(id, "%s %s came back, and is not booked yet", order.Amount, order.Party)
	case order.State != Open:
	case progress.Answer.Refused():
		found.wrong("refused", id, "the bank refuses to send %s %s: %s, asked %d times", order.Amount, order.Party, progress.Answer, progress.Attempts)
	default:
		found.inFlight(id, "%s %s is not sent yet", order.Amount, order.Party)
	}
}

func (r *Reconciliation) inFlight(subject, text string, args ...any) {
	r.InFlight = append(r.InFlight, ledger.Finding{Check: "in_flight", Subject: subject, Text: fmt.Sprintf(text, args...)})
}

func (r *Reconciliation) wrong(check, subject, text string, args ...any) {
	r.Findings = append(r.Findings, ledger.Finding{Check: check, Subject: subject, Text: fmt.Sprintf(text, args...)})
}
