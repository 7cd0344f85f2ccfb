package memstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore/internal/rowlog"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
)

type ledgerStore struct{ *unit }

var _ ledger.Store = ledgerStore{}

// Ledger returns the port of the books.
func (u *unit) Ledger() ledger.Store { return ledgerStore{u} }

func (s ledgerStore) OpenAccount(_ context.Context, v ledger.Account) error {
	if err := s.writable(); err != nil {
		return err
	}
	t := &s.tables.ledger
	if t.number(v.ID) != 0 {
		return fmt.Errorf("%w: %s", ledger.ErrAccountExists, v.ID)
	}
	a := account{scope: t.scopes.number(v.Scope), asset: v.Asset, uncounted: v.Uncounted}
	if v.Control != "" {
		if err := s.putUnder(&a, v); err != nil {
			return err
		}
	}
	n := t.accounts.add(a)
	made := t.accounts.at(n)
	made.id = t.heap.near.Add(rowlog.Owner{Table: t.accountTable, Row: n}, packID(nil, string(v.ID)))
	s.undo.add(undoFunc(func() {
		t.heap.near.Drop(made.id)
		t.accounts.cut(n - 1)
	}))
	t.accountNo.add(s.undo, hashOf(string(v.ID)), n)
	t.byEnv.add(s.undo, digestOf(v.Scope.Env), 0, n)
	t.byScope.add(s.undo, digestOf(v.Scope), 0, n)
	return nil
}

// putUnder makes a new account the subsidiary of a control account.
func (s ledgerStore) putUnder(a *account, v ledger.Account) error {
	n, control, err := s.tables.ledger.account(v.Control)
	if err != nil {
		return err
	}
	if a.uncounted || control.uncounted || control.control != 0 || control.first != 0 || control.asset != a.asset {
		return fmt.Errorf("memstore: account %s cannot be summed by %s", v.ID, v.Control)
	}
	was := control.isControl
	s.undo.add(undoFunc(func() { control.isControl = was }))
	a.control, control.isControl = n, true
	return nil
}

func (s ledgerStore) Account(_ context.Context, id ledger.AccountID) (ledger.Account, error) {
	t := &s.tables.ledger
	n, _, err := t.account(id)
	if err != nil {
		return ledger.Account{}, err
	}
	return t.view(n), nil
}

// Post applies all legs, then looks whether any account fell too low, and takes
// them back if so.
func (s ledgerStore) Post(_ context.Context, p ledger.Posting) error {
	if err := s.writable(); err != nil {
		return err
	}
	t := &s.tables.ledger
	if t.posting(p.ID) != 0 {
		return fmt.Errorf("%w: %s", ledger.ErrPosted, p.ID)
	}
	n := t.postings.add(posting{at: p.At.UnixMicro(), first: t.entries.length + 1, legs: uint32(len(p.Legs))})
	var room [256]byte
	t.postings.at(n).texts = t.heap.rows.Add(rowlog.Owner{Table: t.postingTable, Row: n}, appendTexts(room[:0], p))
	if err := s.applyAll(p, n); err != nil {
		t.takeBack()
		return err
	}
	s.undo.add(t)
	t.postingNo.add(s.undo, hashOf(p.ID), n)
	return nil
}

func (s ledgerStore) applyAll(p ledger.Posting, n uint32) error {
	t := &s.tables.ledger
	mark := t.entries.length
	for _, leg := range p.Legs {
		if err := t.apply(p.Env, n, leg); err != nil {
			return err
		}
	}
	return t.checkFloors(mark)
}

func (s ledgerStore) Reserve(_ context.Context, r ledger.Reservation) error {
	if err := s.writable(); err != nil {
		return err
	}
	t := &s.tables.ledger
	if known, _, _ := t.reservation(r.ID); known != 0 {
		return fmt.Errorf("%w: %s", ledger.ErrReserved, r.ID)
	}
	n, a, err := t.account(r.Account)
	if err != nil {
		return err
	}
	amount := r.Amount.Minor()
	switch left := a.posted - a.reserved; {
	case a.uncounted || a.isControl || a.asset != r.Amount.Asset():
		return fmt.Errorf("memstore: cannot reserve %s on %s", r.Amount, r.Account)
	case left < amount:
		return ledger.Insufficient(r.Account, money.Of(a.asset, left), r.Amount)
	}
	if err := t.move(a, 0, amount); err != nil {
		return err
	}
	number := t.reservations.add(reservation{
		account: n, amount: amount, state: uint8(slices.Index(reservationStates, r.State)), at: r.At.UnixMicro(),
	})
	made := t.reservations.at(number)
	made.id = t.heap.near.Add(rowlog.Owner{Table: t.reservationTable, Row: number}, packID(nil, string(r.ID)))
	s.undo.add(undoFunc(func() {
		t.heap.near.Drop(made.id)
		t.reservations.cut(number - 1)
		t.moveBack(a, 0, amount)
	}))
	t.reservationNo.add(s.undo, hashOf(string(r.ID)), number)
	t.open.add(s.undo, digestOf(t.scope(a).Env), 0, number)
	return nil
}

// Settle frees the reserved amount before it posts, so that the posting finds
// it available. A posting that is refused leaves the reservation as it was.
func (s ledgerStore) Settle(ctx context.Context, id ledger.ReservationID, taken money.Amount, p ledger.Posting) error {
	if err := s.writable(); err != nil {
		return err
	}
	mark := len(*s.undo)
	if err := s.end(id, ledger.Settled, taken.Minor()); err != nil {
		return err
	}
	if err := s.Post(ctx, p); err != nil {
		s.undo.rollbackTo(mark)
		return err
	}
	return nil
}

func (s ledgerStore) Release(_ context.Context, id ledger.ReservationID) error {
	if err := s.writable(); err != nil {
		return err
	}
	return s.end(id, ledger.Released, 0)
}

// end moves an open reservation to a final state and frees what it held.
func (s ledgerStore) end(id ledger.ReservationID, state ledger.ReservationState, taken int64) error {
	t := &s.tables.ledger
	n, r, err := t.reservation(id)
	if err != nil {
		return err
	}
	if was := reservationStates[r.state]; was != ledger.Open {
		return fmt.Errorf("%w: %s is %s", ledger.ErrReservationEnded, id, was)
	}
	a := t.accounts.at(r.account)
	if err := t.move(a, 0, -r.amount); err != nil {
		return err
	}
	open := r.state
	r.state, r.settled = uint8(slices.Index(reservationStates, state)), taken
	s.undo.add(undoFunc(func() {
		r.state, r.settled = open, 0
		t.moveBack(a, 0, -r.amount)
	}))
	t.open.drop(s.undo, digestOf(t.scope(a).Env), 0, n)
	return nil
}

func (s ledgerStore) Reservation(_ context.Context, id ledger.ReservationID) (ledger.Reservation, error) {
	t := &s.tables.ledger
	n, _, err := t.reservation(id)
	if err != nil {
		return ledger.Reservation{}, err
	}
	return t.viewReservation(n), nil
}

// PrefetchAccount and those after it do nothing: all is in memory.
func (s ledgerStore) PrefetchAccount(ledger.AccountID)  {}
func (s ledgerStore) PrefetchLegs(ledger.PostingID)     {}
func (s ledgerStore) PrefetchAccountsOf(records.Values) {}
func (s ledgerStore) PrefetchLegsOf(records.Values)     {}

func (s ledgerStore) Legs(_ context.Context, id ledger.PostingID) ([]ledger.Entry, error) {
	t := &s.tables.ledger
	n := t.posting(id)
	if n == 0 {
		return nil, nil
	}
	p := t.postings.at(n)
	legs := make([]ledger.Entry, p.legs)
	for leg := range legs {
		legs[leg] = t.viewEntry(p.first + uint32(leg))
	}
	return legs, nil
}

func (s ledgerStore) Entries(_ context.Context, id ledger.AccountID, after ledger.EntryID, limit int) ([]ledger.Entry, error) {
	t := &s.tables.ledger
	number, a, err := t.account(id)
	if err != nil {
		return nil, err
	}
	next := a.first
	if after != (ledger.EntryID{}) {
		n := t.entry(after)
		if n == 0 || t.entries.at(n).account != number {
			return nil, fmt.Errorf("%w: %s on %s", ledger.ErrEntryNotFound, after, id)
		}
		next = t.entries.at(n).next
	}
	var page []ledger.Entry
	for ; next != 0 && len(page) < limit; next = t.entries.at(next).next {
		page = append(page, t.viewEntry(next))
	}
	return page, nil
}

func (s ledgerStore) Accounts(_ context.Context, env ferry.Env, after ledger.AccountID, limit int) ([]ledger.Account, error) {
	t := &s.tables.ledger
	page := []ledger.Account{}
	for p := range t.byEnv.of(digestOf(env)).where(func(p spot) int { return follows(t.accountID(p.row), after) }) {
		if len(page) >= limit {
			break
		}
		page = append(page, t.view(p.row))
	}
	return page, nil
}

func (s ledgerStore) OpenReservations(_ context.Context, env ferry.Env, after ledger.ReservationID, limit int) ([]ledger.Reservation, error) {
	t := &s.tables.ledger
	page := []ledger.Reservation{}
	for p := range t.open.of(digestOf(env)).where(func(p spot) int { return follows(t.reservationID(p.row), after) }) {
		if len(page) >= limit {
			break
		}
		page = append(page, t.viewReservation(p.row))
	}
	return page, nil
}

func (s ledgerStore) Totals(_ context.Context, scope ferry.Scope) ([]ledger.Total, error) {
	t := &s.tables.ledger
	var totals []ledger.Total
	for p := range t.byScope.of(digestOf(scope)).all() {
		a := t.accounts.at(p.row)
		if a.uncounted || a.isControl {
			continue
		}
		i := slices.IndexFunc(totals, func(sum ledger.Total) bool { return sum.Asset == a.asset })
		if i < 0 {
			i = len(totals)
			totals = append(totals, ledger.Total{Asset: a.asset})
		}
		if err := addTo(&totals[i], t.view(p.row)); err != nil {
			return nil, err
		}
	}
	return totals, nil
}

// addTo adds an account to the total of its asset.
func addTo(sum *ledger.Total, a ledger.Account) (err error) {
	if sum.Posted, err = sum.Posted.Add(a.Posted); err != nil {
		return err
	}
	sum.Reserved, err = sum.Reserved.Add(a.Reserved)
	return err
}
