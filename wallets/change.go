package wallets

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/provider/chain"
)

// SetStatus moves a wallet to a status. Its present status is a success without
// effect. Errors: ferry.ErrValidation, ErrWalletNotFound,
// ferry.ErrInvalidTransition; a wallet closes only when it holds nothing.
func (s *Service) SetStatus(ctx context.Context, scope ferry.Scope, ref WalletRef, to Status) (FundedWallet, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (FundedWallet, error) {
		return s.SetStatusIn(ctx, tx, scope, ref, to)
	})
}

// SetStatusIn is SetStatus within a unit.
func (s *Service) SetStatusIn(ctx context.Context, tx Tx, scope ferry.Scope, ref WalletRef, to Status) (FundedWallet, error) {
	cause, known := causes[to]
	if !known {
		return FundedWallet{}, ferry.ErrValidation.About("status", "Must be active, suspended or closed")
	}
	w, err := findWallet(ctx, tx, scope, ref)
	if err != nil {
		return FundedWallet{}, err
	}
	if w.Status != to && w.Alarmed() {
		return FundedWallet{}, ErrAlarmed
	}
	if w.Status != to {
		if w, err = s.moveWallet(ctx, tx, w, cause); err == nil && to == Closed {
			err = s.hooks.closing(ctx, tx, w)
		}
		if err != nil {
			return FundedWallet{}, err
		}
	}
	return s.fundWallet(ctx, tx, w)
}

// moveWallet makes one move of the lifecycle.
func (s *Service) moveWallet(ctx context.Context, tx Tx, w Wallet, cause Cause) (Wallet, error) {
	edge, err := Lifecycle.Next(w.Status, cause)
	if err != nil {
		return Wallet{}, err
	}
	if edge.To == Closed {
		if err := checkEmpty(ctx, tx, w); err != nil {
			return Wallet{}, err
		}
	}
	w.Status, w.UpdatedAt = edge.To, tx.Now()
	switch {
	case edge.To != Suspended:
		w.SuspendedBy = ByNobody
	case w.SuspendedBy == ByNobody:
		w.SuspendedBy = ByBusiness
	}
	if err := WalletKind.Update(ctx, tx, w); err != nil {
		return Wallet{}, err
	}
	w.Version++
	if cause == Activate {
		return w, s.hooks.activated(ctx, tx, w)
	}
	return w, nil
}

// checkEmpty refuses to close a wallet that holds money. What is pending is
// reserved, and what is reserved is posted.
func checkEmpty(ctx context.Context, tx Tx, w Wallet) error {
	account, err := tx.Ledger().Account(ctx, ledger.WalletAccount(string(w.ID)))
	if err != nil {
		return err
	}
	if !account.Posted.IsZero() || !account.Reserved.IsZero() {
		return ferry.ErrInvalidTransition.Saying("A wallet closes only when its balance is 0 and nothing is pending")
	}
	return nil
}

// UpdateAddressParams changes an address; nil fields stay as they are.
type UpdateAddressParams struct {
	Label *string
	// Metadata replaces all that is there.
	Metadata ferry.Metadata
	Status   *AddressStatus
}

// Check adds what is wrong with the fields of p.
func (p UpdateAddressParams) Check(problems *ferry.Problems) {
	if p.Label != nil {
		checkLabel(*p.Label, problems)
	}
	p.Metadata.Check("metadata", problems)
	if p.Status != nil && addressCauses[*p.Status] == "" {
		problems.Add("status", "Must be active or inactive")
	}
}

// UpdateAddress changes an address. Errors: ferry.ErrValidation,
// ErrAddressNotFound.
func (s *Service) UpdateAddress(ctx context.Context, scope ferry.Scope, ref AddressRef, p UpdateAddressParams) (FundedAddress, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (FundedAddress, error) {
		return s.UpdateAddressIn(ctx, tx, scope, ref, p)
	})
}

// UpdateAddressIn is UpdateAddress within a unit.
func (s *Service) UpdateAddressIn(ctx context.Context, tx Tx, scope ferry.Scope, ref AddressRef, p UpdateAddressParams) (FundedAddress, error) {
	var problems ferry.Problems
	p.Check(&problems)
	if err := problems.Err(); err != nil {
		return FundedAddress{}, err
	}
	a, err := findAddress(ctx, tx, scope, ref)
	if err != nil {
		return FundedAddress{}, err
	}
	if a, err = p.apply(a); err != nil {
		return FundedAddress{}, err
	}
	a.UpdatedAt = tx.Now()
	if err := AddressKind.Update(ctx, tx, a); err != nil {
		return FundedAddress{}, err
	}
	a.Version++
	return s.fundAddress(ctx, tx, a)
}

// apply returns a with the changes made.
func (p UpdateAddressParams) apply(a Address) (Address, error) {
	if p.Label != nil {
		a.Label = text.Clean(*p.Label)
	}
	if p.Metadata != nil {
		a.Metadata = ferry.Metadata(nil).Merge(p.Metadata)
	}
	if p.Status == nil || *p.Status == a.Status {
		return a, nil
	}
	edge, err := AddressLifecycle.Next(a.Status, addressCauses[*p.Status])
	if err != nil {
		return Address{}, err
	}
	a.Status = edge.To
	return a, nil
}

// OwnAddress returns the address of the scope that is this one on the chain, or
// ErrAddressNotFound.
func OwnAddress(ctx context.Context, tx Tx, scope ferry.Scope, text string) (Address, error) {
	a, err := AddressAt(ctx, tx, scope.Env, chain.Address(text))
	if err == nil && a.Scope != scope {
		return Address{}, ErrAddressNotFound
	}
	return a, err
}
