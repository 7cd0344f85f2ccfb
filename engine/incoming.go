package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/funding"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// Money that comes in finds its owner here, in the unit that books it: a bank credit
// by the number of the account, a deposit by its address. A business's own source
// accounts and wallets come first; what belongs to a session or to a collection
// account is handed on. The domains that take money in stand below those that wait
// for it, so each unit is widened to what the next one needs.

// creditSession hands credits to accounts of sessions to checkout.
func (e *Engine) creditSession(ctx context.Context, tx funding.Tx, env ferry.Env, c bank.Credit, rate money.Rate) ([]ledger.Leg, bool, error) {
	return e.Checkout.CreditIn(ctx, tx.(checkout.Tx), env, c, rate)
}

// pricedCredit asks checkout at which rate a credit counts. One that waits for its rate
// keeps no other waiting.
func (e *Engine) pricedCredit(ctx context.Context, env ferry.Env, c bank.Credit) (money.Rate, error) {
	rate, err := e.Checkout.CreditRate(ctx, env, c)
	if errors.Is(err, checkout.ErrCryptoUnavailable) && ctx.Err() == nil {
		return rate, fmt.Errorf("%w: %v", funding.ErrNoRate, err)
	}
	return rate, err
}

// creditAccount hands credits to collection accounts to accounts.
func creditAccount(ctx context.Context, tx funding.Tx, env ferry.Env, c bank.Credit, _ money.Rate) ([]ledger.Leg, bool, error) {
	return accounts.CreditIn(ctx, tx.(accounts.Tx), env, c)
}

// recallSession tells checkout of recalled credits.
func recallSession(ctx context.Context, tx funding.Tx, env ferry.Env, c bank.Credit) error {
	return checkout.RecalledIn(ctx, tx.(checkout.Tx), env, c)
}

// recallAccount tells accounts of recalled credits.
func recallAccount(ctx context.Context, tx funding.Tx, env ferry.Env, c bank.Credit) error {
	return accounts.RecalledIn(ctx, tx.(accounts.Tx), env, c)
}

// seen tells checkout of USDC on its way to an address.
func (e *Engine) seen(ctx context.Context, tx wallets.Tx, to wallets.AddressID, in chain.Incoming) error {
	return checkout.SeenIn(ctx, tx.(checkout.Tx), to, in)
}

// arrived tells checkout of USDC on an address.
func (e *Engine) arrived(ctx context.Context, tx wallets.Tx, to wallets.Address, in wallets.Transaction, came wallets.Coming) error {
	return e.Checkout.DepositIn(ctx, tx.(checkout.Tx), to, in, came)
}

// priced asks checkout at which rate USDC counts that came to an address.
func (e *Engine) priced(ctx context.Context, env ferry.Env, to wallets.AddressID, at time.Time) (money.Rate, error) {
	return e.Checkout.RateFor(ctx, env, to, at)
}

// refundFailed tells checkout of a transfer that moved nothing.
func (e *Engine) refundFailed(ctx context.Context, tx wallets.Tx, t wallets.Transfer) error {
	return checkout.RefundFailedIn(ctx, tx.(checkout.Tx), t)
}

// unsupported tells checkout of another token on an address.
func (e *Engine) unsupported(ctx context.Context, tx wallets.Tx, to wallets.AddressID) error {
	return e.Checkout.WrongAssetIn(ctx, tx.(checkout.Tx), to)
}

// closing asks checkout before a wallet closes.
func closing(ctx context.Context, tx wallets.Tx, w wallets.Wallet) error {
	return checkout.ClosingIn(ctx, tx.(checkout.Tx), w)
}
