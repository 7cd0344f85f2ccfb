package wallets

import (
	"context"
	"errors"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
)

// Suspender is who keeps a wallet suspended.
type Suspender string

const (
	// ByNobody: the wallet is not suspended.
	ByNobody Suspender = ""
	// ByBusiness: its business suspended it, and may activate it.
	ByBusiness Suspender = "business"
	// ByAlarm: money left it without a transfer, or it holds something else than
	// the books say. Only the operator ends that: ReleaseWallet, Adopt.
	ByAlarm Suspender = "alarm"
	// ByBoth: after the operator has released it, its business suspends it still.
	ByBoth Suspender = "business_and_alarm"
)

// Alarmed reports whether an alarm keeps the wallet suspended.
func (w Wallet) Alarmed() bool { return w.SuspendedBy == ByAlarm || w.SuspendedBy == ByBoth }

// ErrAlarmed refuses to move a wallet that an alarm suspended.
var ErrAlarmed = ferry.ErrInvalidTransition.Saying("An alarm suspended this wallet. Only the operator can release it")

// ErrNotAlarmed refuses to release a wallet that no alarm suspended.
var ErrNotAlarmed = errors.New("wallets: no alarm suspends the wallet")

// suspend suspends the wallet of an address because of an alarm, and reports
// whether none did before.
func suspend(ctx context.Context, tx Tx, custody Custody) (bool, error) {
	w, err := WalletKind.Get(ctx, tx, custody.Scope, custody.Wallet)
	if err != nil || w.Status == Closed || w.Alarmed() {
		return false, err
	}
	if w.Status == Active {
		w.SuspendedBy = ByAlarm
		_, err = moveWallet(ctx, tx, w, Suspend)
		return err == nil, err
	}
	w.SuspendedBy, w.UpdatedAt = ByBoth, tx.Now()
	err = WalletKind.Update(ctx, tx, w)
	return err == nil, err
}

// ReleaseWallet ends the suspension of a wallet by an alarm, for an operator who
// has looked. A wallet that its business suspended, too, stays so. An address that
// still drifts suspends it again. Errors: ErrWalletNotFound, ErrNotAlarmed.
func (s *Service) ReleaseWallet(ctx context.Context, scope ferry.Scope, ref WalletRef) (Wallet, error) {
	return ferry.InUnit(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Wallet, error) {
		w, err := findWallet(ctx, tx, scope, ref)
		if err != nil {
			return Wallet{}, err
		}
		if !w.Alarmed() {
			return Wallet{}, ErrNotAlarmed
		}
		return endAlarm(ctx, tx, w)
	})
}

// endAlarm ends the alarm of a wallet, and the suspension unless its business suspended it too.
func endAlarm(ctx context.Context, tx Tx, w Wallet) (Wallet, error) {
	if w.SuspendedBy == ByAlarm {
		return moveWallet(ctx, tx, w, Activate)
	}
	w.SuspendedBy, w.UpdatedAt = ByBusiness, tx.Now()
	if err := WalletKind.Update(ctx, tx, w); err != nil {
		return Wallet{}, err
	}
	w.Version++
	return w, nil
}

// reactivate ends the alarm of the wallet of an address.
func reactivate(ctx context.Context, tx Tx, env ferry.Env, id AddressID) error {
	custody, err := tx.Wallets().Custody(ctx, env, id)
	if err != nil {
		return err
	}
	w, err := WalletKind.Get(ctx, tx, custody.Scope, custody.Wallet)
	if err != nil || !w.Alarmed() {
		return err
	}
	_, err = endAlarm(ctx, tx, w)
	return err
}

// errSuspended says that the sender's wallet is suspended: its transfer waits, with
// what it has reserved, until the wallet is active again.
var errSuspended = errors.New("wallets: the wallet is suspended")

// resume makes the transfers that wait for a wallet due at once.
func resume(ctx context.Context, tx Tx, w Wallet) error {
	return tx.Leases().Expedite(ctx, QueueTransfers.In(w.Scope.Env), lease.RecordKey(w.Scope, ""), tx.Now())
}

// isSuspended reports whether the wallet of an address signs nothing, neither for its
// own transfers nor for those of others.
func isSuspended(ctx context.Context, tx Tx, custody Custody) (bool, error) {
	w, err := WalletKind.Get(ctx, tx, custody.Scope, custody.Wallet)
	return w.Status == Suspended, err
}

// checkSender returns errSuspended when the wallet that a transfer is sent from is
// suspended.
func checkSender(ctx context.Context, tx Tx, t Transfer) error {
	if t.FromID == "" {
		return nil // a treasury transfer
	}
	custody, err := tx.Wallets().Custody(ctx, t.Scope.Env, t.FromID)
	if err != nil {
		return err
	}
	if suspended, err := isSuspended(ctx, tx, custody); err != nil || !suspended {
		return err
	}
	return errSuspended
}

// checkSource returns errLater when the wallet of a source was suspended since the
// attempt was planned.
func checkSource(ctx context.Context, tx Tx, env ferry.Env, id AddressID) error {
	custody, err := tx.Wallets().Custody(ctx, env, id)
	if err != nil {
		return err
	}
	if suspended, err := isSuspended(ctx, tx, custody); err != nil || !suspended {
		return err
	}
	return errLater
}

// chooseSigning is choose among addresses whose wallets are not suspended.
func chooseSigning(ctx context.Context, tx Tx, t Transfer, from candidates, limit int) ([]Source, error) {
	for {
		sources, err := choose(t, from, limit)
		var chosen []AddressID // nil is all of them
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
func (c candidates) active(ctx context.Context, tx Tx, ids []AddressID) (rest candidates, removed bool, err error) {
	suspended := map[AddressID]bool{}
	for _, custody := range slices.Concat(c.near, c.great) {
		if _, known := suspended[custody.ID]; known || ids != nil && !slices.Contains(ids, custody.ID) {
			continue
		}
		if suspended[custody.ID], err = isSuspended(ctx, tx, custody); err != nil {
			return c, false, err
		}
		removed = removed || suspended[custody.ID]
	}
	drop := func(list []Custody) []Custody {
		return slices.DeleteFunc(slices.Clone(list), func(custody Custody) bool { return suspended[custody.ID] })
	}
	return candidates{near: drop(c.near), great: drop(c.great)}, removed, nil
}
