package storetest

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

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
