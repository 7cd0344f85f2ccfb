package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/settings"
	"github.com/ferrypay/ferry/store"
)

// demoCredentials keeps the credentials of the demo business in a setting of the store,
// sealed. The rows of the business have only the digests of secret keys. Without these
// credentials, the data of an earlier start could not be used.
type demoCredentials struct {
	store  store.Backend
	sealer seal.Sealer
	// patience is how long to wait for the credentials of another server,
	// which began with the same new store.
	patience time.Duration
	// given are credentials that are known beforehand.
	given engine.Credentials
}

const (
	// patience is enough for a start, and short when that start was cut off.
	patience = 5 * time.Second
	// credentialsLook is how often the store is asked meanwhile.
	credentialsLook = 50 * time.Millisecond
)

const credentialsName = "dev/credentials"

var credentialsContext = seal.Context{Purpose: "dev.credentials", Env: string(ferry.Test), Version: 1}

// credentials are those of a demo business as it was made.
type credentials struct {
	BusinessID ferry.BusinessID
	engine.Credentials
}

// tenant returns the demo business of the store, and whether it was there
// before. When a start was cut off before it kept its credentials, it has not shown
// them: its business is left, and a new one is made. When several start at once, all
// take the credentials that were kept first.
func (d demoCredentials) tenant(ctx context.Context, e *engine.Engine, logger *slog.Logger) (t engine.Tenant, again bool, err error) {
	c, again, err := d.await(ctx)
	if err != nil {
		return engine.Tenant{}, false, err
	}
	if !again {
		if t, err = e.BootstrapWith(ctx, d.given); err != nil {
			return engine.Tenant{}, false, err
		}
		c = credentials{t.Business.Scope.Business, t.Credentials}
		if again, err = d.keep(ctx, &c); err != nil || !again {
			return t, false, err
		}
	}
	if err := agree(d.given, c.Credentials); err != nil {
		return engine.Tenant{}, false, err
	}
	t, err = c.tenant(ctx, e, logger)
	return t, true, err
}

// await is load, which waits for another server's as long as patience says.
func (d demoCredentials) await(ctx context.Context) (c credentials, found bool, err error) {
	for end := time.Now().Add(d.patience); ; {
		if c, found, err = d.load(ctx); err != nil || found || !time.Now().Before(end) {
			return c, found, err
		}
		select {
		case <-ctx.Done():
			return c, false, ctx.Err()
		case <-time.After(credentialsLook):
		}
	}
}

func (d demoCredentials) load(ctx context.Context) (c credentials, found bool, err error) {
	err = d.store.Read(ctx, func(ctx context.Context, tx store.Ports) error {
		c, found, err = d.read(ctx, tx)
		return err
	})
	return c, found, err
}

func (d demoCredentials) read(ctx context.Context, tx store.Ports) (c credentials, found bool, err error) {
	sealed, found, err := settings.Get(ctx, tx, credentialsName)
	if err != nil || !found {
		return c, false, err
	}
	plain, err := d.sealer.Open(sealed, credentialsContext)
	if err != nil {
		return c, false, fmt.Errorf("the demo credentials: %w", err)
	}
	return c, true, json.Unmarshal(plain, &c)
}

// keep keeps credentials unless some are kept: then it returns those in c.
func (d demoCredentials) keep(ctx context.Context, c *credentials) (others bool, err error) {
	plain, err := json.Marshal(*c)
	if err != nil {
		return false, err
	}
	sealed, err := d.sealer.Seal(plain, credentialsContext)
	if err != nil {
		return false, err
	}
	err = d.store.Write(ctx, func(ctx context.Context, tx store.Ports) error {
		kept, found, err := d.read(ctx, tx)
		if others = found; err != nil {
			return err
		}
		if found {
			*c = kept
			return nil
		}
		return settings.Set(ctx, tx, credentialsName, sealed)
	})
	return others, err
}

// tenant returns the business of credentials as it is now. One that is missing was
// lost in a reset that was cut off: the reset is done again.
func (c credentials) tenant(ctx context.Context, e *engine.Engine, logger *slog.Logger) (t engine.Tenant, err error) {
	scope := ferry.Scope{Business: c.BusinessID, Env: ferry.Test}
	t.Credentials = c.Credentials
	t.Business, err = e.Businesses.Business(ctx, scope)
	missing := errors.Is(err, business.ErrNotFound)
	if err != nil && !missing {
		return engine.Tenant{}, err
	}
	t.Business.Scope = scope
	e.AdoptDemo(t)
	if missing {
		if err := e.Reset(ctx); err != nil {
			return engine.Tenant{}, err
		}
		if t.Business, err = e.Businesses.Business(ctx, scope); err != nil {
			return engine.Tenant{}, err
		}
	}
	return t, c.check(ctx, e, scope, logger)
}

// check logs which of the credentials were replaced since they were kept. Their
// replacements were shown once, to the caller who asked for them.
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
