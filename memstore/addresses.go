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
	stored := rows.find(string(id))
	if stored == nil {
		return wallets.ErrAddressNotFound
	}
	a := *stored.row.(*wallets.Address)
	if a.TotalReceived, err = a.TotalReceived.Add(amount); err != nil {
		return err
	}
	a.DepositCount++
	if at.After(a.LastDepositAt) {
		a.LastDepositAt = at
	}
	b := wallets.AddressKind.Borrow(a)
	defer wallets.AddressKind.Release(b)
	return rows.update(s.undo, stored, b)
}

func (s walletStore) AddressesByBalance(ctx context.Context, scope ferry.Scope, q records.Query, some bool, page ferry.Page) (ferry.List[wallets.Address], error) {
	addresses := s.addresses()
	selects := addresses.selecting(q)
	list := addresses.page(s.listFor(scope, q), page, func(p spot) bool {
		return selects(p.row) && some == (s.balance(ctx, addresses.rows.at(p.row).row.(*wallets.Address).ID) > 0)
	})
	return ferry.List[wallets.Address]{Data: wallets.AddressKind.OwnAll(list.Data), Total: list.Total}, nil
}

// listFor returns a list that has all addresses of a scope which a query selects.
func (s walletStore) listFor(scope ferry.Scope, q records.Query) line {
	name, _, _ := wallets.AddressKind.ListFor(scope, q)
	return s.addresses().listed.named(name)
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
	addresses := s.addresses()
	selects := addresses.selecting(f.Query())
	for number := range s.listFor(scope, f.Query()).rows() {
		a := addresses.rows.at(number).row.(*wallets.Address)
		holds := s.balance(ctx, a.ID)
		if !selects(number) || f.HasBalance != nil && *f.HasBalance != (holds > 0) {
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
