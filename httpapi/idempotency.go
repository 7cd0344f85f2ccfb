package httpapi

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/store"
)

// newClaim is the record that claims the client key for this request.
func (c *call) newClaim() (idempotency.Record, error) {
	fingerprint, err := c.fingerprint()
	client := c.client
	if c.key.Type == business.PublicKey {
		// Anybody has it: whoever else uses the same key asks for something else.
		client += " " + fingerprint
	}
	return idempotency.Record{
		Key:         idempotency.Key{Scope: c.scope, Operation: c.route.name(), Client: client},
		Fingerprint: fingerprint,
	}, err
}

// fingerprint is a keyed digest of what the request says, which may be somebody's
// BVN: path, query and decoded body, so that the order of members and white space
// make no difference.
func (c *call) fingerprint() (string, error) {
	canonical, err := encode([]any{c.http.URL.Path, c.http.URL.Query()})
	if err != nil {
		return "", err
	}
	canonical, err = c.body.AppendCanonical(append(bytes.TrimSuffix(canonical, []byte("]")), ','))
	digest := c.api.engine.Digest(append(canonical, ']'), "idempotency.fingerprint")
	return hex.EncodeToString(digest), err
}

// known returns the answer to an earlier request with the key, or nothing. It
// comes before what a deed asks of the world, which a replay does not need.
func (c *call) known(ctx context.Context, d deed) (response, error) {
	if c.client == "" {
		return response{}, nil
	}
	return ferry.InRead(ctx, c.api.units(c.scope.Env), func(ctx context.Context, tx store.Tx) (response, error) {
		known, err := idempotency.Look(ctx, tx.Idempotency(), c.api.config.Clock.Now(), c.claim)
		if err != nil {
			return response{}, err
		}
		if known != nil && known.Finished {
			return c.replay(ctx, tx, *known, d)
		}
		c.resource = resourceOf(known)
		return response{}, nil
	})
}

// overruled returns what the key answers to a request that was refused meanwhile.
// A concurrent request with the key may have caused the refusal by its effect, so
// its answer wins. The refusal stands when the key has no answer.
func (c *call) overruled(ctx context.Context, d deed, refusal error) (response, error) {
	answer, err := c.known(ctx, d)
	switch {
	case answer.body != nil:
		return answer, nil
	case c.claimed && errors.Is(err, idempotency.ErrInProgress): // by this request itself
		return response{}, refusal
	case errors.Is(err, idempotency.ErrConflict), errors.Is(err, idempotency.ErrInProgress):
		return response{}, err
	}
	return response{}, refusal
}

// replay answers with what an earlier request was told.
func (c *call) replay(ctx context.Context, tx store.Tx, known idempotency.Record, d deed) (response, error) {
	if len(known.Body) > 0 {
		return response{status: known.Status, body: known.Body, replayed: true}, nil
	}
	c.resource = known.Resource
	out, err := d.again(ctx, tx)
	if err != nil {
		return response{}, err
	}
	answer, err := render(c, out)
	answer.replayed = true
	return answer, err
}

// resourceOf is what an unfinished request with the same key worked on.
func resourceOf(known *idempotency.Record) string {
	if known == nil {
		return ""
	}
	return known.Resource
}

// keepOpen commits the claim with the intent: a retry resumes the resource.
func (c *call) keepOpen(ctx context.Context, tx store.Tx) error {
	if c.client == "" {
		return nil
	}
	r, err := tx.Idempotency().Record(ctx, c.claim.Key)
	if err != nil {
		return err
	}
	r.Resource = c.resource
	return tx.Idempotency().Update(ctx, r)
}

// The pauses between looks at a twin that is in flight.
const (
	firstPause = 5 * time.Millisecond
	lastPause  = 250 * time.Millisecond
)

// patiently tries again while a twin of the request is in flight, for as long
// as the configuration says.
func (c *call) patiently(ctx context.Context, try func() (response, error)) (response, error) {
	end := time.Now().Add(c.api.config.TwinWait)
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		answer, err := try()
		if !errors.Is(err, idempotency.ErrTaken) && !errors.Is(err, idempotency.ErrInProgress) {
			return answer, err
		}
		left := time.Until(end)
		if left <= 0 {
			return response{}, idempotency.ErrInProgress
		}
		select {
		case <-ctx.Done():
			return response{}, idempotency.ErrInProgress
		case <-time.After(min(pause, left)):
		}
	}
}
