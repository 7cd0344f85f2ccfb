package main

import (
	"context"
	"os"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/ramp/offramp"
)

type rampCommand struct {
	Inventory rampInventoryCommand `cmd:"" help:"Print the address from which the USDC of onramps are sent, and what it has. Send USDC there."`

	Kept   rampKeptCommand   `cmd:"" help:"List the USDC of offramps that could not go back to its sender."`
	Return rampReturnCommand `cmd:"" help:"Have USDC that ferry ramp kept lists sent to an address, less the fee of the network. A running server sends it. May run twice."`
}

type rampKeptCommand struct{ storeChoice }

type rampReturnCommand struct {
	chainChoice

	Deposit offramp.DepositID `arg:"" help:"The deposit: the deposit_id that ferry ramp kept prints, odp_…."`
	To      chain.Address     `required:"" help:"The Solana address that gets the USDC. It is no address of the platform."`
	By      string            `required:"" help:"Who decides." placeholder:"NAME"`
	Reason  string            `required:"" help:"Why it goes there, for whoever reads it later." placeholder:"TEXT"`
}

// keptView is a deposit that could not go back, as it is printed.
type keptView struct {
	Environment ferry.Env            `json:"environment"`
	Business    ferry.BusinessID     `json:"business_id"`
	Deposit     offramp.DepositID    `json:"deposit_id"`
	Order       offramp.ID           `json:"offramp_id"`
	Amount      string               `json:"amount"`
	Sender      chain.Address        `json:"sender,omitempty"`
	Source      string               `json:"source"`
	State       offramp.DepositState `json:"status"`
	To          chain.Address        `json:"to,omitempty"`
	By          string               `json:"by,omitempty"`
	Reason      string               `json:"reason,omitempty"`
	At          wire.OptionalTime    `json:"at"`
}

func viewKept(d offramp.Deposit) keptView {
	return keptView{
		d.Scope.Env, d.Scope.Business, d.ID, d.Order, d.Amount.String(), d.Sender, d.Source, d.State, d.To, d.By, d.Why, wire.OptionalTime(d.CreatedAt),
	}
}

// Run prints what is kept, in all environments.
func (c rampKeptCommand) Run(ctx context.Context) error {
	all, err := gather(ctx, c.storeChoice, func(e *engine.Engine, env ferry.Env) (views []keptView, err error) {
		kept, err := e.Offramps.Kept(ctx, env)
		for _, d := range kept {
			views = append(views, viewKept(d))
		}
		return views, err
	})
	if err != nil {
		return err
	}
	return printJSON(os.Stdout, map[string][]keptView{"kept": all})
}

// Run has the USDC sent by the next server, and prints what it was.
func (c rampReturnCommand) Run(ctx context.Context) error {
	d, err := wherever(ctx, c.chainChoice, offramp.ErrDepositNotFound, func(e *engine.Engine, env ferry.Env) (offramp.Deposit, error) {
		return e.Offramps.ReturnKept(ctx, env, c.Deposit, offramp.Return{To: c.To, By: c.By, Why: c.Reason})
	})
	if err != nil {
		return err
	}
	return printJSON(os.Stdout, viewKept(d))
}
