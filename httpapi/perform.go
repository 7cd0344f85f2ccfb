package httpapi

import (
	"context"
	"encoding/hex"
	"errors"
	"net/http"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/operation"
)

// perform runs an operation, once for the Idempotency-Key of the call, and answers with
// what show makes of its result.
func perform[T idempotency.Tx, R any](
	ctx context.Context, c *call, form error, op ferry.Operation[T, R], show func(context.Context, T, R) (any, error),
) (response, error) {
	if form != nil {
		return response{}, refuse(ctx, form, op)
	}
	claim, err := c.claim()
	if err != nil {
		return response{}, err
	}
	c.began = true
	return operation.Do(ctx, op, claim, rendered[T, R]{c, show})
}

// unless is an operation that is refused with err where it would be recorded, or op when
// that is nil.
func unless[T, R any](err error, op ferry.Operation[T, R]) ferry.Operation[T, R] {
	if err == nil {
		return op
	}
	begin := op.Begin
	op.Begin = func() ferry.Steps[T, R] {
		steps := begin()
		steps.Record = func(context.Context, T, string) (ferry.Step[R], error) { return ferry.Step[R]{}, err }
		return steps
	}
	return op
}

// after is an operation that is prepared only after a check, which may refuse it.
func after[T, R any](check func(ctx context.Context, resource string) error, op ferry.Operation[T, R]) ferry.Operation[T, R] {
	begin := op.Begin
	op.Begin = func() ferry.Steps[T, R] {
		steps := begin()
		prepare := steps.Prepare
		steps.Prepare = func(ctx context.Context, resource string) error {
			if err := check(ctx, resource); err != nil {
				return err
			}
			return prepare(ctx, resource)
		}
		return steps
	}
	return op
}

// errRefused takes back what a refused request did.
var errRefused = errors.New("httpapi: refused")

// refuse returns everything that is wrong with a request whose form is wrong: what the
// operation itself refuses is found out in a unit that is taken back.
func refuse[T, R any](ctx context.Context, form error, op ferry.Operation[T, R]) error {
	steps := op.Begin()
	if steps.Prepare != nil {
		return form
	}
	err := op.Units.Write(ctx, func(ctx context.Context, tx T) error {
		_, err := steps.Record(ctx, tx, "")
		return errors.Join(err, errRefused)
	})
	return merged(form, err)
}

// claim is what claims the client key for this request, or nil without one.
func (c *call) claim() (*operation.Claim, error) {
	if c.client == "" {
		return nil, nil
	}
	fingerprint, err := c.fingerprint()
	client := c.client
	switch {
	case c.route.place == bySession:
		client += " " + string(c.visitor.session.Visit)
	case c.key.Type != business.SecretKey:
		// Everybody has the public key: another client may use the same key by chance.
		client += " " + fingerprint
	}
	return &operation.Claim{
		Key:         idempotency.Key{Scope: c.scope, Operation: c.route.name(), Client: client},
		Fingerprint: fingerprint, Clock: c.api.config.Clock, Patience: c.api.config.TwinWait,
	}, err
}

// fingerprint is a digest of path, query and decoded body, so that the order of members and
// white space make no difference. It is keyed, because a request may have a BVN.
func (c *call) fingerprint() (string, error) {
	canonical, err := wire.AppendText([]byte("["), c.http.URL.Path)
	if err != nil {
		return "", err
	}
	canonical = append(canonical, ',')
	if c.http.URL.RawQuery == "" {
		canonical = append(canonical, "{}"...)
	} else if canonical, err = wire.AppendJSON(canonical, c.http.URL.Query()); err != nil {
		return "", err
	}
	canonical, err = c.body.AppendCanonical(append(canonical, ','))
	digest := c.api.engine.Digest(append(canonical, ']'), "idempotency.fingerprint")
	return hex.EncodeToString(digest), err
}

// rendered answers an operation with the body of an HTTP answer, which its key keeps
// unless it is secret.
type rendered[T, R any] struct {
	call *call
	show func(context.Context, T, R) (any, error)
}

// Answer renders a result or a refusal. A fault is no final answer.
func (r rendered[T, R]) Answer(ctx context.Context, tx T, came ferry.Step[R]) (response, operation.Stored, error) {
	answer, err := r.answer(ctx, tx, came)
	if err != nil {
		return response{}, operation.Stored{}, err
	}
	stored := operation.Stored{Status: answer.status, Fault: answer.status >= http.StatusInternalServerError}
	if !r.call.route.secret || answer.status != http.StatusOK {
		stored.Body, err = pack(answer.body)
	}
	return answer, stored, err
}

func (r rendered[T, R]) answer(ctx context.Context, tx T, came ferry.Step[R]) (response, error) {
	if came.Refused != nil {
		return renderError(r.call.requestID, came.Refused), nil
	}
	return r.result(ctx, tx, came.Out)
}

func (r rendered[T, R]) result(ctx context.Context, tx T, of R) (response, error) {
	out, err := r.show(ctx, tx, of)
	if err != nil {
		return response{}, err
	}
	return render(r.call, out)
}

// Replay gives the answer of an earlier request again, without secrets.
func (r rendered[T, R]) Replay(ctx context.Context, tx T, known idempotency.Record, recall func() (R, error)) (response, error) {
	if len(known.Body) > 0 {
		body, err := unpack(known.Body)
		return response{status: known.Status, body: body, replayed: true}, err
	}
	of, err := recall()
	if err != nil {
		return response{}, err
	}
	answer, err := r.result(ctx, tx, of)
	answer.replayed = true
	return answer, err
}
