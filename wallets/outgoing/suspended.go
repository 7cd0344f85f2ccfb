package outgoing

import (
	"context"
	"errors"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/wallets"
)

// errSuspended says that the sender's wallet is suspended: its transfer waits, with
// what it has reserved, until the wallet is active again.
var errSuspended = errors.New("wallets: the wallet is suspended")

// ResumeIn makes the transfers that wait for a wallet due at once.
func ResumeIn(ctx context.Context, tx wallets.Tx, w wallets.Wallet) error {
	return tx.Leases().Expedite(ctx, QueueTransfers.In(w.Scope.Env), lease.RecordKey(w.Scope, ""), tx.Now())
}

// isSuspended reports whether the wallet of an address signs nothing, neither for its
// own transfers nor for those of others.
func isSuspended(ctx context.Context, tx wallets.Tx, custody wallets.Custody) (bool, error) {
	w, err := wallets.WalletKind.Get(ctx, tx, custody.Scope, custody.Wallet)
	return w.Status == wallets.Suspended, err
}

// checkSender returns errSuspended when the wallet that a transfer is sent from is
// suspended.
func checkSender(ctx context.Context, tx wallets.Tx, t Transfer) error {
	if t.FromID == "" {
		return nil // a treasury transfer
	}
	return checkSigns(ctx, tx, t.Scope.Env, t.FromID, errSuspended)
}

// checkSigns returns refusal when the wallet of an address is suspended.
func checkSigns(ctx context.Context, tx wallets.Tx, env ferry.Env, id wallets.AddressID, refusal error) error {
	custody, err := wallets.CustodyOf(ctx, tx, env, id)
	if err != nil {
		return err
	}
	if suspended, err := isSuspended(ctx, tx, custody); err != nil || !suspended {
		return err
	}
	return refusal
}

// chooseSigning is choose among addresses whose wallets are not suspended.
func chooseSigning(ctx context.Context, tx wallets.Tx, t Transfer, from candidates, limit int) ([]Source, error) {
	for {
		sources, err := choose(t, from, limit)
		var chosen []wallets.AddressID // nil is all of them
		switch {
		case err == nil:
			for _, source := range sources {
				chosen = append(chosen, source.ID)
			}
		case !errors.Is(err, errFragments):
			return nil, err
		}
		rest, removed, failed := from.active(ctx, tx, chosen)
		if failed != nil || !removed {
			return sources, errors.Join(failed, err)
		}
		from = rest
	}
}

// active returns the candidates without those that are suspended, of the ones looked
// at: all when ids is nil.
func (c candidates) active(ctx context.Context, tx wallets.Tx, ids []wallets.AddressID) (rest candidates, removed bool, err error) {
	suspended := map[wallets.AddressID]bool{}
	for _, custody := range slices.Concat(c.near, c.great) {
		if _, known := suspended[custody.ID]; known || ids != nil && !slices.Contains(ids, custody.ID) {
			continue
		}
		if suspended[custody.ID], err = isSuspended(ctx, tx, custody); err != nil {
			return c, false, err
		}
		removed = removed || suspended[custody.ID]
	}
	drop := func(list []wallets.Custody) []wallets.Custody {
		return slices.DeleteFunc(slices.Clone(list), func(custody wallets.Custody) bool { return suspended[custody.ID] })
	}
	return candidates{near: drop(c.near), great: drop(c.great)}, removed, nil
}
