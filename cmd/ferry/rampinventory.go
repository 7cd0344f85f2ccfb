package main

import (
	"context"
	"errors"
	"os"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

type rampInventoryCommand struct{ sealedChoice }

// inventoryView is an address from which the USDC of onramps are sent, as it is printed.
type inventoryView struct {
	Environment ferry.Env     `json:"environment"`
	Address     chain.Address `json:"address"`
	Balance     string        `json:"balance"`
}

// Run prints the addresses of all environments that have a chain. One that is not there yet is
// made, which needs the keys of the store.
func (c rampInventoryCommand) Run(ctx context.Context) error {
	all := []inventoryView{}
	err := c.with(ctx, func(p production) error {
		for _, env := range environments {
			view, err := inventoryOf(ctx, p.Engine, env)
			switch {
			case errors.Is(err, wallets.ErrUnavailable):
				continue
			case err != nil:
				return err
			}
			all = append(all, view)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return printJSON(os.Stdout, map[string][]inventoryView{"inventories": all})
}

func inventoryOf(ctx context.Context, e *engine.Engine, env ferry.Env) (inventoryView, error) {
	address, err := e.Onramps.Inventory(ctx, env)
	if err != nil {
		return inventoryView{}, err
	}
	found, err := e.Wallets.GetAddress(ctx, ferry.Scope{Env: env}, wallets.AddressRef{Address: string(address)})
	return inventoryView{env, address, found.Balance.String()}, err
}
