package memstore

import (
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
)

// The books are what every operation touches and what there is most of.
// Therefore their rows are small, stand in slabs, name each other by number and
// are changed in place; a move is undone by the opposite move.

// account is an account and the ends of the chain of its entries.
type account struct {
	id        ledger.AccountID
	scope     ferry.Scope
	posted    int64
	reserved  int64
	control   uint32 // account, or 0
	first     uint32 // entry, or 0
	last      uint32 // entry, or 0
	asset     money.Asset
	uncounted bool
	isControl bool // others name it as control
}

// posting is a posting; its entries stand side by side.
type posting struct {
	id    ledger.PostingID
	kind  string
	ref   string
	at    int64 // microseconds
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
	id      ledger.ReservationID
	state   ledger.ReservationState
	amount  int64
	settled int64
	at      int64 // microseconds
	account uint32
}

type ledgerTables struct {
	accounts  slab[account]
	accountNo table[ledger.AccountID, uint32]
	byEnv     index[ferry.Env, ledger.AccountID] // by id
	byScope   index[ferry.Scope, uint32]         // by number

	postings  slab[posting]
	postingNo table[ledger.PostingID, uint32]
	entries   slab[entry]

	reservations  slab[reservation]
	reservationNo table[ledger.ReservationID, uint32]
	open          index[ferry.Env, ledger.ReservationID] // by id
}

// account returns the number of an account and the account.
func (t *ledgerTables) account(id ledger.AccountID) (uint32, *account, error) {
	n, found := t.accountNo.get(id)
	if !found {
		return 0, nil, fmt.Errorf("%w: %s", ledger.ErrAccountNotFound, id)
	}
	return n, t.accounts.at(n), nil
}

func (t *ledgerTables) reservation(id ledger.ReservationID) (*reservation, error) {
	n, found := t.reservationNo.get(id)
	if !found {
		return nil, fmt.Errorf("%w: %s", ledger.ErrReservationNotFound, id)
	}
	return t.reservations.at(n), nil
}

// entry returns the number of an entry, or 0.
func (t *ledgerTables) entry(id ledger.EntryID) uint32 {
	n, found := t.postingNo.get(id.Posting)
	if !found {
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
	if a.isControl || a.asset != leg.Amount.Asset() || a.scope.Env != env {
		return fmt.Errorf("memstore: a posting of %s cannot move %s on %s", env, leg.Amount, a.id)
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
		return ledger.Insufficient(a.id, money.Of(a.asset, left-net), money.Of(a.asset, -net))
	}
	return nil
}

// view returns an account as the port shows it.
func (t *ledgerTables) view(a *account) ledger.Account {
	v := ledger.Account{
		ID: a.id, Scope: a.scope, Asset: a.asset, Uncounted: a.uncounted,
		Posted: money.Of(a.asset, a.posted), Reserved: money.Of(a.asset, a.reserved),
	}
	if a.control != 0 {
		v.Control = t.accounts.at(a.control).id
	}
	return v
}

// viewEntry returns an entry as the port shows it.
func (t *ledgerTables) viewEntry(n uint32) ledger.Entry {
	e := t.entries.at(n)
	p, a := t.postings.at(e.posting), t.accounts.at(e.account)
	v := ledger.Entry{
		ID:      ledger.EntryID{Posting: p.id, Leg: int(n - p.first)},
		Account: a.id, Amount: money.Of(a.asset, e.amount),
		Kind: p.kind, Ref: p.ref, At: time.UnixMicro(p.at).UTC(),
	}
	if !a.uncounted {
		v.BalanceAfter = money.Of(a.asset, e.balance)
	}
	if a.control != 0 {
		v.Control = t.accounts.at(a.control).id
		v.ControlAfter = money.Of(a.asset, e.control)
	}
	return v
}

// viewReservation returns a reservation as the port shows it.
func (t *ledgerTables) viewReservation(r *reservation) ledger.Reservation {
	a := t.accounts.at(r.account)
	v := ledger.Reservation{
		ID: r.id, Account: a.id, Amount: money.Of(a.asset, r.amount),
		State: r.state, At: time.UnixMicro(r.at).UTC(),
	}
	if r.state == ledger.Settled {
		v.Settled = money.Of(a.asset, r.settled)
	}
	return v
}
