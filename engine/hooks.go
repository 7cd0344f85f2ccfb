package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bankfeed"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/ramp/onramp"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/deposits"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// This file connects facts with those who act on them. The domains that take money in are
// below the domains that wait for it. So the lower ones call the hooks that the engine
// gives them, in the unit of the fact: first those of domains, then the listeners of the
// embedder.

// bankFeedHooks find the owner of a bank credit by the number of its account. A business's
// own source accounts come first, in bankfeed itself.
func (e *Engine) bankFeedHooks() bankfeed.Hooks[store.Tx] {
	return bankfeed.Hooks[store.Tx]{
		Owners: []bankfeed.Owner[store.Tx]{
			func(ctx context.Context, tx store.Tx, env ferry.Env, c bank.Credit, rate money.Rate) ([]ledger.Leg, bool, error) {
				return e.Checkout.CreditIn(ctx, tx, env, c, rate)
			},
			func(ctx context.Context, tx store.Tx, env ferry.Env, c bank.Credit, _ money.Rate) ([]ledger.Leg, bool, error) {
				return accounts.CreditIn(ctx, tx, env, c)
			},
			func(ctx context.Context, tx store.Tx, env ferry.Env, c bank.Credit, _ money.Rate) ([]ledger.Leg, bool, error) {
				return onramp.CreditIn(ctx, tx, env, c)
			},
		},
		Recalled: []bankfeed.Follower[store.Tx]{
			func(ctx context.Context, tx store.Tx, env ferry.Env, c bank.Credit) error {
				return checkout.RecalledIn(ctx, tx, env, c)
			},
			func(ctx context.Context, tx store.Tx, env ferry.Env, c bank.Credit) error {
				return onramp.RecalledIn(ctx, tx, env, c)
			},
			func(ctx context.Context, tx store.Tx, env ferry.Env, c bank.Credit) error {
				owner, err := accounts.RecalledIn(ctx, tx, env, c)
				if err != nil || owner == (ferry.Scope{}) {
					return err
				}
				return refunds.WithdrawIn(ctx, tx, owner, c.SessionID)
			},
		},
	}
}

// walletHooks find the session, or the offramp, that waits for USDC by the address that it comes to.
func (e *Engine) walletHooks(l Listeners) wallets.Hooks[store.Tx] {
	h := wallets.Hooks[store.Tx]{
		Customer: func(ctx context.Context, tx store.Tx, scope ferry.Scope, id string) error {
			_, err := customers.CustomerKind.Get(ctx, tx, scope, customers.ID(id))
			return err
		},
	}
	h.Arrived = append(h.Arrived, func(ctx context.Context, tx store.Tx, to wallets.Address, in wallets.Transaction, came wallets.Coming) error {
		return e.Checkout.DepositIn(ctx, tx, to, in, came)
	}, func(ctx context.Context, tx store.Tx, to wallets.Address, in wallets.Transaction, came wallets.Coming) error {
		return e.Offramps.DepositIn(ctx, tx, to, in, came)
	})
	for _, hear := range l.DepositArrived {
		h.Arrived = append(h.Arrived, func(ctx context.Context, tx store.Tx, _ wallets.Address, in wallets.Transaction, _ wallets.Coming) error {
			return hear(ctx, tx, in)
		})
	}
	h.Activated = append(h.Activated, func(ctx context.Context, tx store.Tx, w wallets.Wallet) error {
		return outgoing.ResumeIn(ctx, tx, w)
	})
	h.Closing = append(h.Closing, func(ctx context.Context, tx store.Tx, w wallets.Wallet) error {
		return checkout.ClosingIn(ctx, tx, w)
	})
	return h
}

// outgoingHooks end the refund that a transfer sends back, the deposit of an offramp, and the onramp. They
// hold again what a transfer has failed to take back: a receipt, or such a deposit.
func outgoingHooks(l Listeners) (h outgoing.Hooks[store.Tx]) {
	h.Succeeded = append(h.Succeeded, func(ctx context.Context, tx store.Tx, t outgoing.Transfer) error {
		return errors.Join(refunds.SentIn(ctx, tx, t), offramp.SentBackIn(ctx, tx, t), onramp.SentIn(ctx, tx, t))
	})
	for _, hear := range l.TransferSucceeded {
		h.Succeeded = append(h.Succeeded, hear)
	}
	h.Failed = append(h.Failed, func(ctx context.Context, tx store.Tx, t outgoing.Transfer) error {
		return errors.Join(checkout.RefundFailedIn(ctx, tx, t), refunds.NotSentIn(ctx, tx, t), offramp.NotSentBackIn(ctx, tx, t), onramp.NotSentIn(ctx, tx, t))
	})
	for _, hear := range l.TransferFailed {
		h.Failed = append(h.Failed, hear)
	}
	return h
}

// billMoved moves the offramp that pays for a bill.
func (e *Engine) billMoved(ctx context.Context, tx bills.Tx, b bills.Bill, by bills.Cause) error {
	return e.Offramps.BillMovedIn(ctx, tx, b, by)
}

// depositHooks show a payer what is on its way, and stop money from leaving when some has
// moved without a transfer.
func (e *Engine) depositHooks() (h deposits.Hooks[store.Tx]) {
	h.Pending = append(h.Pending, func(ctx context.Context, tx store.Tx, to wallets.AddressID, in chain.PendingDeposits) error {
		return checkout.NotePendingIn(ctx, tx, to, in)
	})
	h.Unsupported = append(h.Unsupported, func(ctx context.Context, tx store.Tx, to wallets.AddressID) error {
		return e.Checkout.WrongAssetIn(ctx, tx, to)
	})
	h.Unexplained = append(h.Unexplained, func(ctx context.Context, tx store.Tx, at wallets.Custody, m chain.Movement, delta money.Amount) error {
		return e.Custody.UnexplainedIn(ctx, tx, at, m, delta)
	})
	return h
}

// priced tells whom to ask for the rate of USDC that came to an address: checkout or offramps.
// An address belongs to one of them at most.
func (e *Engine) priced(ctx context.Context, tx wallets.Tx, env ferry.Env, to wallets.AddressID, at time.Time) (wallets.RateSource, error) {
	whole := ferry.Whole[store.Tx](tx)
	if needed, err := e.Checkout.NeedsRateIn(ctx, whole, to, at); err != nil || needed {
		return e.Checkout.RateNow, err
	}
	if needed, err := e.Offramps.NeedsRateIn(ctx, whole, env, to, at); err != nil || needed {
		return e.Offramps.RateNow, err
	}
	return nil, nil
}

// pricedCredit asks checkout at which rate a credit counts. A credit that waits for its rate
// delays no other credit.
func (e *Engine) pricedCredit(ctx context.Context, env ferry.Env, c bank.Credit) (money.Rate, error) {
	rate, err := e.Checkout.CreditRate(ctx, env, c)
	if errors.Is(err, checkout.ErrCryptoUnavailable) && ctx.Err() == nil {
		return rate, fmt.Errorf("%w: %v", bankfeed.ErrNoRate, err)
	}
	return rate, err
}
