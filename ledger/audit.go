package ledger

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
)

// Finding is one thing that an audit found wrong.
type Finding struct {
	// Check names the rule: balance, control, reserved, floor, zero_sum.
	Check string
	// Subject is the account, asset or record concerned.
	Subject string
	// Text says what was expected and what was found.
	Text string
}

// Audit recounts the books of one environment from their entries:
//
//   - every counted account's Posted is the sum of its entries, and each
//     entry's BalanceAfter the running sum (check "balance");
//   - its Reserved is the sum of its open reservations (check "reserved");
//   - 0 <= Reserved <= Posted (check "floor");
//   - a control account is the sum of its subsidiaries (check "control");
//   - all accounts of an asset sum to zero (check "zero_sum").
//
// It reads within one unit, so that it sees one state.
func Audit(ctx context.Context, store Store, env ferry.Env) ([]Finding, error) {
	a := audit{
		ctx: ctx, store: store, env: env,
		controls: map[AccountID]Account{},
		sums:     map[AccountID]balances{},
		reserved: map[AccountID]money.Amount{},
		assets:   map[money.Asset]money.Amount{},
	}
	if err := a.countReservations(); err != nil {
		return nil, err
	}
	if err := a.countAccounts(); err != nil {
		return nil, err
	}
	a.compareControls()
	a.findStrayReservations()
	a.compareAssets()
	return a.findings, a.err
}

type audit struct {
	ctx      context.Context
	store    Store
	env      ferry.Env
	controls map[AccountID]Account      // accounts that others name as control
	sums     map[AccountID]balances     // by control account
	reserved map[AccountID]money.Amount // by account, from open reservations
	assets   map[money.Asset]money.Amount
	findings []Finding
	err      error // an overflow while counting
}

type balances struct{ posted, reserved money.Amount }

func (a *audit) find(check, subject, text string, args ...any) {
	a.findings = append(a.findings, Finding{check, subject, fmt.Sprintf(text, args...)})
}

func (a *audit) add(x, y money.Amount) money.Amount {
	sum, err := x.Add(y)
	if err != nil {
		a.err = err
	}
	return sum
}

func (a *audit) countReservations() error {
	open := ferry.WalkKeys(func(after ReservationID, limit int) ([]Reservation, error) {
		return a.store.OpenReservations(a.ctx, a.env, after, limit)
	}, func(r Reservation) ReservationID { return r.ID })
	for r, err := range open {
		if err != nil {
			return err
		}
		a.reserved[r.Account] = a.add(a.reserved[r.Account], r.Amount)
	}
	return nil
}

func (a *audit) countAccounts() error {
	accounts := ferry.WalkKeys(func(after AccountID, limit int) ([]Account, error) {
		return a.store.Accounts(a.ctx, a.env, after, limit)
	}, func(account Account) AccountID { return account.ID })
	for account, err := range accounts {
		if err == nil {
			err = a.countAccount(account)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *audit) countAccount(account Account) error {
	sum, entries, err := a.sumEntries(account)
	if err != nil {
		return err
	}
	a.assets[account.Asset] = a.add(a.assets[account.Asset], sum)
	if account.Uncounted {
		return nil
	}
	if account.Reserved.Sign() < 0 || account.Posted.Minor() < account.Reserved.Minor() {
		a.find("floor", string(account.ID), "posted %s, reserved %s", account.Posted, account.Reserved)
	}
	if entries == 0 && account.Control == "" {
		a.controls[account.ID] = account // a control account has no entries of its own
		return nil
	}
	held := a.reserved[account.ID]
	delete(a.reserved, account.ID)
	if sum.Minor() != account.Posted.Minor() {
		a.find("balance", string(account.ID), "entries sum to %s, posted is %s", sum, account.Posted)
	}
	if held.Minor() != account.Reserved.Minor() {
		a.find("reserved", string(account.ID), "open reservations hold %s, reserved is %s", held, account.Reserved)
	}
	if account.Control != "" {
		s := a.sums[account.Control]
		a.sums[account.Control] = balances{a.add(s.posted, account.Posted), a.add(s.reserved, account.Reserved)}
	}
	return nil
}

func (a *audit) sumEntries(account Account) (sum money.Amount, count int, err error) {
	for e, err := range entriesOn(a.ctx, a.store, account.ID) {
		if err != nil {
			return sum, count, err
		}
		sum = a.add(sum, e.Amount)
		if !account.Uncounted && e.BalanceAfter.Minor() != sum.Minor() {
			a.find("balance", e.ID.String(), "running sum is %s, balance after is %s", sum, e.BalanceAfter)
		}
		count++
	}
	return sum, count, nil
}

// entriesOn walks the entries of an account, oldest first.
func entriesOn(ctx context.Context, store Store, id AccountID) iter.Seq2[Entry, error] {
	return ferry.WalkKeys(func(after EntryID, limit int) ([]Entry, error) {
		return store.Entries(ctx, id, after, limit)
	}, func(e Entry) EntryID { return e.ID })
}

// Sum sums the entries of an account; nothing when it was not opened. Of an uncounted
// account it is the balance.
func Sum(ctx context.Context, store Store, id AccountID) (sum money.Amount, err error) {
	for e, err := range entriesOn(ctx, store, id) {
		if errors.Is(err, ErrAccountNotFound) {
			return sum, nil
		}
		if err == nil {
			sum, err = sum.Add(e.Amount)
		}
		if err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// compareControls checks accounts without entries: control accounts against
// their subsidiaries, and empty accounts against nothing.
func (a *audit) compareControls() {
	for _, id := range slices.Sorted(maps.Keys(a.controls)) {
		account, sum := a.controls[id], a.sums[id]
		if sum.posted.Minor() != account.Posted.Minor() || sum.reserved.Minor() != account.Reserved.Minor() {
			a.find("control", string(id), "subsidiaries hold %s with %s reserved, control says %s with %s",
				sum.posted, sum.reserved, account.Posted, account.Reserved)
		}
		delete(a.sums, id)
	}
	for _, id := range slices.Sorted(maps.Keys(a.sums)) {
		a.find("control", string(id), "subsidiaries name a control account that is missing or has entries of its own")
	}
}

// findStrayReservations finds what is left of the open reservations when those
// of all accounts with entries are counted.
func (a *audit) findStrayReservations() {
	for _, id := range slices.Sorted(maps.Keys(a.reserved)) {
		a.find("reserved", string(id), "open reservations hold %s of an account that cannot have it", a.reserved[id])
	}
}

func (a *audit) compareAssets() {
	for _, asset := range slices.Sorted(maps.Keys(a.assets)) {
		if sum := a.assets[asset]; !sum.IsZero() {
			a.find("zero_sum", asset.String(), "all accounts sum to %s", sum)
		}
	}
}
