package main

import (
	"context"
	"os"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/wallets"
)

type walletsCommand struct {
	Release walletReleaseCommand `cmd:"" help:"End the suspension of a wallet by an alarm, after somebody has looked."`

	Recovery recoveryCommand `cmd:"" help:"Keep an encrypted copy of the keys of all addresses, and get them back from it."`
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
	released, err := wherever(ctx, c.storeChoice, wallets.ErrWalletNotFound, func(e *engine.Engine, env ferry.Env) (wallets.Wallet, error) {
		return e.Wallets.ReleaseWallet(ctx, ferry.Scope{Business: c.Business, Env: env}, wallets.WalletRef{ID: c.Wallet})
	})
	if err != nil {
		return err
	}
	return printJSON(os.Stdout, releasedView{released.Scope.Env, released.ID, released.Status, released.SuspendedBy})
}
