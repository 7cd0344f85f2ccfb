package main

import (
	"context"
	"errors"
	"os"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bankfeed"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/wire"
)

type suspenseCommand struct {
	List   suspenseListCommand   `cmd:"" help:"List the naira that is held in suspense."`
	Return suspenseReturnCommand `cmd:"" help:"Give the naira of a bank session back to its sender. May run twice."`
}

type suspenseListCommand struct{ storeChoice }

type suspenseReturnCommand struct {
	storeChoice

	Session string `arg:"" help:"The bank's id of the session, as list prints it."`
}

// suspenseView is a credit in suspense as it is printed.
type suspenseView struct {
	Environment ferry.Env         `json:"environment"`
	SessionID   string            `json:"session_id"`
	Amount      string            `json:"amount"`
	At          wire.OptionalTime `json:"at"`
}

func viewSuspended(held bankfeed.Suspended) suspenseView {
	return suspenseView{held.Env, held.Session, held.Amount.String(), wire.OptionalTime(held.At)}
}

// Run prints what is held in suspense, in all environments.
func (c suspenseListCommand) Run(ctx context.Context) error {
	all := []suspenseView{}
	err := c.inspect(ctx, func(e *engine.Engine) error {
		for _, env := range environments {
			held, err := e.BankFeed.Suspense(ctx, env)
			if err != nil {
				return err
			}
			for _, h := range held {
				all = append(all, viewSuspended(h))
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return printJSON(os.Stdout, map[string][]suspenseView{"suspended": all})
}

// Run has the money sent back by the next server, and prints what it was.
func (c suspenseReturnCommand) Run(ctx context.Context) error {
	var held bankfeed.Suspended
	err := c.inspect(ctx, func(e *engine.Engine) (err error) {
		for _, env := range environments {
			if held, err = e.ReturnSuspended(ctx, env, c.Session); !errors.Is(err, bankfeed.ErrNotSuspended) {
				return err
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return printJSON(os.Stdout, viewSuspended(held))
}
