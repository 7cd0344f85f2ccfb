package memstore

import (
	"context"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

type walletTables struct {
	addresses  table[wallets.AddressID, wallets.Address]
	onChain    table[chainAddress, wallets.AddressID]
	keys       table[wallets.AddressID, wallets.SealedKey]
	addrListed index[ferry.Scope, wallets.AddressID]
	addrStatus index[scoped, wallets.AddressID]
	ofWallet   index[wallets.ID, wallets.AddressID]

	custodies table[wallets.AddressID, wallets.Custody]
	custodyID index[ferry.Env, wallets.AddressID]   // by id
	surplus   index[ferry.Scope, wallets.AddressID] // by surplus, where there is one
}

// scoped is a text that is a key within a scope only.
type scoped struct {
	scope ferry.Scope
	text  string
}

type chainAddress struct {
	env     ferry.Env
	address chain.Address
}

type walletStore struct{ *unit }

var _ wallets.Store = walletStore{}

// Wallets returns the port of wallets, their addresses and transfers.
func (u *unit) Wallets() wallets.Store { return walletStore{u} }

func (s walletStore) rows() *walletTables { return &s.tables.wallets }

func (s walletStore) InsertAddress(_ context.Context, a wallets.Address, k wallets.SealedKey, c wallets.Custody) error {
	if err := s.writable(); err != nil {
		return err
	}
	t := s.rows()
	there := chainAddress{a.Scope.Env, a.Address}
	managed := t.onChain.has(there)
	taken := t.addresses.has(a.ID)
	if managed || taken {
		return fmt.Errorf("memstore: address %s (%s) exists", a.ID, a.Address)
	}
	a.Version, k.Version, c.Version = 1, 1, 1
	t.addresses.insert(s.undo, a.ID, a)
	t.onChain.insert(s.undo, there, a.ID)
	t.keys.insert(s.undo, a.ID, k)
	at := placeOf(a.CreatedAt, a.ID)
	t.addrListed.add(s.undo, a.Scope, at)
	t.addrStatus.add(s.undo, scoped{a.Scope, string(a.Status)}, at)
	t.ofWallet.add(s.undo, a.Wallet, at)
	t.custodyID.add(s.undo, c.Scope.Env, place[wallets.AddressID]{id: c.ID})
	s.putCustody(c)
	return nil
}

func (s walletStore) Address(_ context.Context, scope ferry.Scope, id wallets.AddressID) (wallets.Address, error) {
	a, found := s.rows().addresses.get(id)
	if !found || a.Scope != scope {
		return wallets.Address{}, wallets.ErrAddressNotFound
	}
	return a, nil
}

func (s walletStore) CountArrival(_ context.Context, id wallets.AddressID, amount money.Amount, at time.Time) (err error) {
	if err := s.writable(); err != nil {
		return err
	}
	a, found := s.rows().addresses.get(id)
	if !found {
		return wallets.ErrAddressNotFound
	}
	if a.TotalReceived, err = a.TotalReceived.Add(amount); err != nil {
		return err
	}
	a.DepositCount++
	if at.After(a.LastDepositAt) {
		a.LastDepositAt = at
	}
	s.rows().addresses.put(s.undo, id, a)
	return nil
}

func (s walletStore) AddressAt(_ context.Context, env ferry.Env, address chain.Address) (wallets.Address, error) {
	t := s.rows()
	a, found := t.addresses.get(t.onChain.row(chainAddress{env, address}))
	if !found {
		return wallets.Address{}, wallets.ErrAddressNotFound
	}
	return a, nil
}

func (s walletStore) UpdateAddress(ctx context.Context, a wallets.Address) error {
	if err := s.writable(); err != nil {
		return err
	}
	stored, err := s.Address(ctx, a.Scope, a.ID)
	if err != nil {
		return err
	}
	if stored.Version != a.Version {
		return ferry.ErrStale
	}
	t := s.rows()
	a.Version++
	a.Address, a.Wallet, a.CreatedAt = stored.Address, stored.Wallet, stored.CreatedAt
	a.TotalReceived, a.DepositCount, a.LastDepositAt = stored.TotalReceived, stored.DepositCount, stored.LastDepositAt
	t.addresses.put(s.undo, a.ID, a)
	at := placeOf(a.CreatedAt, a.ID)
	t.addrStatus.regroup(s.undo, scoped{a.Scope, string(stored.Status)}, scoped{a.Scope, string(a.Status)}, at)
	return nil
}

func (s walletStore) Addresses(ctx context.Context, scope ferry.Scope, f wallets.AddressFilter, page ferry.Page) (ferry.List[wallets.Address], error) {
	t := s.rows()
	l, keep := s.matching(ctx, scope, f)
	get := func(id wallets.AddressID) (wallets.Address, time.Time) {
		a := t.addresses.row(id)
		return a, a.CreatedAt
	}
	return pageOf(l, page, get, keep), nil
}

// matching returns a list that holds all addresses of a filter, and what else
// must be asked of each, or nil for nothing.
func (s walletStore) matching(ctx context.Context, scope ferry.Scope, f wallets.AddressFilter) (*list[wallets.AddressID], func(wallets.Address) bool) {
	t := s.rows()
	keep := func(a wallets.Address) bool {
		return a.Scope == scope && (f.Status == "" || a.Status == f.Status) &&
			(f.HasBalance == nil || *f.HasBalance == (s.balance(ctx, a.ID) > 0))
	}
	switch {
	case f.Wallet != "":
		return t.ofWallet.of(f.Wallet), keep
	case f.HasBalance != nil:
		return t.addrListed.of(scope), keep
	case f.Status != "":
		return t.addrStatus.of(scoped{scope, string(f.Status)}), nil
	}
	return t.addrListed.of(scope), nil
}

// balance is what can be sent from an address, in minor units.
func (s walletStore) balance(ctx context.Context, id wallets.AddressID) int64 {
	account, err := s.Ledger().Account(ctx, ledger.AddressAccount(string(id)))
	if err != nil {
		return 0 // not opened yet: it holds nothing
	}
	return account.Available().Minor()
}

func (s walletStore) SummarizeAddresses(ctx context.Context, scope ferry.Scope, f wallets.AddressFilter) (wallets.AddressSummary, error) {
	var sum wallets.AddressSummary
	var balance, received int64
	l, keep := s.matching(ctx, scope, f)
	for p := range l.all() {
		a := s.rows().addresses.row(p.id)
		if keep != nil && !keep(a) {
			continue
		}
		sum.Total++
		if a.Status == wallets.AddressActive {
			sum.Active++
		}
		balance += s.balance(ctx, a.ID)
		received += a.TotalReceived.Minor()
	}
	sum.Balance, sum.Received = usdc(balance), usdc(received)
	return sum, nil
}

func (s walletStore) AddressesOf(_ context.Context, scope ferry.Scope, id wallets.ID) ([]wallets.Address, error) {
	t := s.rows()
	var all []wallets.Address
	for p := range t.ofWallet.of(id).all() {
		if a := t.addresses.row(p.id); a.Scope == scope {
			all = append(all, a)
		}
	}
	return all, nil
}

func (s walletStore) Key(_ context.Context, scope ferry.Scope, id wallets.AddressID) (wallets.SealedKey, error) {
	k, found := s.rows().keys.get(id)
	if !found || k.Scope != scope {
		return wallets.SealedKey{}, wallets.ErrAddressNotFound
	}
	return k, nil
}

func (s walletStore) UpdateKey(ctx context.Context, k wallets.SealedKey) error {
	if err := s.writable(); err != nil {
		return err
	}
	stored, err := s.Key(ctx, k.Scope, k.ID)
	if err != nil {
		return err
	}
	if stored.Version != k.Version {
		return ferry.ErrStale
	}
	stored.Sealed, stored.KeyVersion = k.Sealed, k.KeyVersion
	stored.Version++
	s.rows().keys.put(s.undo, k.ID, stored)
	return nil
}

// SealedKeys walks the custodies: each address has one, and one key.
func (s walletStore) SealedKeys(_ context.Context, env ferry.Env, after wallets.AddressID, limit int) ([]wallets.SealedKey, error) {
	t := s.rows()
	page := []wallets.SealedKey{}
	for p := range t.custodyID.of(env).after(place[wallets.AddressID]{id: after}) {
		if len(page) >= limit {
			break
		}
		page = append(page, t.keys.row(p.id))
	}
	return page, nil
}
