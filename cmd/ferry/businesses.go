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
	all := []businessView{}
	err := c.inspect(ctx, func(e *engine.Engine) error {
		for _, env := range environments {
			var err error
			if all, err = appendBusinesses(ctx, all, e, env); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, errNoBooks) { // a store without books has no business
		return err
	}
	return printJSON(os.Stdout, all)
}

func appendBusinesses(ctx context.Context, to []businessView, e *engine.Engine, env ferry.Env) ([]businessView, error) {
	all := ferry.WalkKeys(func(after ferry.BusinessID, limit int) ([]business.Business, error) {
		return e.Businesses.Businesses(ctx, env, after, limit)
	}, func(b business.Business) ferry.BusinessID { return b.Scope.Business })
	for b, err := range all {
		if err != nil {
			return nil, err
		}
		to = append(to, businessView{b.Scope.Business, b.Scope.Env, b.Name, wire.OptionalTime(b.CreatedAt)})
	}
	return to, nil
}
