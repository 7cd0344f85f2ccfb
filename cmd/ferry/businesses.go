package main

import (
	"context"
	"errors"
	"os"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
)

type businessesCommand struct {
	List listBusinessesCommand `cmd:"" help:"List the businesses of a store: their ids are what ferry keys takes."`
}

type listBusinessesCommand struct{ storeChoice }

// businessView is a business as it is printed.
type businessView struct {
	ID          ferry.BusinessID `json:"id"`
	Environment ferry.Env        `json:"environment"`
	Name        string           `json:"name"`
	CreatedAt   instant          `json:"created_at"`
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

// businessPage is how many businesses are read at once.
const businessPage = 100

func appendBusinesses(ctx context.Context, to []businessView, e *engine.Engine, env ferry.Env) ([]businessView, error) {
	var after ferry.BusinessID
	for {
		page, err := e.Businesses.Businesses(ctx, env, after, businessPage)
		if err != nil {
			return nil, err
		}
		for _, b := range page {
			to = append(to, businessView{b.Scope.Business, b.Scope.Env, b.Name, instant(b.CreatedAt)})
		}
		if len(page) < businessPage {
			return to, nil
		}
		after = page[len(page)-1].Scope.Business
	}
}
