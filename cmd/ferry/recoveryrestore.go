package main

import (
	"context"
	"errors"
	"os"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/recovery"
)

type recoveryRestoreCommand struct {
	exportedChoice
	sealedChoice
}

// restoredView is what a restore did, as it is printed.
type restoredView struct {
	Restored []recovery.Entry `json:"restored"`
	// There counts the addresses that the store had.
	There int `json:"there"`
	// Refused are those that cannot come back into this store.
	Refused  []refusedView `json:"refused"`
	Complete bool          `json:"complete"`
	Damaged  []damageView  `json:"damaged"`
}

// refusedView is an address that did not come back, and why.
type refusedView struct {
	recovery.Entry

	Problem string `json:"problem"`
}

var errRefused = errors.New("some addresses were not restored: reveal gives their keys")

// Run gives a store the addresses back that it lacks, and prints them. May run twice.
func (c recoveryRestoreCommand) Run(ctx context.Context) error {
	return c.with(ctx, func(p production) error {
		view, found, err := p.restoreKeys(ctx, c.exportedChoice)
		return errors.Join(err, printJSON(os.Stdout, view), onlyIf(err == nil, whole(found)), onlyIf(len(view.Refused) > 0, errRefused))
	})
}

// refusal reports whether an error is about one address, and the others may come back.
func refusal(err error) bool {
	return errors.Is(err, wallets.ErrUnknownWallet) || errors.Is(err, wallets.ErrNoChain) || errors.Is(err, seal.ErrTampered)
}

// restoreKeys restores each address of a file that the store lacks.
func (p *production) restoreKeys(ctx context.Context, from exportedChoice) (restoredView, recovery.Contents, error) {
	view := restoredView{Restored: []recovery.Entry{}, Refused: []refusedView{}}
	found, err := from.read(func(e recovery.Entry, seed chain.Seed) error {
		scope := ferry.Scope{Business: e.Business, Env: e.Environment}
		restored, err := p.Wallets.RestoreAddress(ctx, scope, wallets.Lost{ID: e.ID, Wallet: e.Wallet, Seed: seed})
		if refusal(err) {
			view.Refused = append(view.Refused, refusedView{e, err.Error()})
			return nil
		}
		if err == nil && restored {
			view.Restored = append(view.Restored, e)
		} else if err == nil {
			view.There++
		}
		return err
	})
	view.Complete, view.Damaged = found.Complete, viewDamage(found)
	return view, found, err
}
