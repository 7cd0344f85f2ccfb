package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/seal"
)

// keeper keeps the credentials of the demo business beside the simulated world,
// sealed. The store itself has only the digests of secret keys, so that without
// this nobody could use the data of the start before.
type keeper struct {
	world  sandbox.Store
	sealer seal.Sealer
}

const credentialsKey = "dev/credentials"

var credentialsContext = seal.Context{Purpose: "dev.credentials", Env: string(ferry.Test), Version: 1}

// credentials are those of a demo business as it was made.
type credentials struct {
	BusinessID    ferry.BusinessID
	SecretKey     string
	PublicKey     string
	WidgetKey     string
	WebhookSecret string
}

// tenant returns the demo business of the store, and whether it was there
// before. A start that was cut off before its credentials were kept has shown
// them to nobody: its business is left, and another one made.
func (k keeper) tenant(ctx context.Context, e *engine.Engine, logger *slog.Logger) (t engine.Tenant, again bool, err error) {
	c, again, err := k.load(ctx)
	if err != nil {
		return engine.Tenant{}, false, err
	}
	if again {
		t, err = c.tenant(ctx, e, logger)
		return t, true, err
	}
	if t, err = e.Bootstrap(ctx); err != nil {
		return engine.Tenant{}, false, err
	}
	c = credentials{t.Business.Scope.Business, t.SecretKey, t.PublicKey, t.WidgetKey, t.WebhookSecret}
	return t, false, k.save(ctx, c)
}

func (k keeper) load(ctx context.Context) (c credentials, found bool, err error) {
	err = k.world.View(ctx, func(kv sandbox.KV) error {
		sealed, there, err := kv.Get(credentialsKey)
		if found = there; err != nil || !there {
			return err
		}
		plain, err := k.sealer.Open(sealed, credentialsContext)
		if err != nil {
			return fmt.Errorf("the demo credentials: %w", err)
		}
		return json.Unmarshal(plain, &c)
	})
	return c, found, err
}

func (k keeper) save(ctx context.Context, c credentials) error {
	plain, err := json.Marshal(c)
	if err != nil {
		return err
	}
	sealed, err := k.sealer.Seal(plain, credentialsContext)
	if err != nil {
		return err
	}
	return k.world.Update(ctx, func(kv sandbox.KV) error { return kv.Put(credentialsKey, sealed) })
}

// tenant returns the business of credentials as it is now.
func (c credentials) tenant(ctx context.Context, e *engine.Engine, logger *slog.Logger) (engine.Tenant, error) {
	scope := ferry.Scope{Business: c.BusinessID, Env: ferry.Test}
	b, err := e.Businesses.Business(ctx, scope)
	if err != nil {
		return engine.Tenant{}, err
	}
	return engine.Tenant{
		Business:      b,
		SecretKey:     c.SecretKey,
		PublicKey:     c.PublicKey,
		WidgetKey:     c.WidgetKey,
		WebhookSecret: c.WebhookSecret,
	}, c.check(ctx, e, scope, logger)
}

// check logs which of the credentials were replaced since they were kept: what
// replaced them was told once, to whoever asked for it.
func (c credentials) check(ctx context.Context, e *engine.Engine, scope ferry.Scope, logger *slog.Logger) error {
	_, err := e.Businesses.Authenticate(ctx, c.SecretKey)
	if errors.Is(err, business.ErrUnauthorized) {
		logger.WarnContext(ctx, "the secret key of the demo business was revoked or rotated: use the newer one")
	} else if err != nil {
		return err
	}
	endpoint, err := e.Webhooks.Endpoint(ctx, scope)
	if err == nil && endpoint.Secrets[0].Number > 1 {
		logger.WarnContext(ctx, "the webhook secret of the demo business was rotated: use the newer one")
	}
	return err
}
