package payments

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

// Reconciliation is what a comparison of returns with the bank has found.
type Reconciliation struct {
	// Returns counts those that the bank tells, which come to Told; Booked is what
	// the books have as sent back.
	Returns      int
	Told, Booked money.Amount
	// Findings are what is wrong, InFlight what is not sent back yet.
	Findings, InFlight []ledger.Finding
}

// reconcilePage is how many returns are read at once.
const reconcilePage = 500

// Reconcile holds the returns of an environment against what its bank tells. It
// changes nothing.
//
//   - what the books have as sent back, the bank tells with its session and amount,
//     and what the bank tells, the books know (check "return");
//   - the bank refuses none (check "refused").
//
// What else is not sent back yet is in flight (check "in_flight").
func (s *Service) Reconcile(ctx context.Context, env ferry.Env) (Reconciliation, error) {
	b, err := ferry.Provider(s.config.Banks, env, bank.ErrNone)
	if err != nil {
		return Reconciliation{Told: money.NGN(0), Booked: money.NGN(0)}, err
	}
	// The bank is read first, so that the books know of all it tells; what it
	// accepted while they were read, it tells when it is asked again.
	told, err := tellings(ctx, b)
	if err != nil {
		return Reconciliation{}, err
	}
	own, err := s.ofEnv(ctx, env)
	if err != nil {
		return Reconciliation{}, err
	}
	later := told
	if slices.ContainsFunc(own, func(r Return) bool { return r.State == ReturnAccepted && told[r.key()] == bank.Returned{} }) {
		if later, err = tellings(ctx, b); err != nil {
			return Reconciliation{}, err
		}
	}
	return compare(own, told, later)
}

// tellings is all that a bank sent back, by key, or by place where there is none.
func tellings(ctx context.Context, b bank.Bank) (map[string]bank.Returned, error) {
	told := map[string]bank.Returned{}
	var after bank.Cursor
	for {
		page, err := b.Returns(ctx, after, reconcilePage)
		if err != nil || len(page) == 0 {
			return told, err
		}
		for _, r := range page {
			name := r.Key
			if name == "" {
				name = "\x00" + string(r.Cursor)
			}
			told[name], after = r, r.Cursor
		}
	}
}

// ofEnv returns all returns of an environment.
func (s *Service) ofEnv(ctx context.Context, env ferry.Env) (all []Return, err error) {
	var after ReturnID
	for {
		page, err := ferry.InRead(ctx, s.units.In(env), func(ctx context.Context, tx Tx) ([]Return, error) {
			return tx.Payments().Returns().After(ctx, records.Where(records.Is("env", env)), after, reconcilePage)
		})
		if err != nil || len(page) == 0 {
			return all, err
		}
		all, after = append(all, page...), page[len(page)-1].ID
	}
}

// compare holds returns of the books against what was told before they were read,
// and after.
func compare(own []Return, before, after map[string]bank.Returned) (Reconciliation, error) {
	found := Reconciliation{Returns: len(before), Told: money.NGN(0), Booked: money.NGN(0)}
	known := map[string]bool{}
	var err error
	for _, r := range own {
		known[r.key()] = true
		found.hold(r, after[r.key()])
		if r.State == ReturnAccepted {
			if found.Booked, err = found.Booked.Add(r.Amount); err != nil {
				return found, err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		told := before[name]
		if !known[name] {
			found.wrong("return", told.SessionID, "the bank sent %s back, of which the books do not know", told.Amount)
		}
		if found.Told, err = found.Told.Add(told.Amount); err != nil {
			return found, err
		}
	}
	return found, nil
}

// hold holds one return against what the bank tells of it, if it does.
func (f *Reconciliation) hold(r Return, told bank.Returned) {
	id := string(r.ID)
	switch {
	case told != bank.Returned{} && (told.SessionID != r.Session || told.Amount != r.Amount):
		f.wrong("return", id, "the bank sent %s of session %s back instead of %s of session %s", told.Amount, told.SessionID, r.Amount, r.Session)
	case r.State == ReturnAccepted && told == bank.Returned{}:
		f.wrong("return", id, "%s of session %s is booked as sent back, but the bank tells no such return", r.Amount, r.Session)
	case r.State == ReturnAccepted:
	case r.Refused():
		f.wrong("refused", id, "the bank refuses to send %s of session %s back: %s, asked %d times", r.Amount, r.Session, r.Answer, r.Attempts)
	default:
		f.InFlight = append(f.InFlight, ledger.Finding{
			Check: "in_flight", Subject: id, Text: fmt.Sprintf("%s of session %s is not sent back yet", r.Amount, r.Session)})
	}
}

func (f *Reconciliation) wrong(check, subject, text string, args ...any) {
	f.Findings = append(f.Findings, ledger.Finding{Check: check, Subject: subject, Text: fmt.Sprintf(text, args...)})
}
