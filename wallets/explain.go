package wallets

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/ledger"
)

// Explain says what keeps a wallet from sending, or an address from telling of its deposits. It finds
// a wallet by its id or its reference, and an address by its id or by what it is on the chain.
// Errors: of ferry.NotFound.
func Explain(ctx context.Context, tx Tx, scope ferry.Scope, name string) (*explain.Explanation, error) {
	a, err := findAddress(ctx, tx, scope, AddressRef{ID: name})
	if errors.Is(err, ErrAddressNotFound) {
		a, err = OwnAddress(ctx, tx, scope, name)
	}
	if !errors.Is(err, ErrAddressNotFound) {
		if err != nil {
			return nil, err
		}
		return a.explain(tx.Now()), nil
	}
	w, err := findWallet(ctx, tx, scope, WalletRef{ID: name})
	if errors.Is(err, ErrWalletNotFound) {
		w, err = ByReference(ctx, tx, scope, name)
	}
	if err != nil {
		return nil, err
	}
	return explainWallet(ctx, tx, w)
}

func explainWallet(ctx context.Context, tx Tx, w Wallet) (*explain.Explanation, error) {
	x := explain.New("wallet", w.ID, w.Reference, w.Status, tx.Now())
	x.Ended = Lifecycle.Final(w.Status)
	switch w.Status {
	case Active:
		x.Say("The wallet sends and receives.")
		x.Do(explain.Caller, "send", "POST /v1/wallets/transfer sends from it.")
	case Suspended:
		w.explainSuspension(x)
	case Closed:
		x.Say("The wallet is closed, since %s. What still arrives is credited.", w.UpdatedAt)
		return x, nil
	}
	account, err := tx.Ledger().Account(ctx, ledger.WalletAccount(string(w.ID)))
	if err != nil {
		return nil, err
	}
	x.Say("%s of it can be sent, and %s are set aside.", account.Available(), account.Reserved)
	return x, nil
}

// explainSuspension adds who suspended a wallet, and who can end that.
func (w Wallet) explainSuspension(x *explain.Explanation) {
	x.Say("The wallet receives only, since %s.", w.UpdatedAt)
	if w.Alarmed() {
		x.Refuse(explain.Engine, "alarm", w.UpdatedAt, "An alarm suspended it: its books and the chain did not agree.")
		x.Await(explain.Operator, "release", time.Time{}, "An operator has to look and to release it.")
		x.Do(explain.Operator, "release", "Compare with ferry reconcile, then: ferry wallets release %s.", w.ID)
	}
	if w.SuspendedBy != ByAlarm {
		x.Refuse(explain.Caller, "suspend", w.UpdatedAt, "You suspended it.")
		x.Do(explain.Caller, "activate", "POST /v1/wallets/status with status active.")
	}
}

// explain says what an address does.
func (a Address) explain(now time.Time) *explain.Explanation {
	x := explain.New("address", a.ID, string(a.Address), a.Status, now)
	switch a.Status {
	case AddressActive:
		x.Await(explain.Payer, "deposit", time.Time{}, "The address waits for USDC, and each deposit is an event.")
	case AddressInactive:
		x.Say("The address receives USDC, but no deposit is an event.")
		x.Do(explain.Caller, "activate", "PATCH /v1/wallets/addresses/%s with status active.", a.ID)
	}
	if a.DepositCount == 0 {
		x.Say("Nothing has ever arrived.")
	} else {
		x.Say("%s arrived in all, the last at %s.", a.TotalReceived, a.LastDepositAt)
	}
	return x
}
