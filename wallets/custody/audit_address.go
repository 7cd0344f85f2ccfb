package custody

import (
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// checkAddress finds rows that do not agree on what an address is on the chain.
func (a *audit) checkAddress(c wallets.Custody) error {
	row, err := wallets.AddressKind.Get(a.ctx, a.tx, c.Scope, c.ID)
	if err == nil {
		a.agree(c, "its row", row.Wallet, row.Address)
		err = a.checkPrimary(c, row)
	}
	if errors.Is(err, ferry.NotFound) {
		a.find("deposit_address", string(c.ID), "%s has no row in its scope", c.Address)
	} else if err != nil {
		return err
	}
	key, err := wallets.SealedKeyKind.Get(a.ctx, a.tx, c.Scope, c.ID)
	if errors.Is(err, ferry.NotFound) {
		a.find("deposit_address", string(c.ID), "%s has no key in its scope", c.Address)
		return nil
	}
	if err == nil {
		a.agree(c, "its key", key.Wallet, key.PublicKey)
	}
	return err
}

// checkPrimary compares the primary address of a wallet with what the wallet says.
func (a *audit) checkPrimary(c wallets.Custody, row wallets.Address) error {
	if !row.Primary {
		return nil
	}
	w, err := wallets.WalletKind.Get(a.ctx, a.tx, c.Scope, c.Wallet)
	if err != nil {
		return err
	}
	if w.Primary != c.ID {
		a.find("deposit_address", string(c.ID), "%s is primary, its wallet %s says %s", c.Address, w.ID, w.Primary)
	}
	a.agree(c, "its wallet", w.ID, w.PrimaryAddress)
	return nil
}

// agree compares what a row says of an address with its custody.
func (a *audit) agree(c wallets.Custody, row string, wallet wallets.ID, address chain.Address) {
	if wallet != c.Wallet || address != c.Address {
		a.find("deposit_address", string(c.ID), "custody says %s of %s, %s says %s of %s", c.Address, c.Wallet, row, address, wallet)
	}
}
