package wallets

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
)

// sourceOf returns the address as one that pays so many minor units.
func sourceOf(c Custody, minor int64) Source {
	return Source{ID: c.ID, Address: c.Address, Amount: money.Of(Asset, minor)}
}

// changeCustody applies a change to the custody of an address.
func changeCustody(ctx context.Context, tx Tx, env ferry.Env, id AddressID, change func(*Custody) error) error {
	custody, err := CustodyOf(ctx, tx, env, id)
	if err != nil {
		return err
	}
	if err := change(&custody); err != nil {
		return err
	}
	return CustodyKind.Update(ctx, tx, custody)
}

// promise commits a part of a source's funds to an attempt, or refuses with
// errLater when they were promised to another one meanwhile.
func promise(ctx context.Context, tx Tx, a Attempt, source Source) error {
	return ChangeCustodyIn(ctx, tx, a.Scope.Env, source.ID, func(c *Custody) (err error) {
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
		if err := ChangeCustodyIn(ctx, tx, a.Scope.Env, source.ID, func(c *Custody) (err error) {
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
	return ChangeCustodyIn(ctx, tx, a.Scope.Env, a.To, func(c *Custody) error {
		total, err := a.Total()
		if err == nil {
			c.OnChain, err = c.OnChain.Add(total)
		}
		return err
	})
}

// readCustody is CustodyOf in a unit of its own.
func readCustody(ctx context.Context, units ferry.EnvUnits[Tx], env ferry.Env, id AddressID) (Custody, error) {
	return ferry.InRead(ctx, units.In(env), func(ctx context.Context, tx Tx) (Custody, error) {
		return CustodyOf(ctx, tx, env, id)
	})
}

// readCustodies returns the custodies of an environment in the order of their ids after
// the given one, at most limit.
func readCustodies(ctx context.Context, units ferry.EnvUnits[Tx], env ferry.Env, after AddressID, limit int) ([]Custody, error) {
	return ferry.InRead(ctx, units.In(env), func(ctx context.Context, tx Tx) ([]Custody, error) {
		return CustodyKind.After(ctx, tx, CustodiesIn(env), after, limit)
	})
}
