package outgoing

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/wallets"
)

// sourceOf returns the address as one that pays so many minor units.
func sourceOf(c wallets.Custody, minor int64) Source {
	return Source{ID: c.ID, Address: c.Address, Amount: money.Of(wallets.Asset, minor)}
}

// checkSource refuses a source with errLater when its wallet was suspended, or its funds
// were committed to another attempt meanwhile.
func checkSource(ctx context.Context, tx wallets.Tx, env ferry.Env, source Source) error {
	if err := checkSigns(ctx, tx, env, source.ID, errLater); err != nil {
		return err
	}
	c, err := wallets.CustodyOf(ctx, tx, env, source.ID)
	if err == nil && c.Surplus().Minor() < source.Amount.Minor() {
		return errLater
	}
	return err
}

// commitFunds commits a part of a source's funds, which are there, to an attempt.
func commitFunds(ctx context.Context, tx wallets.Tx, a Attempt, source Source) error {
	return wallets.ChangeCustodyIn(ctx, tx, a.Scope.Env, source.ID, func(c *wallets.Custody) (err error) {
		c.Committed, err = c.Committed.Add(source.Amount)
		return err
	})
}

// endCommitments frees what was committed to an attempt; when it landed, its sources hold that
// much less, and the receiver of a treasury transfer that much more. The histories of the sources
// are then read again: a deposit of the same amount leaves a balance, and with it a change token,
// as it was.
func endCommitments(ctx context.Context, tx wallets.Tx, a Attempt, landed bool) error {
	for _, source := range a.Sources {
		if err := wallets.ChangeCustodyIn(ctx, tx, a.Scope.Env, source.ID, func(c *wallets.Custody) (err error) {
			if c.Committed, err = c.Committed.Sub(source.Amount); err == nil && landed {
				c.ChangeToken = ""
				c.OnChain, err = c.OnChain.Sub(source.Amount)
			}
			return err
		}); err != nil {
			return err
		}
	}
	if !landed || a.To == "" {
		return nil
	}
	return wallets.ChangeCustodyIn(ctx, tx, a.Scope.Env, a.To, func(c *wallets.Custody) error {
		total, err := a.Total()
		if err == nil {
			c.OnChain, err = c.OnChain.Add(total)
		}
		return err
	})
}
