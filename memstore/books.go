package memstore

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore/internal/rowlog"
	"github.com/ferrypay/ferry/money"
)

// The books are what every operation touches and what there is most of.
// Therefore their rows are small, stand in slabs, name each other by number and
// are changed in place; a move is undone by the opposite move.

// account is an account and the ends of the chain of its entries.
type account struct {
	id        rowlog.Place // near: see packID
	posted    int64
	reserved  int64
	scope     uint32 // number of the scope
	control   uint32 // account, or 0
	first     uint32 // entry, or 0
	last      uint32 // entry, or 0
	asset     money.Asset
	uncounted bool
	isControl bool // others name it as control
}

// posting is a posting; its entries stand side by side.
type posting struct {
	texts rowlog.Place // id, kind and ref: see appendTexts
	at    int64        // microseconds
	first uint32
	legs  uint32
}

// entry is one leg and its place in the chain of its account.
type entry struct {
	account  uint32
	posting  uint32
	previous uint32 // entry of the same account, or 0
	next     uint32 // entry of the same account, or 0
	amount   int64
	balance  int64 // of the account, after
	control  int64 // of the control account, after
}

type reservation struct {
	id      rowlog.Place // near: see packID
	amount  int64
	settled int64
	at      int64 // microseconds
	account uint32
	state   uint8 // which of reservationStates
}

var reservationStates = []ledger.ReservationState{ledger.Open, ledger.Settled, ledger.Released}

type ledgerTables struct {
	heap   *heap
	scopes scopes

	accounts     slab[account]
	accountNo    finder // by id
	byEnv        roster // by id
	byScope      roster // by number
	accountTable uint32

	postings     slab[posting]
	postingNo    finder // by id
	entries      slab[entry]
	postingTable uint32

	reservations     slab[reservation]
	reservationNo    finder // by id
	open             roster // of an environment, by id
	reservationTable uint32
}

// begin ties empty tables to the heap in which their texts stand.
func (t *ledgerTables) begin(h *heap) {
	t.heap = h
	t.postingTable = h.rows.table(placeIn(&t.postings, func(p *posting) *rowlog.Place { return &p.texts }))
	t.accountTable = h.near.table(placeIn(&t.accounts, func(a *account) *rowlog.Place { return &a.id }))
	t.reservationTable = h.near.table(placeIn(&t.reservations, func(r *reservation) *rowlog.Place { return &r.id }))
	t.byEnv.compare = func(a, b uint32) int { return cmp.Compare(t.accountID(a), t.accountID(b)) }
	t.byScope.compare = cmp.Compare[uint32]
	t.open.compare = func(a, b uint32) int { return cmp.Compare(t.reservationID(a), t.reservationID(b)) }
}

// scopes numbers the scopes of accounts, of which there are few.
type scopes struct {
	all     []ferry.Scope
	numbers map[ferry.Scope]uint32
}

func (s *scopes) number(scope ferry.Scope) uint32 {
	n, known := s.numbers[scope]
	if !known {
		if s.numbers == nil {
			s.numbers = map[ferry.Scope]uint32{}
		}
		n = uint32(len(s.all))
		s.all = append(s.all, scope)
		s.numbers[scope] = n
	}
	return n
}

// accountID returns the id of the account of a number.
func (t *ledgerTables) accountID(n uint32) ledger.AccountID {
	return ledger.AccountID(unpackID(t.heap.near.Get(t.accounts.at(n).id)))
}

// number returns the number of an account, or 0.
func (t *ledgerTables) number(id ledger.AccountID) uint32 {
	return t.heap.withID(&t.accountNo, string(id), func(n uint32) rowlog.Place { return t.accounts.at(n).id })
}

// account returns the number of an account and the account.
func (t *ledgerTables) account(id ledger.AccountID) (uint32, *account, error) {
	n := t.number(id)
	if n == 0 {
		return 0, nil, fmt.Errorf("%w: %s", ledger.ErrAccountNotFound, id)
	}
	return n, t.accounts.at(n), nil
}

// scope returns the owner of an account.
func (t *ledgerTables) scope(a *account) ferry.Scope { return t.scopes.all[a.scope] }

// appendTexts appends those of a posting, each but the last behind its length.
func appendTexts(to []byte, p ledger.Posting) []byte {
	all := append(binary.AppendUvarint(to, uint64(len(p.ID))), p.ID...)
	all = append(binary.AppendUvarint(all, uint64(len(p.Kind))), p.Kind...)
	return append(all, p.Ref...)
}

// textsOf returns the id, the kind and the ref of a posting.
func (t *ledgerTables) textsOf(p *posting) (id ledger.PostingID, kind, ref string) {
	first, rest := cutText(t.heap.rows.Get(p.texts))
	kind, ref = cutText(rest)
	return ledger.PostingID(first), kind, ref
}

// cutText takes a text and its length from the front of others.
func cutText(all string) (text, rest string) {
	length, size := binary.Uvarint([]byte(all[:min(len(all), binary.MaxVarintLen64)]))
	end := size + int(length)
	return all[size:end], all[end:]
}

// posting returns the number of a posting, or 0.
func (t *ledgerTables) posting(id ledger.PostingID) uint32 {
	return t.postingNo.find(hashOf(id), func(n uint32) bool {
		of, _, _ := t.textsOf(t.postings.at(n))
		return of == id
	})
}

// reservationID returns the id of the reservation of a number.
func (t *ledgerTables) reservationID(n uint32) ledger.ReservationID {
	return ledger.ReservationID(unpackID(t.heap.near.Get(t.reservations.at(n).id)))
}

// reservation returns the number of a reservation and the reservation.
func (t *ledgerTables) reservation(id ledger.ReservationID) (uint32, *reservation, error) {
	n := t.heap.withID(&t.reservationNo, string(id), func(n uint32) rowlog.Place { return t.reservations.at(n).id })
	if n == 0 {
		return 0, nil, fmt.Errorf("%w: %s", ledger.ErrReservationNotFound, id)
	}
	return n, t.reservations.at(n), nil
}

// entry returns the number of an entry, or 0.
func (t *ledgerTables) entry(id ledger.EntryID) uint32 {
	n := t.posting(id.Posting)
	if n == 0 {
		return 0
	}
	p := t.postings.at(n)
	if id.Leg < 0 || id.Leg >= int(p.legs) {
		return 0
	}
	return p.first + uint32(id.Leg)
}

// move adds to what a counted account and its control account have posted and
// reserved. When it fails, nothing has changed.
func (t *ledgerTables) move(a *account, posted, reserved int64) error {
	newPosted, err := money.Of(a.asset, a.posted).Add(money.Of(a.asset, posted))
	if err != nil {
		return err
	}
	newReserved, err := money.Of(a.asset, a.reserved).Add(money.Of(a.asset, reserved))
	if err != nil {
		return err
	}
	if a.control != 0 {
		if err := t.move(t.accounts.at(a.control), posted, reserved); err != nil {
			return err
		}
	}
	a.posted, a.reserved = newPosted.Minor(), newReserved.Minor()
	return nil
}

// moveBack is the opposite of a move that succeeded.
func (t *ledgerTables) moveBack(a *account, posted, reserved int64) {
	a.posted -= posted
	a.reserved -= reserved
	if a.control != 0 {
		t.moveBack(t.accounts.at(a.control), posted, reserved)
	}
}

// apply moves the account of a leg and its control account, and appends the
// entry. When it fails, nothing has changed.
func (t *ledgerTables) apply(env ferry.Env, postingNo uint32, leg ledger.Leg) error {
	n, a, err := t.account(leg.Account)
	if err != nil {
		return err
	}
	if a.isControl || a.asset != leg.Amount.Asset() || t.scope(a).Env != env {
		return fmt.Errorf("memstore: a posting of %s cannot move %s on %s", env, leg.Amount, leg.Account)
	}
	e := entry{account: n, posting: postingNo, previous: a.last, amount: leg.Amount.Minor()}
	if !a.uncounted {
		if err := t.move(a, e.amount, 0); err != nil {
			return err
		}
		e.balance = a.posted
		if a.control != 0 {
			e.control = t.accounts.at(a.control).posted
		}
	}
	t.link(a, t.entries.add(e))
	return nil
}

// link puts a new entry at the end of the chain of its account.
func (t *ledgerTables) link(a *account, n uint32) {
	if a.last == 0 {
		a.first = n
	} else {
		t.entries.at(a.last).next = n
	}
	a.last = n
}

// takeBack undoes the last posting: its entries, the last one first, and itself.
func (t *ledgerTables) takeBack() {
	t.heap.rows.Drop(t.postings.at(t.postings.length).texts)
	last := t.postings.length
	length := t.postings.at(last).first - 1
	for n := t.entries.length; n > length; n-- {
		e := t.entries.at(n)
		a := t.accounts.at(e.account)
		if !a.uncounted {
			t.moveBack(a, e.amount, 0)
		}
		a.last = e.previous
		if e.previous == 0 {
			a.first = 0
		} else {
			t.entries.at(e.previous).next = 0
		}
	}
	t.entries.cut(length)
	t.postings.cut(last - 1)
}

// keep does nothing: what takes a posting back is the posting itself.
func (t *ledgerTables) keep() {}

// checkFloors refuses the entries after the first `length` when they leave an
// account less than it has reserved.
func (t *ledgerTables) checkFloors(length uint32) error {
	for n := length + 1; n <= t.entries.length; n++ {
		a := t.accounts.at(t.entries.at(n).account)
		if a.uncounted || a.posted >= a.reserved {
			continue
		}
		left := a.posted - a.reserved
		var net int64 // a part of a sum that fits
		for m := length + 1; m <= t.entries.length; m++ {
			if e := t.entries.at(m); t.accounts.at(e.account) == a {
				net += e.amount
			}
		}
		return ledger.Insufficient(t.accountID(t.entries.at(n).account), money.Of(a.asset, left-net), money.Of(a.asset, -net))
	}
	return nil
}

// view returns an account as the port shows it.
func (t *ledgerTables) view(n uint32) ledger.Account {
	a := t.accounts.at(n)
	v := ledger.Account{
		ID: t.accountID(n), Scope: t.scope(a), Asset: a.asset, Uncounted: a.uncounted,
		Posted: money.Of(a.asset, a.posted), Reserved: money.Of(a.asset, a.reserved),
	}
	if a.control != 0 {
		v.Control = t.accountID(a.control)
	}
	return v
}

// viewEntry returns an entry as the port shows it.
func (t *ledgerTables) viewEntry(n uint32) ledger.Entry {
	e := t.entries.at(n)
	p, a := t.postings.at(e.posting), t.accounts.at(e.account)
	id, kind, ref := t.textsOf(p)
	v := ledger.Entry{
		ID:      ledger.EntryID{Posting: id, Leg: int(n - p.first)},
		Account: t.accountID(e.account), Amount: money.Of(a.asset, e.amount),
		Kind: kind, Ref: ref, At: time.UnixMicro(p.at).UTC(),
	}
	if !a.uncounted {
		v.BalanceAfter = money.Of(a.asset, e.balance)
	}
	if a.control != 0 {
		v.Control = t.accountID(a.control)
		v.ControlAfter = money.Of(a.asset, e.control)
	}
	return v
}

// viewReservation returns a reservation as the port shows it.
func (t *ledgerTables) viewReservation(n uint32) ledger.Reservation {
	r := t.reservations.at(n)
	a := t.accounts.at(r.account)
	v := ledger.Reservation{
		ID: t.reservationID(n), Account: t.accountID(r.account), Amount: money.Of(a.asset, r.amount),
		State: reservationStates[r.state], At: time.UnixMicro(r.at).UTC(),
	}
	if v.State == ledger.Settled {
		v.Settled = money.Of(a.asset, r.settled)
	}
	return v
}
