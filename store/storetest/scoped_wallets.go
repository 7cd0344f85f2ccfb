package storetest

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

var scopedWallets = owned[wallets.Wallet]{
	row:    inScope(custodyWallet, func(w *wallets.Wallet, scope ferry.Scope) { w.Scope = scope }),
	insert: on(insertWallet),
	get: func(ctx context.Context, p store.Ports, scope ferry.Scope, row wallets.Wallet) (wallets.Wallet, error) {
		return walletOf(scope, row.ID)(ctx, p)
	},
	update:  on(updateWallet),
	version: func(w *wallets.Wallet) *int64 { return &w.Version },
	change:  func(w *wallets.Wallet) { w.Status, w.SuspendedBy = wallets.Suspended, wallets.ByAlarm },
	missing: wallets.ErrWalletNotFound,
	fixed:   []string{"Reference", "CustomerID", "CreatedAt"},
}

var scopedAddresses = owned[wallets.Address]{
	row:    inScope(address, func(a *wallets.Address, scope ferry.Scope) { a.Scope = scope }),
	insert: on(insertAddress),
	get: func(ctx context.Context, p store.Ports, scope ferry.Scope, row wallets.Address) (wallets.Address, error) {
		return addressOf(scope, row.ID)(ctx, p)
	},
	update:  on(updateAddress),
	version: func(a *wallets.Address) *int64 { return &a.Version },
	change:  func(a *wallets.Address) { a.Status = wallets.AddressInactive },
	missing: wallets.ErrAddressNotFound,
	fixed:   []string{"Address", "Wallet", "CreatedAt", "TotalReceived", "DepositCount", "LastDepositAt"},
}

var scopedAddressKeys = owned[wallets.SealedKey]{
	row: inScope(func(n int) wallets.SealedKey { return sealedKey(address(n)) },
		func(k *wallets.SealedKey, scope ferry.Scope) { k.Scope = scope }),
	insert: func(ctx context.Context, p store.Ports, row wallets.SealedKey) error {
		return insertAddress(scopedAddresses.row(row.Scope, 1))(ctx, p)
	},
	get: func(ctx context.Context, p store.Ports, scope ferry.Scope, row wallets.SealedKey) (wallets.SealedKey, error) {
		return sealedKeyOf(scope, row.ID)(ctx, p)
	},
	update:  on(updateKey),
	version: func(k *wallets.SealedKey) *int64 { return &k.Version },
	change:  func(k *wallets.SealedKey) { k.KeyVersion = 3 },
	missing: wallets.ErrAddressNotFound,
	fixed:   []string{"Wallet", "PublicKey", "CreatedAt"},
}

var scopedCustodies = owned[wallets.Custody]{
	row: inScope(func(n int) wallets.Custody { return custody(address(n)) },
		func(c *wallets.Custody, scope ferry.Scope) { c.Scope = scope }),
	insert: func(ctx context.Context, p store.Ports, row wallets.Custody) error {
		return insertFunded(scopedAddresses.row(row.Scope, 1), row)(ctx, p)
	},
	get: func(ctx context.Context, p store.Ports, scope ferry.Scope, row wallets.Custody) (wallets.Custody, error) {
		return custodyOf(scope.Env, row.ID)(ctx, p)
	},
	update:  on(updateCustody),
	version: func(c *wallets.Custody) *int64 { return &c.Version },
	change:  func(c *wallets.Custody) { c.Looks = 9 },
	missing: wallets.ErrAddressNotFound,
	fixed:   []string{"Wallet", "Address"},
}

var scopedTransfers = owned[wallets.Transfer]{
	row:    inScope(transfer, func(t *wallets.Transfer, scope ferry.Scope) { t.Scope = scope }),
	insert: on(insertTransfer),
	get: func(ctx context.Context, p store.Ports, scope ferry.Scope, row wallets.Transfer) (wallets.Transfer, error) {
		return transferOf(scope, row.ID)(ctx, p)
	},
	update:  on(updateTransfer),
	version: func(t *wallets.Transfer) *int64 { return &t.Version },
	change:  func(t *wallets.Transfer) { t.Status, t.Kind = wallets.Success, wallets.Internal },
	missing: wallets.ErrTransactionNotFound,
	fixed:   []string{"Reference", "CreatedAt"},
}

var scopedAttempts = owned[wallets.Attempt]{
	row:    inScope(attempt, func(a *wallets.Attempt, scope ferry.Scope) { a.Scope = scope }),
	insert: on(insertAttempt),
	get: func(ctx context.Context, p store.Ports, scope ferry.Scope, row wallets.Attempt) (wallets.Attempt, error) {
		return attemptBy(scope.Env, row.Signature)(ctx, p)
	},
	update:  on(updateAttempt),
	version: func(a *wallets.Attempt) *int64 { return &a.Version },
	change:  func(a *wallets.Attempt) { a.State = wallets.AttemptLanded },
	missing: wallets.ErrAttemptNotFound,
	fixed:   []string{"Transfer", "Number", "Signed", "Sources", "CreatedAt"},
	keys:    []string{"Signature"},
}

var scopedTransactions = owned[wallets.Transaction]{
	row:    inScope(transaction, func(t *wallets.Transaction, scope ferry.Scope) { t.Scope = scope }),
	insert: on(insertTransaction),
	get: func(ctx context.Context, p store.Ports, scope ferry.Scope, row wallets.Transaction) (wallets.Transaction, error) {
		return transactionOf(scope, row.ID)(ctx, p)
	},
	update:  on(updateTransaction),
	version: func(t *wallets.Transaction) *int64 { return &t.Version },
	change:  func(t *wallets.Transaction) { t.Status, t.Direction = wallets.Success, wallets.In },
	missing: wallets.ErrTransactionNotFound,
	fixed:   []string{"Wallet", "Address", "Transfer", "CreatedAt"},
}

// scopedDeposits is transactions of no transfer, which are known by their
// signature.
var scopedDeposits = func() owned[wallets.Transaction] {
	deposits := scopedTransactions
	deposits.row = func(scope ferry.Scope, n int) wallets.Transaction {
		t := scopedTransactions.row(scope, n)
		t.Transfer = ""
		return t
	}
	deposits.fixed = append([]string{"Signature"}, scopedTransactions.fixed...)
	return deposits
}()

var searchedWallets = searched[wallets.Wallet]{
	owned: scopedWallets, id: func(w wallets.Wallet) string { return string(w.ID) },
	places: map[string]func(*wallets.Wallet, string){
		"reference": func(w *wallets.Wallet, is string) { w.Reference = is },
		"label":     func(w *wallets.Wallet, is string) { w.Label = is },
	},
	put: func(w *wallets.Wallet, is string) { w.Label = is },
	list: func(ctx context.Context, p store.Ports, scope ferry.Scope, search string, page ferry.Page) (ferry.List[wallets.Wallet], error) {
		return p.Wallets().Wallets(ctx, scope, wallets.WalletFilter{Search: search}, page)
	},
}
