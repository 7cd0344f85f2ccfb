package memstore

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
)

// account is an account and its entries. Unlike other rows it is changed in
// place, because it is what every posting touches; a move is undone by the
// opposite move.
type account struct {
	ledger.Account
	control   *account // or nil
	isControl bool     // others name it as control
	entries   []*entry
}

// entry is an entry that knows its position in the list of its account.
type entry struct {
	ledger.Entry
	account  *account
	position int
}

type ledgerTables struct {
	accounts table[ledger.AccountID, *account]
	byEnv    index[ferry.Env, ledger.AccountID] // by id
	byScope  index[ferry.Scope, ledger.AccountID]

	postings table[ledger.PostingID, []entry]

	reservations table[ledger.ReservationID, ledger.Reservation]
	open         index[ferry.Env, ledger.ReservationID] // by id
}

func newLedgerTables() ledgerTables {
	return ledgerTables{
		accounts:     table[ledger.AccountID, *account]{},
		byEnv:        index[ferry.Env, ledger.AccountID]{},
		byScope:      index[ferry.Scope, ledger.AccountID]{},
		postings:     table[ledger.PostingID, []entry]{},
		reservations: table[ledger.ReservationID, ledger.Reservation]{},
		open:         index[ferry.Env, ledger.ReservationID]{},
	}
}

type ledgerStore struct{ *unit }

var _ ledger.Store = ledgerStore{}

// Ledger returns the port of the books.
func (u *unit) Ledger() ledger.Store { return ledgerStore{u} }

func (s ledgerStore) OpenAccount(_ context.Context, a ledger.Account) error {
	if err := s.writable(); err != nil {
		return err
	}
	t := &s.tables.ledger
	if _, taken := t.accounts[a.ID]; taken {
		return ledger.ErrAccountExists
	}
	a.Posted, a.Reserved = money.Of(a.Asset, 0), money.Of(a.Asset, 0)
	opened := &account{Account: a}
	if a.Control != "" {
		if err := s.putUnder(opened, a.Control); err != nil {
			return err
		}
	}
	t.accounts.put(s.undo, a.ID, opened)
	t.byEnv.add(s.undo, a.Scope.Env, place[ledger.AccountID]{id: a.ID})
	t.byScope.add(s.undo, a.Scope, place[ledger.AccountID]{id: a.ID})
	return nil
}

// putUnder makes an account the subsidiary of a control account.
func (s ledgerStore) putUnder(a *account, id ledger.AccountID) error {
	control, found := s.tables.ledger.accounts[id]
	switch {
	case !found:
		return fmt.Errorf("%w: %s, the control account of %s", ledger.ErrAccountNotFound, id, a.ID)
	case a.Uncounted || control.Uncounted || control.control != nil || control.Asset != a.Asset || len(control.entries) > 0:
		return fmt.Errorf("memstore: account %s cannot be summed by %s", a.ID, id)
	}
	a.control = control
	was := control.isControl
	s.undo.add(func() { control.isControl = was })
	control.isControl = true
	return nil
}

func (s ledgerStore) Account(_ context.Context, id ledger.AccountID) (ledger.Account, error) {
	a, err := s.account(id)
	if err != nil {
		return ledger.Account{}, err
	}
	return a.Account, nil
}

func (s ledgerStore) account(id ledger.AccountID) (*account, error) {
	a, found := s.tables.ledger.accounts[id]
	if !found {
		return nil, fmt.Errorf("%w: %s", ledger.ErrAccountNotFound, id)
	}
	return a, nil
}

// Post applies all legs, then looks whether any account fell too low, and takes
// them back if so.
func (s ledgerStore) Post(_ context.Context, p ledger.Posting) error {
	if err := s.writable(); err != nil {
		return err
	}
	t := &s.tables.ledger
	if _, posted := t.postings[p.ID]; posted {
		return fmt.Errorf("%w: %s", ledger.ErrPosted, p.ID)
	}
	entries := make([]entry, len(p.Legs))
	for i, leg := range p.Legs {
		if err := s.apply(&entries[i], p, i, leg); err != nil {
			takeBack(entries[:i])
			return err
		}
	}
	if err := checkFloors(entries); err != nil {
		takeBack(entries)
		return err
	}
	t.postings[p.ID] = entries
	s.undo.add(func() {
		takeBack(entries)
		delete(t.postings, p.ID)
	})
	return nil
}

// apply moves the account of a leg and its control account, and appends the
// entry e. When it fails, nothing has changed.
func (s ledgerStore) apply(e *entry, p ledger.Posting, i int, leg ledger.Leg) error {
	a, err := s.account(leg.Account)
	if err != nil {
		return err
	}
	if a.isControl || a.Asset != leg.Amount.Asset() || a.Scope.Env != p.Env {
		return fmt.Errorf("memstore: posting %s cannot move %s on %s", p.ID, leg.Amount, a.ID)
	}
	*e = entry{account: a, position: len(a.entries), Entry: ledger.Entry{
		ID:      ledger.EntryID{Posting: p.ID, Leg: i},
		Account: a.ID, Amount: leg.Amount, Kind: p.Kind, Ref: p.Ref, At: p.At,
	}}
	if !a.Uncounted {
		if err := a.move(leg.Amount, money.Amount{}); err != nil {
			return err
		}
		e.BalanceAfter = a.Posted
		if a.control != nil {
			e.ControlAfter = a.control.Posted
		}
	}
	a.entries = append(a.entries, e)
	return nil
}

// move adds to what an account and its control account have posted and
// reserved. When it fails, nothing has changed.
func (a *account) move(posted, reserved money.Amount) error {
	if a.control != nil {
		if err := a.control.move(posted, reserved); err != nil {
			return err
		}
	}
	newPosted, err := a.Posted.Add(posted)
	if err != nil {
		return err
	}
	newReserved, err := a.Reserved.Add(reserved)
	if err != nil {
		return err
	}
	a.Posted, a.Reserved = newPosted, newReserved
	return nil
}

// takeBack undoes applied entries, the last one first.
func takeBack(entries []entry) {
	for i := len(entries) - 1; i >= 0; i-- {
		e := &entries[i]
		e.account.entries = e.account.entries[:e.position]
		if !e.account.Uncounted {
			e.account.moveBack(e.Amount, money.Amount{})
		}
	}
}

// moveBack is the opposite of a move that succeeded.
func (a *account) moveBack(posted, reserved money.Amount) {
	if err := a.move(posted.Neg(), reserved.Neg()); err != nil {
		panic(fmt.Sprintf("memstore: account %s cannot go back: %v", a.ID, err))
	}
}

// checkFloors refuses entries that leave an account less than is reserved.
func checkFloors(entries []entry) error {
	for i := range entries {
		a := entries[i].account
		if a.Uncounted || a.Posted.Minor() >= a.Reserved.Minor() {
			continue
		}
		var net money.Amount
		for j := range entries {
			if entries[j].account == a {
				net, _ = net.Add(entries[j].Amount) // a part of a sum that fits
			}
		}
		left := a.Available()
		before, _ := left.Sub(net)
		return ledger.Insufficient(a.ID, before, net.Neg())
	}
	return nil
}

func (s ledgerStore) Reserve(_ context.Context, r ledger.Reservation) error {
	if err := s.writable(); err != nil {
		return err
	}
	t := &s.tables.ledger
	if _, taken := t.reservations[r.ID]; taken {
		return fmt.Errorf("%w: %s", ledger.ErrReserved, r.ID)
	}
	a, err := s.account(r.Account)
	if err != nil {
		return err
	}
	if a.Uncounted || a.isControl || a.Asset != r.Amount.Asset() {
		return fmt.Errorf("memstore: cannot reserve %s on %s", r.Amount, a.ID)
	}
	if left := a.Available(); left.Minor() < r.Amount.Minor() {
		return ledger.Insufficient(a.ID, left, r.Amount)
	}
	if err := s.hold(a, r.Amount); err != nil {
		return err
	}
	t.reservations.put(s.undo, r.ID, r)
	t.open.add(s.undo, a.Scope.Env, place[ledger.ReservationID]{id: r.ID})
	return nil
}

// hold adds to what an account has reserved.
func (s ledgerStore) hold(a *account, amount money.Amount) error {
	if err := a.move(money.Amount{}, amount); err != nil {
		return err
	}
	s.undo.add(func() { a.moveBack(money.Amount{}, amount) })
	return nil
}

// Settle frees the reserved amount before it posts, so that the posting finds
// it available. A posting that is refused leaves the reservation as it was.
func (s ledgerStore) Settle(ctx context.Context, id ledger.ReservationID, taken money.Amount, p ledger.Posting) error {
	if err := s.writable(); err != nil {
		return err
	}
	mark := len(*s.undo)
	if err := s.end(ctx, id, ledger.Settled, taken); err != nil {
		return err
	}
	if err := s.Post(ctx, p); err != nil {
		s.undo.rollbackTo(mark)
		return err
	}
	return nil
}

func (s ledgerStore) Release(ctx context.Context, id ledger.ReservationID) error {
	if err := s.writable(); err != nil {
		return err
	}
	return s.end(ctx, id, ledger.Released, money.Amount{})
}

// end moves an open reservation to a final state and frees what it held.
func (s ledgerStore) end(ctx context.Context, id ledger.ReservationID, state ledger.ReservationState, taken money.Amount) error {
	r, err := s.Reservation(ctx, id)
	if err != nil {
		return err
	}
	if r.State != ledger.Open {
		return fmt.Errorf("%w: %s is %s", ledger.ErrReservationEnded, id, r.State)
	}
	t := &s.tables.ledger
	a := t.accounts[r.Account]
	if err := s.hold(a, r.Amount.Neg()); err != nil {
		return err
	}
	r.State, r.Settled = state, taken
	t.reservations.put(s.undo, id, r)
	t.open.drop(s.undo, a.Scope.Env, place[ledger.ReservationID]{id: id})
	return nil
}

func (s ledgerStore) Reservation(_ context.Context, id ledger.ReservationID) (ledger.Reservation, error) {
	r, found := s.tables.ledger.reservations[id]
	if !found {
		return r, fmt.Errorf("%w: %s", ledger.ErrReservationNotFound, id)
	}
	return r, nil
}

func (s ledgerStore) Entry(_ context.Context, id ledger.EntryID) (ledger.Entry, error) {
	e, found := s.entry(id)
	if !found {
		return ledger.Entry{}, fmt.Errorf("%w: %s", ledger.ErrEntryNotFound, id)
	}
	return e.Entry, nil
}

func (s ledgerStore) entry(id ledger.EntryID) (*entry, bool) {
	entries := s.tables.ledger.postings[id.Posting]
	if id.Leg < 0 || id.Leg >= len(entries) {
		return nil, false
	}
	return &entries[id.Leg], true
}

func (s ledgerStore) Entries(_ context.Context, id ledger.AccountID, after ledger.EntryID, limit int) ([]ledger.Entry, error) {
	a, err := s.account(id)
	if err != nil {
		return nil, err
	}
	start := 0
	if after != (ledger.EntryID{}) {
		e, found := s.entry(after)
		if !found || e.account != a {
			return nil, fmt.Errorf("%w: %s on %s", ledger.ErrEntryNotFound, after, id)
		}
		start = e.position + 1
	}
	rest := a.entries[start:]
	page := make([]ledger.Entry, 0, min(limit, len(rest)))
	for _, e := range rest[:min(limit, len(rest))] {
		page = append(page, e.Entry)
	}
	return page, nil
}

func (s ledgerStore) Accounts(_ context.Context, env ferry.Env, after ledger.AccountID, limit int) ([]ledger.Account, error) {
	t := &s.tables.ledger
	rest := t.byEnv.after(env, place[ledger.AccountID]{id: after})
	page := make([]ledger.Account, 0, min(limit, len(rest)))
	for _, p := range rest[:min(limit, len(rest))] {
		page = append(page, t.accounts[p.id].Account)
	}
	return page, nil
}

func (s ledgerStore) OpenReservations(_ context.Context, env ferry.Env, after ledger.ReservationID, limit int) ([]ledger.Reservation, error) {
	t := &s.tables.ledger
	rest := t.open.after(env, place[ledger.ReservationID]{id: after})
	page := make([]ledger.Reservation, 0, min(limit, len(rest)))
	for _, p := range rest[:min(limit, len(rest))] {
		page = append(page, t.reservations[p.id])
	}
	return page, nil
}

func (s ledgerStore) Totals(_ context.Context, scope ferry.Scope) ([]ledger.Total, error) {
	t := &s.tables.ledger
	var totals []ledger.Total
	for _, p := range t.byScope[scope] {
		a := t.accounts[p.id]
		if a.Uncounted || a.isControl {
			continue
		}
		var err error
		if totals, err = addTotal(totals, a.Account); err != nil {
			return nil, err
		}
	}
	return totals, nil
}

// addTotal adds an account to the total of its asset.
func addTotal(totals []ledger.Total, a ledger.Account) ([]ledger.Total, error) {
	i := 0
	for i < len(totals) && totals[i].Asset < a.Asset {
		i++
	}
	if i == len(totals) || totals[i].Asset != a.Asset {
		totals = append(totals[:i], append([]ledger.Total{{Asset: a.Asset}}, totals[i:]...)...)
	}
	t := &totals[i]
	var err error
	if t.Posted, err = t.Posted.Add(a.Posted); err != nil {
		return nil, err
	}
	t.Reserved, err = t.Reserved.Add(a.Reserved)
	return totals, err
}
