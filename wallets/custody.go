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
	// has had its effect, and ChangeToken the address's token at that place. It is empty
	// when the history must be read whatever the token.
	Cursor      chain.Cursor
	ChangeToken chain.ChangeToken
	// PendingToken is a newer token whose movements may be missing from the history
	// as it was read, and PendingReads is how often it was read since the token was seen.
	PendingToken chain.ChangeToken
	PendingReads int
	// ScannedAt is when the history was last read to its end.
	ScannedAt time.Time
	// AwaitedUntil is until when somebody waits for USDC here, so that what is on its way is told
	// before it is final.
	AwaitedUntil time.Time
	// OnChain is what the address holds, as far as finalized movements have
	// had their effect; Committed is the part that live attempts pay with.
	OnChain, Committed money.Amount
	Version            int64
}

// Surplus is what a new attempt may take from the address.
func (c Custody) Surplus() money.Amount {
	return money.Of(Asset, c.OnChain.Minor()-c.Committed.Minor())
}

// ChangeCustodyIn applies a change to the custody of an address within a unit.
func ChangeCustodyIn(ctx context.Context, tx Tx, env ferry.Env, id AddressID, change func(*Custody) error) error {
	custody, err := CustodyOf(ctx, tx, env, id)
	if err != nil {
		return err
	}
	if err := change(&custody); err != nil {
		return err
	}
	return CustodyKind.Update(ctx, tx, custody)
}

// ReadCustody is CustodyOf in a unit of its own.
func ReadCustody(ctx context.Context, units ferry.EnvUnits[Tx], env ferry.Env, id AddressID) (Custody, error) {
	return ferry.InRead(ctx, units.In(env), func(ctx context.Context, tx Tx) (Custody, error) {
		return CustodyOf(ctx, tx, env, id)
	})
}

// ReadCustodies returns the custodies of an environment in the order of their ids after
// the given one, at most limit.
func ReadCustodies(ctx context.Context, units ferry.EnvUnits[Tx], env ferry.Env, after AddressID, limit int) ([]Custody, error) {
	return ferry.InRead(ctx, units.In(env), func(ctx context.Context, tx Tx) ([]Custody, error) {
		return CustodyKind.After(ctx, tx, CustodiesIn(env), after, limit)
	})
}
