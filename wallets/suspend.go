package wallets

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
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

// CheckActive returns ErrWalletNotActive unless the wallet is active.
func (w Wallet) CheckActive() error {
	if w.Status == Active {
		return nil
	}
	return ErrWalletNotActive.Saying("The wallet is " + string(w.Status))
}

// ErrAlarmed refuses to move a wallet that an alarm suspended.
var ErrAlarmed = ferry.ErrInvalidTransition.Saying("An alarm suspended this wallet. Only the operator can release it")

// ErrNotAlarmed refuses to release a wallet that no alarm suspended.
var ErrNotAlarmed = errors.New("wallets: no alarm suspends the wallet")

// AlarmIn suspends a wallet because of an alarm within a unit, and reports whether no alarm
// did before. A closed wallet stays closed.
func (s *Service) AlarmIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID) (bool, error) {
	w, err := WalletKind.Get(ctx, tx, scope, id)
	if err != nil || w.Status == Closed || w.Alarmed() {
		return false, err
	}
	if w.Status == Active {
		w.SuspendedBy = ByAlarm
		_, err = s.moveWallet(ctx, tx, w, Suspend)
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
		return s.endAlarm(ctx, tx, w)
	})
}

// endAlarm ends the alarm of a wallet, and the suspension unless its business suspended it too.
func (s *Service) endAlarm(ctx context.Context, tx Tx, w Wallet) (Wallet, error) {
	if w.SuspendedBy == ByAlarm {
		return s.moveWallet(ctx, tx, w, Activate)
	}
	w.SuspendedBy, w.UpdatedAt = ByBusiness, tx.Now()
	if err := WalletKind.Update(ctx, tx, w); err != nil {
		return Wallet{}, err
	}
	w.Version++
	return w, nil
}

// EndAlarmIn ends the alarm of a wallet within a unit, if there is one.
func (s *Service) EndAlarmIn(ctx context.Context, tx Tx, scope ferry.Scope, id ID) error {
	w, err := WalletKind.Get(ctx, tx, scope, id)
	if err != nil || !w.Alarmed() {
		return err
	}
	_, err = s.endAlarm(ctx, tx, w)
	return err
}
