package memstore

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/wallets"
)

func usdc(minor int64) money.Amount { return money.Of(wallets.Asset, minor) }

func (s walletStore) Custody(_ context.Context, env ferry.Env, id wallets.AddressID) (wallets.Custody, error) {
	c, found := s.rows().custodies.get(id)
	if !found || c.Scope.Env != env {
		return wallets.Custody{}, wallets.ErrAddressNotFound
	}
	return c, nil
}

func (s walletStore) UpdateCustody(ctx context.Context, c wallets.Custody) error {
	if err := s.writable(); err != nil {
		return err
	}
	stored, err := s.Custody(ctx, c.Scope.Env, c.ID)
	switch {
	case err != nil:
		return err
	case stored.Scope != c.Scope:
		return wallets.ErrAddressNotFound
	case stored.Version != c.Version:
		return ferry.ErrStale
	}
	c.Version++
	c.Wallet, c.Address = stored.Wallet, stored.Address // whose money it is never changes
	s.putCustody(c)
	return nil
}

// putCustody writes a custody and lists it by its surplus, for its business and
// for its environment.
func (s walletStore) putCustody(c wallets.Custody) {
	t := s.rows()
	groups := []ferry.Scope{c.Scope, {Env: c.Scope.Env}}
	if old, found := t.custodies.get(c.ID); found {
		for _, group := range groups {
			t.surplus.drop(s.undo, group, place[wallets.AddressID]{old.Surplus().Minor(), c.ID})
		}
	}
	t.custodies.put(s.undo, c.ID, c)
	if c.Surplus().Sign() <= 0 {
		return
	}
	for _, group := range groups {
		t.surplus.add(s.undo, group, place[wallets.AddressID]{c.Surplus().Minor(), c.ID})
	}
}

func (s walletStore) Custodies(_ context.Context, env ferry.Env, after wallets.AddressID, limit int) ([]wallets.Custody, error) {
	t := s.rows()
	page := []wallets.Custody{}
	for p := range t.custodyID.of(env).after(place[wallets.AddressID]{id: after}) {
		if len(page) >= limit {
			break
		}
		page = append(page, t.custodies.row(p.id))
	}
	return page, nil
}

func (s walletStore) Surpluses(_ context.Context, scope ferry.Scope, limit int) ([]wallets.Custody, error) {
	t := s.rows()
	var greatest []wallets.Custody
	for p := range t.surplus.of(scope).down(0) {
		if len(greatest) >= limit {
			break
		}
		greatest = append(greatest, t.custodies.row(p.id))
	}
	return greatest, nil
}
