package memstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/wallets"
)

type checkoutTables struct {
	sessions     shelf[checkout.ID, checkout.Session]
	instructions table[wallets.AddressID, checkout.Instruction]
	bySession    index[checkout.ID, wallets.AddressID]
	windows      table[scoped, checkout.Window]
}

var sessionRows = shelving[checkout.ID, checkout.Session]{
	id:      func(s checkout.Session) checkout.ID { return s.ID },
	scope:   func(s checkout.Session) ferry.Scope { return s.Scope },
	created: func(s checkout.Session) time.Time { return s.CreatedAt },
	version: func(s *checkout.Session) *int64 { return &s.Version },
	names: func(s checkout.Session) []name {
		names := []name{{orderName(s.Scope, s.Name()), payments.ErrDuplicateTrxID}}
		if s.Account.AccountNumber != "" {
			names = append(names, name{numberName(s.Scope.Env, s.Account.AccountNumber), errNumberTaken})
		}
		return names
	},
	lists: func(s checkout.Session) []string {
		return []string{nameOf(s.Scope, "", ""), nameOf(s.Scope, "", string(s.Status))}
	},
	missing: checkout.ErrNotFound,
	keep: func(stored checkout.Session, s *checkout.Session) {
		s.TrxID, s.Public, s.Payment, s.CreatedAt = stored.TrxID, stored.Public, stored.Payment, stored.CreatedAt
	},
}

type checkoutStore struct{ *unit }

var _ checkout.Store = checkoutStore{}

// Checkout returns the port of checkout sessions.
func (u *unit) Checkout() checkout.Store { return checkoutStore{u} }

func (s checkoutStore) Insert(_ context.Context, row checkout.Session) error {
	return sessionRows.insert(s.unit, &s.tables.checkout.sessions, row)
}

func (s checkoutStore) Session(_ context.Context, scope ferry.Scope, id checkout.ID) (checkout.Session, error) {
	return sessionRows.get(&s.tables.checkout.sessions, scope, id)
}

func (s checkoutStore) Anywhere(_ context.Context, id checkout.ID) (checkout.Session, error) {
	row, found := s.tables.checkout.sessions.rows.get(id)
	if !found {
		return checkout.Session{}, checkout.ErrNotFound
	}
	return row, nil
}

func (s checkoutStore) ByName(_ context.Context, scope ferry.Scope, name payments.Name) (checkout.Session, error) {
	return sessionRows.find(&s.tables.checkout.sessions, orderName(scope, name))
}

func (s checkoutStore) ByNumber(_ context.Context, env ferry.Env, number string) (checkout.Session, error) {
	return sessionRows.find(&s.tables.checkout.sessions, numberName(env, number))
}

func (s checkoutStore) Update(_ context.Context, row checkout.Session) error {
	return sessionRows.update(s.unit, &s.tables.checkout.sessions, row)
}

func (s checkoutStore) List(_ context.Context, scope ferry.Scope, f checkout.Filter, page ferry.Page) (ferry.List[checkout.Session], error) {
	if f.OnlyListed() {
		return sessionRows.page(&s.tables.checkout.sessions, nameOf(scope, "", string(f.Status)), page, nil), nil
	}
	return sessionRows.page(&s.tables.checkout.sessions, nameOf(scope, "", ""), page, f.Matches), nil
}

func (s checkoutStore) InsertInstruction(_ context.Context, i checkout.Instruction) error {
	if err := s.writable(); err != nil {
		return err
	}
	if s.tables.checkout.instructions.has(i.Address) {
		return fmt.Errorf("memstore: address %s has an instruction", i.Address)
	}
	i.Version = 1
	s.tables.checkout.instructions.insert(s.undo, i.Address, i)
	s.tables.checkout.bySession.add(s.undo, i.Session, placeOf(i.CreatedAt, i.Address))
	return nil
}

func (s checkoutStore) Instructions(_ context.Context, of checkout.ID) ([]checkout.Instruction, error) {
	all := []checkout.Instruction{}
	for p := range s.tables.checkout.bySession.of(of).all() {
		all = append(all, s.tables.checkout.instructions.row(p.id))
	}
	return all, nil
}

func (s checkoutStore) Instruction(_ context.Context, id wallets.AddressID) (checkout.Instruction, error) {
	i, found := s.tables.checkout.instructions.get(id)
	if !found {
		return checkout.Instruction{}, checkout.ErrInstructionNotFound
	}
	return i, nil
}

func (s checkoutStore) UpdateInstruction(ctx context.Context, i checkout.Instruction) error {
	if err := s.writable(); err != nil {
		return err
	}
	stored, err := s.Instruction(ctx, i.Address)
	switch {
	case err != nil:
		return err
	case stored.Scope != i.Scope:
		return checkout.ErrInstructionNotFound
	case stored.Version != i.Version:
		return ferry.ErrStale
	}
	i.Version++
	i.Session, i.CreatedAt = stored.Session, stored.CreatedAt // by which it is listed
	s.tables.checkout.instructions.put(s.undo, i.Address, i)
	return nil
}

func (s checkoutStore) Window(_ context.Context, scope ferry.Scope, key string) (checkout.Window, error) {
	w, found := s.tables.checkout.windows.get(scoped{scope, key})
	if !found {
		return checkout.Window{Scope: scope, Key: key}, nil
	}
	return w, nil
}

func (s checkoutStore) PutWindow(_ context.Context, w checkout.Window) error {
	if err := s.writable(); err != nil {
		return err
	}
	key := scoped{w.Scope, w.Key}
	if s.tables.checkout.windows.row(key).Version != w.Version {
		return ferry.ErrStale
	}
	w.Version++
	s.tables.checkout.windows.put(s.undo, key, w)
	return nil
}

// orderName is under what a name of an order stands in the index of a scope.
func orderName(scope ferry.Scope, n payments.Name) string {
	kind := "trx"
	if n.Public {
		kind = "public"
	}
	return nameOf(scope, kind, n.TrxID)
}

// errNumberTaken refuses a second session with an account number, which a bank gives once.
var errNumberTaken = errors.New("memstore: the account number is taken")

// numberName is under what an account number stands in the index.
func numberName(env ferry.Env, number string) string { return string(env) + "/number/" + number }
