package wallets

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/wallets/internal/check"
)

// CreateParams describes a wallet to be made.
type CreateParams struct {
	// Type, Network and Asset have one value each; empty means that one.
	Type, Network, Asset string
	// Reference is the business's own name for the wallet, or empty.
	Reference string
	Label     string
	// CustomerID is the customer that the wallet is for, or empty.
	CustomerID string
	Metadata   ferry.Metadata
}

// Check adds what is wrong with the fields of p.
func (p CreateParams) Check(problems *ferry.Problems) {
	if p.Type != "" && p.Type != Type {
		problems.Add("type", "Must be "+Type)
	}
	check.Reference(p.Reference, problems)
	checkLabel(p.Label, problems)
	p.Metadata.Check("metadata", problems)
}

// Create makes an active wallet with its primary address. Errors:
// ferry.ErrValidation, ErrInvalidNetwork, ErrInvalidAsset,
// ErrDuplicateReference, ErrUnavailable, and those of Config.Customer.
func (s *Service) Create(ctx context.Context, scope ferry.Scope, p CreateParams) (Wallet, error) {
	return operation.Run(ctx, s.CreateOp(scope, p))
}

// CreateOp is Create as an operation, for engine.Do.
func (s *Service) CreateOp(scope ferry.Scope, p CreateParams) ferry.Operation[Tx, Wallet] {
	return ferry.Operation[Tx, Wallet]{
		Name: "wallets.Create", Scope: scope, Params: p, Units: s.units.Of(scope),
		Begin: ferry.InOneUnit(
			s.drawKey,
			func(ctx context.Context, tx Tx, key FreshKey) (Wallet, error) {
				return s.CreateIn(ctx, tx, scope, p, key)
			},
			func(w Wallet) string { return string(w.ID) },
			func(ctx context.Context, tx Tx, id string) (Wallet, error) {
				return WalletKind.Get(ctx, tx, scope, ID(id))
			},
		),
	}
}

// drawKey draws the key of an address before the unit that makes the address.
func (s *Service) drawKey(context.Context) (FreshKey, error) { return s.NewKey() }

// CreateIn is Create within a unit, with a key for the primary address that
// was drawn before.
func (s *Service) CreateIn(ctx context.Context, tx Tx, scope ferry.Scope, p CreateParams, key FreshKey) (Wallet, error) {
	if err := s.checkCreate(ctx, tx, scope, p); err != nil {
		return Wallet{}, err
	}
	w := Wallet{
		ID:         ID(tx.NewID("wal_")),
		Scope:      scope,
		Reference:  p.Reference,
		Label:      text.Clean(p.Label),
		Status:     Lifecycle.Initial,
		CustomerID: p.CustomerID,
		Metadata:   ferry.Metadata(nil).Merge(p.Metadata),
		CreatedAt:  tx.Now(),
		UpdatedAt:  tx.Now(),
	}
	if w.Reference == "" {
		w.Reference = string(w.ID)
	}
	primary := newAddress(tx, w, key)
	primary.Primary, primary.Label = true, w.Label
	w.Primary, w.PrimaryAddress = primary.ID, primary.Address
	if err := WalletKind.Insert(ctx, tx, w); err != nil {
		return Wallet{}, err
	}
	if err := openAccount(ctx, tx, scope, ledger.WalletAccount(string(w.ID)), ""); err != nil {
		return Wallet{}, err
	}
	return w, s.insertAddress(ctx, tx, primary, key, time.Time{})
}

func (s *Service) checkCreate(ctx context.Context, tx Tx, scope ferry.Scope, p CreateParams) error {
	var problems ferry.Problems
	p.Check(&problems)
	if err := problems.Err(); err != nil {
		return err
	}
	if err := CheckPlace(p.Network, p.Asset); err != nil {
		return err
	}
	if p.CustomerID != "" {
		if err := s.checkCustomer(ctx, tx, scope, p.CustomerID); err != nil {
			return err
		}
	}
	_, err := s.config.Chains.In(scope.Env)
	return err
}

func (s *Service) checkCustomer(ctx context.Context, tx Tx, scope ferry.Scope, id string) error {
	if s.hooks.customer == nil {
		return ferry.ErrValidation.About("customer_id", "Customers are not kept here")
	}
	return s.hooks.customer(ctx, tx, scope, id)
}

// AddressParams describes an address to be made.
type AddressParams struct {
	Wallet WalletRef
	// Network has one value; empty means that one.
	Network  string
	Label    string
	Metadata ferry.Metadata
}

// Check adds what is wrong with the fields of p.
func (p AddressParams) Check(problems *ferry.Problems) {
	if p.Wallet == (WalletRef{}) {
		problems.Add("wallet_id", "Missing required field")
	}
	checkLabel(p.Label, problems)
	p.Metadata.Check("metadata", problems)
}

// CreateAddress adds an active address to a wallet. Errors:
// ferry.ErrValidation, ErrInvalidNetwork, ErrUnknownWallet,
// ErrWalletNotActive, ErrUnavailable.
func (s *Service) CreateAddress(ctx context.Context, scope ferry.Scope, p AddressParams) (Address, error) {
	return operation.Run(ctx, s.CreateAddressOp(scope, p))
}

// CreateAddressOp is CreateAddress as an operation, for engine.Do.
func (s *Service) CreateAddressOp(scope ferry.Scope, p AddressParams) ferry.Operation[Tx, Address] {
	return ferry.Operation[Tx, Address]{
		Name: "wallets.CreateAddress", Scope: scope, Params: p, Units: s.units.Of(scope),
		Begin: ferry.InOneUnit(
			s.drawKey,
			func(ctx context.Context, tx Tx, key FreshKey) (Address, error) {
				return s.CreateAddressIn(ctx, tx, scope, p, key)
			},
			func(a Address) string { return string(a.ID) },
			func(ctx context.Context, tx Tx, id string) (Address, error) {
				return AddressKind.Get(ctx, tx, scope, AddressID(id))
			},
		),
	}
}

// CreateAddressIn is CreateAddress within a unit, with a key that was drawn
// before.
func (s *Service) CreateAddressIn(ctx context.Context, tx Tx, scope ferry.Scope, p AddressParams, key FreshKey) (Address, error) {
	return s.createAddressIn(ctx, tx, scope, p, key, time.Time{})
}

func (s *Service) createAddressIn(ctx context.Context, tx Tx, scope ferry.Scope, p AddressParams, key FreshKey, awaited time.Time) (Address, error) {
	var problems ferry.Problems
	p.Check(&problems)
	if err := problems.Err(); err != nil {
		return Address{}, err
	}
	if err := CheckPlace(p.Network, ""); err != nil {
		return Address{}, err
	}
	if _, err := s.config.Chains.In(scope.Env); err != nil {
		return Address{}, err
	}
	w, err := findWallet(ctx, tx, scope, p.Wallet)
	if ferry.KindOf(err) == ferry.NotFound {
		return Address{}, ErrUnknownWallet
	}
	if err != nil {
		return Address{}, err
	}
	if err := w.CheckActive(); err != nil {
		return Address{}, err
	}
	a := newAddress(tx, w, key)
	a.Label, a.Metadata = text.Clean(p.Label), ferry.Metadata(nil).Merge(p.Metadata)
	return a, s.insertAddress(ctx, tx, a, key, awaited)
}

// newAddress returns an active address of a wallet under a fresh key.
func newAddress(tx Tx, w Wallet, key FreshKey) Address {
	return Address{
		ID:              AddressID(tx.NewID("addr_")),
		Scope:           w.Scope,
		Wallet:          w.ID,
		WalletReference: w.Reference,
		Address:         key.address,
		Status:          AddressLifecycle.Initial,
		Metadata:        ferry.Metadata{},
		TotalReceived:   money.Of(Asset, 0),
		CreatedAt:       tx.Now(),
		UpdatedAt:       tx.Now(),
	}
}

// insertAddress adds an address with its sealed key, its custody and its
// account in the books.
func (s *Service) insertAddress(ctx context.Context, tx Tx, a Address, key FreshKey, awaited time.Time) error {
	sealed, err := s.sealKey(key, a)
	if err != nil {
		return err
	}
	custody := Custody{
		ID: a.ID, Scope: a.Scope, Wallet: a.Wallet, Address: a.Address,
		OnChain: money.Of(Asset, 0), Committed: money.Of(Asset, 0), AwaitedUntil: awaited,
	}
	if err := AddressKind.Insert(ctx, tx, a); err != nil {
		return err
	}
	if err := SealedKeyKind.Insert(ctx, tx, sealed); err != nil {
		return err
	}
	if err := CustodyKind.Insert(ctx, tx, custody); err != nil {
		return err
	}
	return openAccount(ctx, tx, a.Scope, a.Account(), ledger.WalletAccount(string(a.Wallet)))
}

func openAccount(ctx context.Context, tx Tx, scope ferry.Scope, id, control ledger.AccountID) error {
	return tx.Ledger().OpenAccount(ctx, ledger.Account{ID: id, Scope: scope, Asset: Asset, Control: control})
}
