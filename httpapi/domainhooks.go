package httpapi

import (
	"context"
	"slices"

	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// domainHooks are what the operations on events of one domain alone need to know of it.
type domainHooks struct {
	// types are the types of its events.
	types []string
	// find returns the id of the record that a request names.
	find func(ctx context.Context, tx store.Tx, c *call, in resendInput) (id string, err error)
}

// resendOf sends an event of a domain again, or the newest one of the record that the request
// names. An event of another domain is not found.
func (a *api) resendOf(ctx context.Context, tx store.Tx, c *call, in resendInput, of domainHooks) (eventIDView, error) {
	if id, named := in.eventID(); named {
		e, err := webhook.EventKind.Get(ctx, tx, c.scope, id)
		if err == nil && !slices.Contains(of.types, e.Type) {
			err = webhook.ErrEventNotFound
		}
		if err != nil {
			return eventIDView{}, err
		}
		return eventIDView{id}, a.engine.Webhooks.ResendIn(ctx, tx, c.scope, id)
	}
	resource, err := of.find(ctx, tx, c, in)
	if err != nil {
		return eventIDView{}, err
	}
	id, err := a.engine.Webhooks.ResendNewestIn(ctx, tx, c.scope, resource)
	return eventIDView{id}, err
}
