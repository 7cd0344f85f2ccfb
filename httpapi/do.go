package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/internal/failpoint"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/internal/traffic"
	"github.com/ferrypay/ferry/store"
)

// call is one request on its way through a route.
type call struct {
	api       *api
	route     route
	http      *http.Request
	requestID string
	// key is the credential, and scope whom it speaks for.
	key   business.Key
	scope ferry.Scope
	body  strictjson.Document
	// client is the Idempotency-Key, or empty.
	client string
	// resource is the id of what the work made or changed. The work sets it
	// where it takes several steps or its answer is not stored, and finds it
	// set when it resumes or answers again.
	resource string
}

// handler serves one route: credential, rate limits, body, work, answer.
func (a *api) handler(r route) http.HandlerFunc {
	return func(w http.ResponseWriter, request *http.Request) {
		c := &call{api: a, route: r, http: request, requestID: requestIDOf(w)}
		ctx, cancel := context.WithTimeout(request.Context(), a.config.Timeout)
		defer cancel()
		answer, err := c.serve(ctx, w)
		if err != nil {
			answer = renderError(c.requestID, err)
		}
		a.report(c, answer)
		tellFirst(w, request, answer)
		if r.writes() {
			failpoint.Hit(failpoint.AfterCommit)
		}
		send(w, answer)
	}
}

// tellFirst gives a replay the request id of the answer that it repeats, as its
// body has it, unless the caller chose one.
func tellFirst(w http.ResponseWriter, request *http.Request, answer response) {
	if !answer.replayed || traffic.ChosenID(request) != "" {
		return
	}
	var first struct {
		RequestID string `json:"request_id"`
	}
	if json.Unmarshal(answer.body, &first) == nil && first.RequestID != "" {
		w.Header().Set(traffic.RequestIDHeader, first.RequestID)
	}
}

func (c *call) serve(ctx context.Context, w http.ResponseWriter) (response, error) {
	if c.route.place == inBody {
		if err := c.read(w); err != nil {
			return response{}, err
		}
	}
	if err := c.authenticate(ctx); err != nil {
		return response{}, err
	}
	if err := c.limit(); err != nil {
		return response{}, err
	}
	if err := c.authorize(); err != nil {
		return response{}, err
	}
	if c.route.writes() && c.route.place != inBody {
		if err := c.read(w); err != nil {
			return response{}, err
		}
	}
	return c.route.run(ctx, c)
}

// report logs a fault of the engine, whole; the client hears nothing of it. A
// request that the client gave up is no fault.
func (a *api) report(c *call, answer response) {
	gone := c.http.Context().Err() != nil
	if answer.of == nil || answer.status < http.StatusInternalServerError || gone {
		return
	}
	a.config.Logger.ErrorContext(c.http.Context(), "request failed",
		"method", c.route.method, "path", c.http.URL.Path, "request_id", c.requestID,
		"status", answer.status, "error", answer.of)
}

// query is an action that changes nothing.
func query[In, Out any](ask func(context.Context, *call, In) (Out, error)) action {
	return actionOf[In, Out](func(ctx context.Context, c *call, in In, form error) (response, error) {
		if form != nil {
			return response{}, form
		}
		out, err := ask(ctx, c, in)
		if err != nil {
			return response{}, err
		}
		return render(c, out)
	})
}

// unit is an action whose whole effect is one unit of work.
func unit[In, Out any](effect func(context.Context, store.Tx, *call, In) (Out, error)) action {
	return secretUnit(effect, nil)
}

// secretUnit is a unit whose answer is not stored: again renders the resource
// for a replay, without what may be told only once.
func secretUnit[In, Out any](
	effect func(context.Context, store.Tx, *call, In) (Out, error),
	again func(context.Context, store.Tx, *call) (Out, error),
) action {
	return actionOf[In, Out](func(ctx context.Context, c *call, in In, form error) (response, error) {
		d := deed{do: func(ctx context.Context, tx store.Tx) (any, error) { return effect(ctx, tx, c, in) }}
		if again != nil {
			d.again = func(ctx context.Context, tx store.Tx) (any, error) { return again(ctx, tx, c) }
		}
		return c.perform(ctx, form, d)
	})
}

// prepared is a unit that needs something from outside before it begins.
func prepared[In, P, Out any](
	prepare func(context.Context, *call) (P, error),
	effect func(context.Context, store.Tx, *call, In, P) (Out, error),
) action {
	return actionOf[In, Out](func(ctx context.Context, c *call, in In, form error) (response, error) {
		var ready P
		return c.perform(ctx, form, deed{
			prepare: func(ctx context.Context) (err error) { ready, err = prepare(ctx, c); return err },
			do:      func(ctx context.Context, tx store.Tx) (any, error) { return effect(ctx, tx, c, in, ready) },
		})
	})
}

// outside is an action on the simulated world, which is no part of a unit:
// the key is claimed before it and its answer is stored after it. In between,
// c.resource names the act, the same when a retry takes it up again.
func outside[In, Out any](work func(context.Context, *call, In) (Out, error)) action {
	return secretOutside(work, nil)
}

// secretOutside is outside for an answer that is not stored.
func secretOutside[In, Out any](work func(context.Context, *call, In) (Out, error), again func(*call) Out) action {
	return steps[In, Out](func(c *call, in In) deed {
		var out Out
		var failed error
		return deed{
			do: func(_ context.Context, tx store.Tx) (any, error) {
				c.resource = cmp.Or(c.resource, tx.NewID("act_"))
				return nil, nil
			},
			act: func(ctx context.Context) {
				ctx, cancel := withoutClient(ctx)
				defer cancel()
				out, failed = work(ctx, c, in)
			},
			conclude: func(context.Context, store.Tx) (any, error, error) { return out, failed, nil },
			again:    func(context.Context, store.Tx) (any, error) { return again(c), nil },
		}
	})
}

// withoutClient keeps the time that a request has, but not its end when the
// client leaves: the world does not take back what it was half told to do.
func withoutClient(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, _ := ctx.Deadline() // every request has one
	return context.WithDeadline(context.WithoutCancel(ctx), deadline)
}

// does is an action that runs an operation of a domain; show makes the output of its
// result.
func does[In any, T idempotency.Tx, R, Out any](
	begin func(*call, In) ferry.Operation[T, R], show func(context.Context, T, *call, R) (Out, error),
) action {
	return actionOf[In, Out](func(ctx context.Context, c *call, in In, form error) (response, error) {
		return perform(ctx, c, form, begin(c, in), func(ctx context.Context, tx T, of R) (any, error) { return show(ctx, tx, c, of) })
	})
}

// steps is an action of several steps; begin returns them for one request.
func steps[In, Out any](begin func(*call, In) deed) action {
	return actionOf[In, Out](func(ctx context.Context, c *call, in In, form error) (response, error) {
		d := begin(c, in)
		answer, err := c.perform(ctx, form, d)
		if d.after != nil {
			d.after(answer.status == http.StatusOK)
		}
		return answer, err
	})
}

// actionOf reads the input of a call and hands it to run, with what is wrong
// with its form.
func actionOf[In, Out any](run func(ctx context.Context, c *call, in In, form error) (response, error)) action {
	var in In
	var out Out
	return action{in, out, func(ctx context.Context, c *call) (response, error) {
		in, form, err := decode[In](c)
		if err != nil {
			return response{}, err
		}
		return run(ctx, c, in, form)
	}}
}
