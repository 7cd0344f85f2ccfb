package deposits

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// PendingDeposits returns the USDC that is on its way to managed addresses and is not final
// yet, in the order of the addresses. There are at most chain.MaxAddresses of them. On a chain
// without that ability all amounts are zero. Errors: ErrUnavailable.
func (s *Service) PendingDeposits(ctx context.Context, env ferry.Env, addresses ...chain.Address) ([]chain.PendingDeposits, error) {
	c, err := s.config.Chains.In(env)
	if err != nil {
		return nil, err
	}
	return incoming(ctx, c, addresses)
}

func incoming(ctx context.Context, c chain.Chain, addresses []chain.Address) ([]chain.PendingDeposits, error) {
	reporter, ok := c.(chain.PendingReporter)
	if !ok || len(addresses) == 0 {
		all := make([]chain.PendingDeposits, len(addresses))
		for i := range all {
			all[i].Amount = money.Of(wallets.Asset, 0)
		}
		return all, nil
	}
	all, err := reporter.PendingDeposits(ctx, addresses)
	if err != nil {
		return nil, wallets.ErrUnavailable.Because(err)
	}
	if len(all) != len(addresses) {
		return nil, fmt.Errorf("wallets: the chain told of %d addresses instead of %d", len(all), len(addresses))
	}
	return all, nil
}

// notifyPending calls the hooks Pending for each awaited address of a page that has pending
// deposits.
func (w *sweep) notifyPending(ctx context.Context, page []wallets.Custody, now time.Time) error {
	awaited := slices.DeleteFunc(slices.Clone(page), func(c wallets.Custody) bool { return !now.Before(c.AwaitedUntil) })
	all, err := incoming(ctx, w.chain, addressesOf(awaited))
	for i, in := range all {
		if in.Amount.Sign() <= 0 {
			continue
		}
		err = errors.Join(err, w.units.In(w.env).Write(ctx, func(ctx context.Context, tx wallets.Tx) error {
			return w.hooks.pending(ctx, tx, awaited[i].ID, in)
		}))
	}
	return err
}
