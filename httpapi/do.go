package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/internal/failpoint"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/internal/traffic"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/store"
)

// call is one request on its way through a route.
type call struct {
	api       *api
	route     *route
	http      *http.Request
	requestID string
	// key is the credential, and scope is its business and environment.
	key   business.Key
	scope ferry.Scope
	// visitor is who calls with the token of a session.
	visitor visitor
	body    strictjson.Document
	// client is the Idempotency-Key, or empty.
	client string
	// began says that an operation has begun.
	began bool
	// resource is the id of what the work made or changed. The work sets it where it takes
	// several steps or its answer is not stored, and finds it set when it answers again.
	resource string
	// after is called once the answer stands, or nil.
	after func(success bool)
}

// handler serves one route: credential, rate limits, body, work, answer.
func (a *api) handler(r route) http.HandlerFunc {
	return func(w http.ResponseWriter, request *http.Request) {
		c := &call{api: a, route: &r, http: request, requestID: requestIDOf(w)}
		ctx, cancel := traffic.WithTimeout(request.Context(), a.config.Timeout)
		defer cancel()
		answer, err := c.serve(ctx, w)
		if err != nil {
			answer = c.failed(err)
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
	if json.Unmarshal([]byte(answer.body), &first) == nil && first.RequestID != "" {
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
	if c.route.scope == business.PayOut {
		ctx = outflow.By(ctx, string(c.key.ID))
	}
	return c.route.run(ctx, c)
}

// report logs a fault of the engine with its cause, which the answer does not show. A
// request that the client gave up is not a fault.
func (a *api) report(c *call, answer response) {
	if answer.of == nil || answer.status < http.StatusInternalServerError || c.http.Context().Err() != nil {
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

// does is an action that runs an operation; show makes the output of its result, inside
// the unit that ends it.
func does[In any, T idempotency.Tx, R, Out any](
	begin func(*call, In) ferry.Operation[T, R],
	show func(context.Context, T, *call, In, R) (Out, error),
) action {
	return actionOf[In, Out](func(ctx context.Context, c *call, in In, form error) (response, error) {
		answer, err := perform(ctx, c, form, begin(c, in), func(ctx context.Context, tx T, of R) (any, error) {
			return show(ctx, tx, c, in, of)
		})
		if c.after != nil {
			c.after(answer.status == http.StatusOK)
		}
		return answer, err
	})
}

// makes is does for a result that a view shows.
func makes[In any, T idempotency.Tx, R, Out any](begin func(*call, In) ferry.Operation[T, R], view func(R) Out) action {
	return does(begin, func(_ context.Context, _ T, _ *call, _ In, of R) (Out, error) { return view(of), nil })
}

// unit is an action whose whole effect is one unit of work.
func unit[In, Out any](effect func(context.Context, store.Tx, *call, In) (Out, error)) action {
	return secretUnit(effect, nil)
}

// secretUnit is a unit whose answer is not stored: again renders the resource for a
// replay, without the secrets that are shown only once.
func secretUnit[In, Out any](
	effect func(context.Context, store.Tx, *call, In) (Out, error),
	again func(context.Context, store.Tx, *call) (Out, error),
) action {
	return makes(func(c *call, in In) ferry.Operation[store.Tx, Out] {
		return own(c, ferry.Steps[store.Tx, Out]{
			Record: func(ctx context.Context, tx store.Tx, _ string) (ferry.Step[Out], error) {
				c.resource = ""
				out, err := effect(ctx, tx, c, in)
				return ferry.Step[Out]{Resource: c.resource, Out: out}, err
			},
			Recall: func(ctx context.Context, tx store.Tx, resource string) (Out, error) {
				c.resource = resource
				return again(ctx, tx, c)
			},
		})
	}, asItIs)
}

// outside is an action on the simulated world, which is no part of a unit:
// the key is claimed before it and its answer is stored after it. In between,
// c.resource names the act, the same when a retry takes it up again.
func outside[In, Out any](work func(context.Context, *call, In) (Out, error)) action {
	return secretOutside(work, nil)
}

// secretOutside is outside for an answer that is not stored.
func secretOutside[In, Out any](work func(context.Context, *call, In) (Out, error), again func(resource string) Out) action {
	return makes(func(c *call, in In) ferry.Operation[store.Tx, Out] {
		var out Out
		var failed error
		return own(c, ferry.Steps[store.Tx, Out]{
			Record: func(_ context.Context, tx store.Tx, resource string) (ferry.Step[Out], error) {
				c.resource = cmp.Or(resource, tx.NewID("act_"))
				return ferry.Step[Out]{Resource: c.resource, Open: true}, nil
			},
			Act: func(ctx context.Context) {
				ctx, cancel := withoutClient(ctx)
				defer cancel()
				out, failed = work(ctx, c, in)
			},
			Conclude: func(context.Context, store.Tx) (ferry.Step[Out], error) {
				return ferry.Step[Out]{Resource: c.resource, Out: out, Refused: failed}, nil
			},
			Recall: func(_ context.Context, _ store.Tx, resource string) (Out, error) { return again(resource), nil },
		})
	}, asItIs)
}

// own is an operation of the API itself, over all stores.
func own[Out any](c *call, steps ferry.Steps[store.Tx, Out]) ferry.Operation[store.Tx, Out] {
	return ferry.Operation[store.Tx, Out]{
		Name: c.route.name(), Scope: c.scope, Units: c.api.engine.Units(c.scope.Env),
		Begin: func() ferry.Steps[store.Tx, Out] { return steps },
	}
}

// asItIs shows a result that is an output.
func asItIs[Out any](out Out) Out { return out }

// withoutClient keeps the deadline of a request, but does not end when the client leaves:
// a provider that was called cannot undo its work.
func withoutClient(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, _ := ctx.Deadline() // every request has one
	return context.WithDeadline(context.WithoutCancel(ctx), deadline)
}

// actionOf reads the input of a call and hands it to run, with what is wrong
// with its form.
func actionOf[In, Out any](run func(ctx context.Context, c *call, in In, form error) (response, error)) action {
	return action{reflect.TypeFor[In](), reflect.TypeFor[Out](), func(ctx context.Context, c *call) (response, error) {
		in, form, err := decode[In](c)
		if err != nil {
			return response{}, err
		}
		return run(ctx, c, in, form)
	}}
}
