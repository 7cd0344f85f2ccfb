package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/client"
	"github.com/ferrypay/ferry/httpapi"
)

type keysCommand struct {
	Create createKeyCommand `cmd:"" help:"Make an API key, or a business with its first ones; they are shown once."`
	List   listKeysCommand  `cmd:"" help:"List the API keys by prefix and last four characters."`
	Rotate rotateKeyCommand `cmd:"" help:"Replace an API key; the old one works on during the overlap."`
	Revoke revokeKeyCommand `cmd:"" help:"End an API key at once."`
	Rewrap rewrapCommand    `cmd:"" help:"Seal anew what is sealed under older keys of the keyset."`
	Keyset keysetCommand    `cmd:"" help:"Look after the keyset that seals secrets at rest."`
}

// holder is a business whose keys are meant: that of the key for a running
// server, or one in a store.
type holder struct {
	remote
	sealedChoice

	Business    string    `help:"With a store: the business (biz_…)." placeholder:"ID"`
	Environment ferry.Env `help:"With a store: test (the default) or live." enum:"test,live," default:""`
}

// printCall prints what a running server answers.
func (h holder) printCall(ctx context.Context, work func(context.Context, *client.Client, client.Option) error) error {
	if h.Business != "" || h.Environment != "" {
		return errBusinessOfKey
	}
	return h.remote.printCall(ctx, work)
}

// errSecretLost is about a key that was made, while the answer with its secret got lost.
var errSecretLost = errors.New("the key was made, but the answer that shows it was lost on its way: ferry keys list names it: revoke it, and make another one")

// errNoLive is about keys of an environment that the configuration does not have.
var errNoLive = errors.New("--environment live: the configuration has no chain.live, without which there are no live businesses: add it (docs/solana.md), or leave --environment out for test")

// has returns errNoLive for an environment that the configuration does not have.
func (p production) has(env ferry.Env) error { return onlyIf(!p.Serves(env), errNoLive) }

// shown returns an error when the secret of a new key is not in the answer.
func shown(secret string) error { return onlyIf(secret == "", errSecretLost) }

// printOffline prints what work returns for the business in the store.
func (h holder) printOffline(ctx context.Context, work func(production, ferry.Scope) (any, error)) error {
	id, err := businessID(h.Business)
	if err != nil {
		return err
	}
	return orAsk(h.with(ctx, func(p production) error {
		env := cmp.Or(h.Environment, ferry.Test)
		if err := p.has(env); err != nil {
			return err
		}
		result, err := work(p, ferry.Scope{Business: id, Env: env})
		if err != nil {
			return err
		}
		return printJSON(os.Stdout, result)
	}))
}

type createKeyCommand struct {
	remote
	sealedChoice

	Business string `help:"With a store: the business (biz_…), or the name of a new one." placeholder:"ID|NAME"`

	Environment ferry.Env `help:"With a store: test (the default) or live, which needs chain.live of the configuration." enum:"test,live," default:""`

	Type  string `help:"What the key is for: secret (the default), public or widget. A new business gets one of each."`
	Label string `help:"A name for people."`

	Scopes []business.KeyScope `help:"What a secret key may do: read, collect, pay_out and manage, with commas. Default: everything." placeholder:"SCOPE"`
}

// Run makes a key and prints it.
func (c createKeyCommand) Run(ctx context.Context) error {
	if c.offline() {
		return c.runOffline(ctx)
	}
	params := client.CreateKeyParams{Type: client.APIKeyType(c.keyType()), Label: c.Label}
	for _, scope := range c.Scopes {
		params.Scopes = append(params.Scopes, string(scope))
	}
	return c.holder().printCall(ctx, func(ctx context.Context, server *client.Client, answer client.Option) error {
		made, err := server.Keys.Create(ctx, params, answer)
		if err != nil {
			return err
		}
		return shown(made.Key)
	})
}

func (c createKeyCommand) holder() holder {
	return holder{c.remote, c.sealedChoice, c.Business, c.Environment}
}

func (c createKeyCommand) keyType() business.KeyType {
	return cmp.Or(business.KeyType(c.Type), business.SecretKey)
}

func (c createKeyCommand) runOffline(ctx context.Context) error {
	if _, err := businessID(c.Business); err != nil {
		return c.createBusiness(ctx)
	}
	return c.holder().printOffline(ctx, func(p production, scope ferry.Scope) (any, error) {
		made, err := p.Businesses.CreateKey(ctx, scope, business.CreateKeyParams{Type: c.keyType(), Label: c.Label, Scopes: c.Scopes})
		return httpapi.ViewNewKey(made), err
	})
}

// createBusiness makes a business, whose first keys nothing shows again.
func (c createKeyCommand) createBusiness(ctx context.Context) error {
	switch {
	case c.Business == "":
		return errNoBusiness
	case strings.HasPrefix(c.Business, "biz_"):
		return errMistyped
	case c.Type != "" || c.Label != "" || c.Scopes != nil:
		return errNewBusiness
	}
	return c.with(ctx, func(p production) error {
		env := cmp.Or(c.Environment, ferry.Test)
		if err := p.has(env); err != nil {
			return err
		}
		tenant, err := p.CreateTenant(ctx, env, c.Business)
		if err != nil {
			return err
		}
		return printJSON(os.Stdout, viewTenant(tenant))
	})
}

type listKeysCommand struct{ holder }

// Run prints the keys.
func (c listKeysCommand) Run(ctx context.Context) error {
	if !c.offline() {
		return c.printAll(ctx)
	}
	return c.printOffline(ctx, func(p production, scope ferry.Scope) (any, error) {
		all, err := p.Businesses.Keys(ctx, scope)
		views := make([]httpapi.Key, 0, len(all))
		for _, k := range all {
			views = append(views, httpapi.ViewKey(k))
		}
		return views, err
	})
}

// printAll prints the keys that a running server has, page by page.
func (c listKeysCommand) printAll(ctx context.Context) error {
	if c.Business != "" || c.Environment != "" {
		return errBusinessOfKey
	}
	all := []json.RawMessage{}
	if err := c.call(ctx, func(ctx context.Context, server *client.Client) error {
		for page, more := int64(1), true; more; page++ {
			var answer client.Answer
			read, err := server.Keys.List(ctx, client.ListKeysParams{Page: page, Limit: 100}, client.WithAnswer(&answer))
			if err != nil {
				return err
			}
			data, err := dataOf(answer)
			if err != nil {
				return err
			}
			var rows []json.RawMessage
			if err := json.Unmarshal(data, &rows); err != nil {
				return err
			}
			all, more = append(all, rows...), read.Meta.HasMore
		}
		return nil
	}); err != nil {
		return err
	}
	return printJSON(os.Stdout, all)
}

type rotateKeyCommand struct {
	holder
	ID      string         `help:"The key's id (key_…), required for a store. Default for a running server: the key of the call."`
	Overlap *time.Duration `help:"How long the old key works on. Default: 24h."`
}

// Run replaces a key and prints the new one.
func (c rotateKeyCommand) Run(ctx context.Context) error {
	if c.offline() {
		if c.ID == "" {
			return errNoKeyID
		}
		return c.printOffline(ctx, func(p production, scope ferry.Scope) (any, error) {
			rotated, err := p.Businesses.RotateKey(ctx, scope, business.RotateKeyParams{ID: business.KeyID(c.ID), Overlap: c.Overlap})
			return httpapi.ViewRotatedKey(rotated), err
		})
	}
	params := client.RotateKeyParams{ID: c.ID}
	if c.Overlap != nil {
		params.OverlapSeconds = new(int64(c.Overlap.Seconds()))
	}
	return c.printCall(ctx, func(ctx context.Context, server *client.Client, answer client.Option) error {
		rotated, err := server.Keys.Rotate(ctx, params, answer)
		if err != nil {
			return err
		}
		return shown(rotated.Key)
	})
}

type revokeKeyCommand struct {
	holder
	ID string `arg:"" help:"The key's id (key_…)."`
}

// Run ends a key.
func (c revokeKeyCommand) Run(ctx context.Context) error {
	if c.offline() {
		return c.printOffline(ctx, func(p production, scope ferry.Scope) (any, error) {
			ended, err := p.Businesses.RevokeKey(ctx, scope, business.KeyID(c.ID))
			return httpapi.ViewKey(ended), err
		})
	}
	return c.printCall(ctx, func(ctx context.Context, server *client.Client, answer client.Option) error {
		_, err := server.Keys.Revoke(ctx, c.ID, answer)
		return err
	})
}
