package httpapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/store"
)

// deed is work that changes something, done once for each client key.
//
// Most deeds are one unit: do returns what to answer, and the claim of the key,
// the change and the stored answer commit together. A deed that asks the world
// outside has three steps: do records the intent and returns nil, act asks,
// conclude records what came of it. The claim commits with the intent and the
// answer with the outcome; a retry that finds the claim unfinished runs do again
// with call.resource set, to resume.
type deed struct {
	// form is what is wrong with the form of the input, or nil.
	form error
	// prepare looks at the world before anything is done.
	prepare func(context.Context) error
	do      func(context.Context, store.Tx) (out any, err error)
	act     func(context.Context)
	// conclude returns what to answer. A refusal is an outcome that commits.
	conclude func(context.Context, store.Tx) (out any, refused error, err error)
	// again renders what was done, for an answer that was not stored.
	again func(context.Context, store.Tx) (out any, err error)
	// after is told, once the answer stands, whether that is a success.
	after func(success bool)
}

// perform does a deed, and waits for a twin of the request that is in flight.
func (c *call) perform(ctx context.Context, d deed) (response, error) {
	if d.form != nil {
		return response{}, c.refuse(ctx, d)
	}
	if c.client == "" {
		return c.try(ctx, d)
	}
	var err error
	if c.claim, err = c.newClaim(); err != nil {
		return response{}, err
	}
	return c.patiently(ctx, func() (response, error) {
		c.claimed = false
		answer, err := c.try(ctx, d)
		if err != nil {
			return c.overruled(ctx, d, err)
		}
		return answer, nil
	})
}

// errRefused takes back what a refused request did.
var errRefused = errors.New("httpapi: refused")

// refuse returns everything that is wrong with a request whose form is wrong:
// what the deed itself refuses is found out in a unit that is taken back.
func (c *call) refuse(ctx context.Context, d deed) error {
	if d.prepare != nil {
		return d.form
	}
	err := c.api.units(c.scope.Env).Write(ctx, func(ctx context.Context, tx store.Tx) error {
		_, err := d.do(ctx, tx)
		return errors.Join(err, errRefused)
	})
	return merged(d.form, err)
}

func (c *call) try(ctx context.Context, d deed) (response, error) {
	if d.prepare != nil {
		known, err := c.known(ctx, d)
		if err != nil || known.body != nil {
			return known, err
		}
		if err := d.prepare(ctx); err != nil {
			return response{}, err
		}
	}
	answer, err := c.begin(ctx, d)
	if err != nil || answer.body != nil {
		return answer, err
	}
	c.claimed = c.client != ""
	d.act(ctx)
	recording, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	return c.conclude(recording, d)
}

// recordTime is how long an outcome may take to be recorded, whether or not the
// client is still there.
const recordTime = 4 * time.Second

// begin claims the key and does the first step. It answers nothing when there
// are more.
func (c *call) begin(ctx context.Context, d deed) (response, error) {
	return ferry.InUnit(ctx, c.api.units(c.scope.Env), func(ctx context.Context, tx store.Tx) (response, error) {
		c.resource = "" // what an earlier run of this body left
		if c.client != "" {
			known, err := idempotency.Begin(ctx, tx.Idempotency(), tx.Now(), c.api.config.Clock.Now(), c.claim)
			if err != nil {
				return response{}, err
			}
			if known != nil && known.Finished {
				return c.replay(ctx, tx, *known, d)
			}
			c.resource = resourceOf(known)
		}
		out, err := d.do(ctx, tx)
		if err != nil {
			return response{}, err
		}
		if out == nil {
			return response{}, c.keepOpen(ctx, tx)
		}
		answer, err := render(c, out)
		if err != nil {
			return response{}, err
		}
		return c.finish(ctx, tx, d, answer)
	})
}

// conclude does the last step.
func (c *call) conclude(ctx context.Context, d deed) (response, error) {
	return ferry.InUnit(ctx, c.api.units(c.scope.Env), func(ctx context.Context, tx store.Tx) (response, error) {
		out, refused, err := d.conclude(ctx, tx)
		if err != nil {
			return response{}, err
		}
		answer := renderError(c.requestID, refused)
		if refused == nil {
			if answer, err = render(c, out); err != nil {
				return response{}, err
			}
		}
		first, err := c.finish(ctx, tx, d, answer)
		if errors.Is(err, idempotency.ErrUnknown) {
			return answer, nil // the clock went on by more than the retention meanwhile
		}
		return first, err
	})
}

// finish stores an answer under the claimed key and returns the answer of the
// key: that of another request, when one took the work over and was quicker.
func (c *call) finish(ctx context.Context, tx store.Tx, d deed, answer response) (response, error) {
	if c.client == "" {
		return answer, nil
	}
	quicker, err := c.keep(ctx, tx, answer)
	if err != nil || quicker == nil {
		return answer, err
	}
	return c.replay(ctx, tx, *quicker, d)
}

// keep stores an answer under the claimed key. A fault is no final answer: its key
// may be used again at once.
func (c *call) keep(ctx context.Context, tx store.Tx, answer response) (quicker *idempotency.Record, err error) {
	body := answer.body
	if c.route.secret && answer.status == http.StatusOK {
		body = nil
	}
	if answer.status >= http.StatusInternalServerError {
		return idempotency.LetGo(ctx, tx.Idempotency(), c.claim.Key)
	}
	return idempotency.Finish(ctx, tx.Idempotency(), c.claim.Key, c.resource, answer.status, body)
}
