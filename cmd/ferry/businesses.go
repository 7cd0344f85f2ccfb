package main

import (
	"context"
	"errors"
	"os"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/internal/wire"
)

type businessesCommand struct {
	List listBusinessesCommand `cmd:"" help:"List the businesses of a store: their ids are what ferry keys takes."`
}

type listBusinessesCommand struct{ storeChoice }

// businessView is a business as it is printed.
type businessView struct {
	ID          ferry.BusinessID  `json:"id"`
	Environment ferry.Env         `json:"environment"`
	Name        string            `json:"name"`
	CreatedAt   wire.OptionalTime `json:"created_at"`
}

// Run prints the businesses, oldest first.
func (c listBusinessesCommand) Run(ctx context.Context) error {
	all, err := gather(ctx, c.storeChoice, func(e *engine.Engine, env ferry.Env) (views []businessView, err error) {
		all := ferry.WalkKeys(func(after ferry.BusinessID, limit int) ([]business.Business, error) {
			return e.Businesses.Businesses(ctx, env, after, limit)
		}, func(b business.Business) ferry.BusinessID { return b.Scope.Business })
		for b, err := range all {
			if err != nil {
				return nil, err
			}
			views = append(views, businessView{b.Scope.Business, b.Scope.Env, b.Name, wire.OptionalTime(b.CreatedAt)})
		}
		return views, nil
	})
	if err != nil && !errors.Is(err, errNoBooks) { // a store without books has no business
		return err
	}
	return printJSON(os.Stdout, all)
}
