package bankfeed

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
)

// Reconciliation is what a comparison of a bank's feed with the books has found.
type Reconciliation struct {
	// Credits counts the sessions that the bank reports. Told is their sum, and Booked
	// the sum of those that are booked.
	Credits      int
	Told, Booked money.Amount
	// Findings are what is wrong, InFlight what the worker has not come to.
	Findings, InFlight []ledger.Finding
}

// reconcilePage is how many credits are read at once.
const reconcilePage = 500

// Reconcile reads the whole feed of an environment's bank and compares it with the
// books. It changes nothing.
//
//   - every credit before the place reached is booked, with its amount, to who
//     owns the account or to suspense (check "credit");
//   - every booked credit is reported by the bank (check "booked");
//   - what each account received is what was booked for it (check "account");
//   - the same for recalls (checks "recall" and "booked");
//   - nothing is held in suspense, suspense owes nothing for a recall, and nothing else
//     moved it (check "suspense").
//
// An invalid credit is listed as not booked. A credit after the place reached is in flight
// (check "in_flight").
func (s *Service) Reconcile(ctx context.Context, env ferry.Env) (Reconciliation, error) {
	b, err := ferry.Provider(s.config.Banks, env, bank.ErrNone)
	if err != nil {
		return Reconciliation{Told: money.NGN(0), Booked: money.NGN(0)}, err
	}
	r := reconciler{
		Service: s, env: env, told: map[string]string{}, recalls: map[string]bool{}, accounts: map[string]sums{},
		found: Reconciliation{Told: money.NGN(0), Booked: money.NGN(0)},
	}
	if err := r.readFeed(ctx, b); err != nil {
		return Reconciliation{}, err
	}
	r.compareAccounts()
	suspects, err := r.readBooks(ctx)
	if err != nil || len(suspects) == 0 {
		return r.found, errors.Join(err, r.readSuspense(ctx))
	}
	// The feed now has what was booked while it was read.
	if err := r.readFeed(ctx, b); err != nil {
		return Reconciliation{}, err
	}
	for _, suspect := range suspects {
		if !r.tells(suspect) {
			r.found.Findings = append(r.found.Findings, suspect.finding())
		}
	}
	return r.found, r.readSuspense(ctx)
}

type reconciler struct {
	*Service
	env      ferry.Env
	told     map[string]string // account numbers by session
	recalls  map[string]bool   // sessions that were recalled
	accounts map[string]sums   // by number
	after    bank.Cursor       // the place up to which the feed was read
	reached  bool              // the place up to which it was booked
	found    Reconciliation
}

// sums are what an account received, and what of it was booked, in kobo.
type sums struct{ told, booked int64 }

// readFeed compares every credit. The place reached is read first, so that what
// is before it was booked before it was looked for.
func (r *reconciler) readFeed(ctx context.Context, b bank.Bank) error {
	place, err := readPlace(ctx, r.units, r.env)
	if err != nil {
		return err
	}
	r.reached = r.reached || place == ""
	for {
		credits, err := b.Credits(ctx, r.after, reconcilePage)
		if err != nil {
			return err
		}
		for _, c := range credits {
			if err := r.compare(ctx, c); err != nil {
				return err
			}
			r.after = c.Cursor
			r.reached = r.reached || r.after == place
		}
		if len(credits) == 0 {
			return nil
		}
	}
}

// compare holds one credit against its posting.
func (r *reconciler) compare(ctx context.Context, c bank.Credit) error {
	if err := check(c); err != nil {
		r.unbooked(c, err.Error())
		return nil
	}
	if c.Recalled {
		return r.compareRecall(ctx, c)
	}
	if _, told := r.told[c.SessionID]; told {
		return nil // told twice
	}
	r.told[c.SessionID] = c.AccountNumber
	r.found.Credits++
	p, err := ferry.InRead(ctx, r.units.In(r.env), func(ctx context.Context, tx Tx) (posted, error) {
		return postingOf(ctx, tx, r.env, c)
	})
	if err != nil {
		return err
	}
	if p.absent {
		r.unbooked(c, fmt.Sprintf("%s to account %s is not booked", c.Amount, c.AccountNumber))
		if r.reached {
			r.found.Told, err = r.found.Told.Add(c.Amount)
			return err
		}
	} else if text := p.fault(c); text != "" {
		r.found.Findings = append(r.found.Findings, ledger.Finding{Check: "credit", Subject: c.SessionID, Text: text})
	}
	return r.count(c, p.amount)
}

// unbooked adds a credit that is not booked: a finding, or in flight after the place reached.
func (r *reconciler) unbooked(c bank.Credit, text string) {
	if r.reached {
		r.found.InFlight = append(r.found.InFlight, ledger.Finding{Check: "in_flight", Subject: c.SessionID, Text: text})
		return
	}
	kind := "credit"
	if c.Recalled {
		kind = "recall"
	}
	r.found.Findings = append(r.found.Findings, ledger.Finding{Check: kind, Subject: c.SessionID, Text: text})
}

// posted is what was booked for a credit.
type posted struct {
	absent bool
	amount money.Amount
	// to is the account that has the credit, or its first part. owner is the account
	// that should have it, or suspense should, when the account had no owner. owner is
	// empty for an account that is not a source account.
	to, owner, suspense ledger.AccountID
}

func postingOf(ctx context.Context, tx Tx, env ferry.Env, c bank.Credit) (posted, error) {
	p := posted{amount: money.NGN(0), suspense: ledger.SystemAccount(env, ledger.Suspense, money.AssetNGN)}
	legs, err := tx.Ledger().Legs(ctx, PostingID(env, c.SessionID))
	if err != nil || len(legs) == 0 {
		p.absent = err == nil
		return p, err
	}
	p.amount, p.to = legs[0].Amount.Neg(), legs[1].Account
	account, err := AccountByNumber(ctx, tx, env, c.AccountNumber)
	if errors.Is(err, ErrAccountUnknown) {
		return p, nil
	}
	p.owner = ledger.BusinessAccount(account.Scope, money.AssetNGN)
	return p, err
}

// fault says what is wrong with a posting, or nothing.
func (p posted) fault(c bank.Credit) string {
	switch {
	case p.amount != c.Amount:
		return fmt.Sprintf("%s to account %s is booked as %s", c.Amount, c.AccountNumber, p.amount)
	case p.owner != "" && p.to != p.owner && p.to != p.suspense:
		return fmt.Sprintf("%s to account %s is booked on %s", c.Amount, c.AccountNumber, p.to)
	}
	return ""
}

// count adds a credit to the sums.
func (r *reconciler) count(c bank.Credit, booked money.Amount) (err error) {
	if r.found.Told, err = r.found.Told.Add(c.Amount); err != nil {
		return err
	}
	if r.found.Booked, err = r.found.Booked.Add(booked); err != nil {
		return err
	}
	a := r.accounts[c.AccountNumber]
	a.told += c.Amount.Minor()
	a.booked += booked.Minor()
	r.accounts[c.AccountNumber] = a
	return nil
}

func (r *reconciler) compareAccounts() {
	for _, number := range slices.Sorted(maps.Keys(r.accounts)) {
		if a := r.accounts[number]; a.told != a.booked {
			r.found.Findings = append(r.found.Findings, ledger.Finding{Check: "account", Subject: number, Text: fmt.Sprintf(
				"received %s, of which %s is booked", money.NGN(a.told), money.NGN(a.booked))})
		}
	}
}
