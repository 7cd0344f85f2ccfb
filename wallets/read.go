package wallets

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
)

// Get returns a wallet with its balance and addresses, or ErrWalletNotFound.
func (s *Service) Get(ctx context.Context, scope ferry.Scope, ref WalletRef) (FundedWallet, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (FundedWallet, error) {
		prefetchWallet(tx, scope, ref)
		w, err := findWallet(ctx, tx, scope, ref)
		if err != nil {
			return FundedWallet{}, err
		}
		return s.fundWallet(ctx, tx, w)
	})
}

// List lists wallets, newest first, without their addresses. A PrimaryAddress that is not
// that of its key is empty.
func (s *Service) List(ctx context.Context, scope ferry.Scope, filter WalletFilter, page ferry.Page) (ferry.List[FundedWallet], error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (ferry.List[FundedWallet], error) {
		list, err := WalletKind.Page(ctx, tx, scope, filter.Query(), page)
		if err != nil {
			return ferry.List[FundedWallet]{}, err
		}
		for _, w := range list.Data {
			s.prefetchKey(tx, w.Scope, w.Primary, w.PrimaryAddress)
			tx.Ledger().PrefetchAccount(ledger.WalletAccount(string(w.ID)))
		}
		return ferry.MapList(list, func(w Wallet) (FundedWallet, error) {
			if w.PrimaryAddress, err = s.listed(ctx, tx, w.Scope, w.Primary, w.PrimaryAddress); err != nil {
				return FundedWallet{}, err
			}
			balance, err := available(ctx, tx, ledger.WalletAccount(string(w.ID)))
			return FundedWallet{Wallet: w, Balance: balance}, err
		})
	})
}

// All iterates over the wallets that List lists.
func (s *Service) All(ctx context.Context, scope ferry.Scope, filter WalletFilter) iter.Seq2[FundedWallet, error] {
	return ferry.WalkList(ctx, s.List, scope, filter, func(w FundedWallet) string { return string(w.ID) })
}

func walletsOf(customerID string) records.Query {
	return WalletFilter{CustomerID: customerID}.Query()
}

// PrefetchWalletsOf says that the unit will call WalletsOfIn.
func PrefetchWalletsOf(tx Tx, scope ferry.Scope, customerID string) {
	WalletKind.PrefetchNewest(tx, scope, walletsOf(customerID))
}

// WalletsOfIn returns the ids of a customer's wallets, newest first, within a unit.
func (s *Service) WalletsOfIn(ctx context.Context, tx Tx, scope ferry.Scope, customerID string) ([]ID, error) {
	ids := []ID{}
	for w, err := range WalletKind.Newest(ctx, tx, scope, walletsOf(customerID)) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, w.ID)
	}
	return ids, nil
}

// GetAddress returns an address with its balance, or ErrAddressNotFound.
func (s *Service) GetAddress(ctx context.Context, scope ferry.Scope, ref AddressRef) (FundedAddress, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (FundedAddress, error) {
		named := AddressKind.Rows(scope, records.Is("address", ref.Address))
		tx.Ledger().PrefetchAccountsOf(named.Values("id").Behind(addressAccount))
		a, err := findAddress(ctx, tx, scope, ref)
		if err != nil {
			return FundedAddress{}, err
		}
		return s.fundAddress(ctx, tx, a)
	})
}

// AddressQuery asks for addresses. The zero value asks for all.
type AddressQuery struct {
	// Wallet keeps the addresses of one wallet.
	Wallet WalletRef
	Status AddressStatus
	// HasBalance keeps addresses from which something, or nothing, can be
	// sent; nil keeps both.
	HasBalance *bool
}

// AddressList is a page of addresses and what all that match come to.
type AddressList struct {
	ferry.List[FundedAddress]
	Summary AddressSummary
}

// ListAddresses lists addresses, newest first. One that is not that of its key is a row
// without Address. A Wallet that is not there is ErrWalletNotFound.
func (s *Service) ListAddresses(ctx context.Context, scope ferry.Scope, q AddressQuery, page ferry.Page) (AddressList, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (AddressList, error) {
		filter, err := q.filter(ctx, tx, scope)
		if err != nil {
			return AddressList{}, err
		}
		tx.Wallets().PrefetchSummary(scope, filter)
		if filter.HasBalance == nil {
			listed := AddressKind.RowsOn(scope, filter.Query(), page)
			tx.Ledger().PrefetchAccountsOf(listed.Values("id").Behind(addressAccount))
		}
		rows, err := filter.list(ctx, tx, scope, page)
		if err != nil {
			return AddressList{}, err
		}
		s.prefetchFunds(tx, rows.Data)
		summary, err := tx.Wallets().SummarizeAddresses(ctx, scope, filter)
		if err != nil {
			return AddressList{}, err
		}
		list, err := s.listAddresses(ctx, tx, rows)
		return AddressList{list, summary}, err
	})
}

// AllAddresses iterates over the addresses that ListAddresses lists.
func (s *Service) AllAddresses(ctx context.Context, scope ferry.Scope, q AddressQuery) iter.Seq2[FundedAddress, error] {
	return ferry.Walk(ctx, func(ctx context.Context, page ferry.Page) (ferry.List[FundedAddress], error) {
		return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (ferry.List[FundedAddress], error) {
			filter, err := q.filter(ctx, tx, scope)
			if err != nil {
				return ferry.List[FundedAddress]{}, err
			}
			rows, err := filter.list(ctx, tx, scope, page)
			if err != nil {
				return ferry.List[FundedAddress]{}, err
			}
			return s.listAddresses(ctx, tx, rows)
		})
	}, func(a FundedAddress) string { return string(a.ID) })
}

func (q AddressQuery) filter(ctx context.Context, tx Tx, scope ferry.Scope) (AddressFilter, error) {
	filter := AddressFilter{Status: q.Status, HasBalance: q.HasBalance}
	if q.Wallet == (WalletRef{}) {
		return filter, nil
	}
	w, err := findWallet(ctx, tx, scope, q.Wallet)
	filter.Wallet = w.ID
	return filter, err
}

// prefetchFunds says that rows will be listed.
func (s *Service) prefetchFunds(tx Tx, rows []Address) {
	for _, a := range rows {
		s.prefetchKey(tx, a.Scope, a.ID, a.Address)
		tx.Ledger().PrefetchAccount(a.Account())
	}
}

// listAddresses is listAddress for a page.
func (s *Service) listAddresses(ctx context.Context, tx Tx, rows ferry.List[Address]) (ferry.List[FundedAddress], error) {
	s.prefetchFunds(tx, rows.Data)
	return ferry.MapList(rows, func(a Address) (FundedAddress, error) { return s.listAddress(ctx, tx, a) })
}

// The prefixes of ids of accounts: the id of a wallet, or of an address, follows.
var (
	walletAccount  = string(ledger.WalletAccount(""))
	addressAccount = string(ledger.AddressAccount(""))
)

// prefetchWallet says that the unit will read a wallet, with its addresses and all balances.
func prefetchWallet(tx Tx, scope ferry.Scope, ref WalletRef) {
	rows := WalletKind.Rows(scope, records.Is("reference", ref.Reference))
	if id, ok := ferry.CanonicalID("wal_", ref.ID); ok {
		rows = WalletKind.Rows(scope, records.Is("id", id))
		WalletKind.Prefetch(tx, scope, ID(id))
	} else if ref.ID != "" {
		return // findWallet returns the error
	} else {
		WalletKind.PrefetchNamed(tx, byReference, Wallet{Scope: scope, Reference: ref.Reference})
	}
	addresses := AddressKind.RowsOf("wallet", rows.Values("id"))
	tx.Records().PrefetchAfter(addresses)
	tx.Ledger().PrefetchAccountsOf(rows.Values("id").Behind(walletAccount))
	tx.Ledger().PrefetchAccountsOf(addresses.Values("id").Behind(addressAccount))
}

// findWallet returns the one wallet that ref names, or ErrWalletNotFound.
func findWallet(ctx context.Context, tx Tx, scope ferry.Scope, ref WalletRef) (Wallet, error) {
	if ref.ID == "" {
		return ByReference(ctx, tx, scope, ref.Reference)
	}
	id, ok := ferry.CanonicalID("wal_", ref.ID)
	if !ok {
		return Wallet{}, ErrWalletNotFound
	}
	w, err := WalletKind.Get(ctx, tx, scope, ID(id))
	if err == nil && ref.Reference != "" && ref.Reference != w.Reference {
		return Wallet{}, ErrWalletNotFound
	}
	return w, err
}

// findAddress returns the one address that ref names, or ErrAddressNotFound.
func findAddress(ctx context.Context, tx Tx, scope ferry.Scope, ref AddressRef) (Address, error) {
	if ref.ID == "" {
		return OwnAddress(ctx, tx, scope, ref.Address)
	}
	id, ok := ferry.CanonicalID("addr_", ref.ID)
	if !ok {
		return Address{}, ErrAddressNotFound
	}
	tx.Ledger().PrefetchAccount(ledger.AddressAccount(id))
	a, err := AddressKind.Get(ctx, tx, scope, AddressID(id))
	if err == nil && ref.Address != "" && ref.Address != string(a.Address) {
		return Address{}, ErrAddressNotFound
	}
	return a, err
}

func (s *Service) fundWallet(ctx context.Context, tx Tx, w Wallet) (FundedWallet, error) {
	s.prefetchKey(tx, w.Scope, w.Primary, w.PrimaryAddress)
	tx.Ledger().PrefetchAccount(ledger.WalletAccount(string(w.ID)))
	var rows ferry.List[Address]
	for a, err := range AddressKind.Walk(ctx, tx, addressesOf(w)) {
		if err != nil {
			return FundedWallet{}, err
		}
		rows.Data = append(rows.Data, a)
	}
	if err := s.VerifyAddress(ctx, tx, w.Scope, w.Primary, w.PrimaryAddress); err != nil {
		return FundedWallet{}, err
	}
	balance, err := available(ctx, tx, ledger.WalletAccount(string(w.ID)))
	if err != nil {
		return FundedWallet{}, err
	}
	list, err := s.listAddresses(ctx, tx, rows)
	if err != nil {
		return FundedWallet{}, err
	}
	addresses := list.Data
	slices.SortFunc(addresses, func(a, b FundedAddress) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return FundedWallet{w, balance, addresses}, nil
}

func (s *Service) fundAddress(ctx context.Context, tx Tx, a Address) (FundedAddress, error) {
	if err := s.VerifyAddress(ctx, tx, a.Scope, a.ID, a.Address); err != nil {
		return FundedAddress{}, err
	}
	balance, err := available(ctx, tx, a.Account())
	return FundedAddress{a, balance}, err
}

// listAddress is fundAddress for one row of many.
func (s *Service) listAddress(ctx context.Context, tx Tx, a Address) (funded FundedAddress, err error) {
	if a.Address, err = s.listed(ctx, tx, a.Scope, a.ID, a.Address); err != nil {
		return FundedAddress{}, err
	}
	balance, err := available(ctx, tx, a.Account())
	return FundedAddress{a, balance}, err
}

func available(ctx context.Context, tx Tx, id ledger.AccountID) (money.Amount, error) {
	account, err := tx.Ledger().Account(ctx, id)
	if err != nil {
		return money.Amount{}, err
	}
	return account.Available(), nil
}
