package wallets

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// Custody is what the engine knows of an address's money on the chain. It is
// kept apart from the Address because other things change it.
type Custody struct {
	ID      AddressID
	Scope   ferry.Scope
	Wallet  ID
	Address chain.Address
	// Cursor is the place in the address's history up to which every movement
	// has had its effect, and Mark the address's mark at that place.
	Cursor chain.Cursor
	Mark   chain.Mark
	// Doubt is a newer mark whose movements may be missing from the history as it
	// was read, and Looks is how often the history was read since the mark was seen.
	Doubt chain.Mark
	Looks int
	// ScannedAt is when the history was last read to its end.
	ScannedAt time.Time
	// OnChain is what the address holds, as far as finalized movements have
	// had their effect; Committed is the part promised to live attempts.
	OnChain, Committed money.Amount
	Version            int64
}

// Surplus is what a new attempt may take from the address.
func (c Custody) Surplus() money.Amount {
	return money.Of(Asset, c.OnChain.Minor()-c.Committed.Minor())
}

// source returns the address as one that pays so many minor units.
func (c Custody) source(minor int64) Source {
	return Source{ID: c.ID, Address: c.Address, Amount: money.Of(Asset, minor)}
}

// changeCustody applies a change to the custody of an address.
func changeCustody(ctx context.Context, tx Tx, env ferry.Env, id AddressID, change func(*Custody) error) error {
	custody, err := tx.Wallets().Custody(ctx, env, id)
	if err != nil {
		return err
	}
	if err := change(&custody); err != nil {
		return err
	}
	return tx.Wallets().UpdateCustody(ctx, custody)
}

// promise commits a part of a source's funds to an attempt, or refuses with
// errLater when they were promised to another one meanwhile.
func promise(ctx context.Context, tx Tx, a Attempt, source Source) error {
	return changeCustody(ctx, tx, a.Scope.Env, source.ID, func(c *Custody) (err error) {
		if c.Surplus().Minor() < source.Amount.Minor() {
			return errLater
		}
		c.Committed, err = c.Committed.Add(source.Amount)
		return err
	})
}

// book ends the promises of an attempt; when it landed, its sources hold that
// much less, and the receiver of a treasury transfer that much more.
func book(ctx context.Context, tx Tx, a Attempt, landed bool) error {
	for _, source := range a.Sources {
		if err := changeCustody(ctx, tx, a.Scope.Env, source.ID, func(c *Custody) (err error) {
			if c.Committed, err = c.Committed.Sub(source.Amount); err == nil && landed {
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
	return changeCustody(ctx, tx, a.Scope.Env, a.To, func(c *Custody) error {
		total, err := a.Total()
		if err == nil {
			c.OnChain, err = c.OnChain.Add(total)
		}
		return err
	})
}
