package memstore

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/wallets"
)

// addresses returns the shelf of addresses, to be read.
func (s walletStore) addresses() *shelf { return s.tables.shelves.of(wallets.AddressKind.Shape) }

func (s walletStore) CountArrival(_ context.Context, id wallets.AddressID, amount money.Amount, at time.Time) (err error) {
	if err := s.writable(); err != nil {
		return err
	}
	rows := &s.addresses().rows
	stored, found := rows.get(string(id))
	if !found {
		return wallets.ErrAddressNotFound
	}
	a := *stored.(*wallets.Address)
	if a.TotalReceived, err = a.TotalReceived.Add(amount); err != nil {
		return err
	}
	a.DepositCount++
	if at.After(a.LastDepositAt) {
		a.LastDepositAt = at
	}
	rows.put(s.undo, string(id), &a)
	return nil
}

func (s walletStore) AddressesByBalance(ctx context.Context, scope ferry.Scope, q records.Query, some bool, page ferry.Page) (ferry.List[wallets.Address], error) {
	selects := selecting(wallets.AddressKind.Shape, q)
	get := func(key string) (any, time.Time) { return s.addresses().listedAt(wallets.AddressKind.Shape, key) }
	list := pageOf(s.listFor(scope, q), page, get, func(row any) bool {
		return selects(row) && some == (s.balance(ctx, row.(*wallets.Address).ID) > 0)
	})
	return ferry.List[wallets.Address]{Data: wallets.AddressKind.OwnAll(list.Data), Total: list.Total}, nil
}

// listFor returns a list that has all addresses of a scope which a query selects.
func (s walletStore) listFor(scope ferry.Scope, q records.Query) *list[string] {
	name, _, _ := wallets.AddressKind.ListFor(scope, q)
	return s.addresses().listed.of(s.addresses().group(name))
}

// balance is what can be sent from an address, in minor units.
func (s walletStore) balance(ctx context.Context, id wallets.AddressID) int64 {
	account, err := s.Ledger().Account(ctx, ledger.AddressAccount(string(id)))
	if err != nil {
		return 0 // not opened yet: it holds nothing
	}
	return account.Available().Minor()
}

// PrefetchSummary does nothing: all is in memory.
func (s walletStore) PrefetchSummary(ferry.Scope, wallets.AddressFilter) {}

func (s walletStore) SummarizeAddresses(ctx context.Context, scope ferry.Scope, f wallets.AddressFilter) (wallets.AddressSummary, error) {
	var sum wallets.AddressSummary
	var balance, received int64
	selects := selecting(wallets.AddressKind.Shape, f.Query())
	for p := range s.listFor(scope, f.Query()).all() {
		a := s.addresses().rows.row(p.id).(*wallets.Address)
		holds := s.balance(ctx, a.ID)
		if !selects(a) || f.HasBalance != nil && *f.HasBalance != (holds > 0) {
			continue
		}
		sum.Total++
		if a.Status == wallets.AddressActive {
			sum.Active++
		}
		balance += holds
		received += a.TotalReceived.Minor()
	}
	sum.Balance, sum.Received = usdc(balance), usdc(received)
	return sum, nil
}
