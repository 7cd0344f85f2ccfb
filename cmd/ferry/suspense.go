package main

import (
	"context"
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
	all, err := gather(ctx, c.storeChoice, func(e *engine.Engine, env ferry.Env) (views []suspenseView, err error) {
		held, err := e.BankFeed.Suspense(ctx, env)
		for _, h := range held {
			views = append(views, viewSuspended(h))
		}
		return views, err
	})
	if err != nil {
		return err
	}
	return printJSON(os.Stdout, map[string][]suspenseView{"suspended": all})
}

// Run has the money sent back by the next server, and prints what it was.
func (c suspenseReturnCommand) Run(ctx context.Context) error {
	held, err := wherever(ctx, c.storeChoice, bankfeed.ErrNotSuspended, func(e *engine.Engine, env ferry.Env) (bankfeed.Suspended, error) {
		return e.ReturnSuspended(ctx, env, c.Session)
	})
	if err != nil {
		return err
	}
	return printJSON(os.Stdout, viewSuspended(held))
}
