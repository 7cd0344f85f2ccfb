package main

import (
	"context"
	"errors"
	"os"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/wallets"
)

type walletsCommand struct {
	Release walletReleaseCommand `cmd:"" help:"End the suspension of a wallet by an alarm, after somebody has looked."`
}

type walletReleaseCommand struct {
	storeChoice

	Business ferry.BusinessID `arg:"" help:"The wallet's business, as ferry businesses list prints it."`
	Wallet   string           `arg:"" help:"The wallet: wal_…"`
}

// releasedView is a released wallet as it is printed.
type releasedView struct {
	Environment ferry.Env         `json:"environment"`
	Wallet      wallets.ID        `json:"wallet_id"`
	Status      wallets.Status    `json:"status"`
	SuspendedBy wallets.Suspender `json:"suspended_by,omitempty"`
}

// Run releases the wallet in whichever environment it is, and prints how it stands.
func (c walletReleaseCommand) Run(ctx context.Context) error {
	var released wallets.Wallet
	err := c.inspect(ctx, func(e *engine.Engine) (err error) {
		for _, env := range environments {
			scope := ferry.Scope{Business: c.Business, Env: env}
			released, err = e.Wallets.ReleaseWallet(ctx, scope, wallets.WalletRef{ID: c.Wallet})
			if !errors.Is(err, wallets.ErrWalletNotFound) {
				return err
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return printJSON(os.Stdout, releasedView{released.Scope.Env, released.ID, released.Status, released.SuspendedBy})
}
