package customers

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/kyc"
)

// asking is one run of an operation that asks the identity provider: the question is
// recorded, it is put, and the answer is recorded. A retry records the question again,
// which continues it.
type asking struct {
	service *Service
	// record records the question.
	record  func(context.Context, Tx) (inquiry, error)
	inquiry inquiry
	answer  answer
}

// asks returns an operation that asks the identity provider what record records. Params
// are in plain text, so that different numbers have different digests. Again reads the
// result again.
func (s *Service) asks(
	name string, scope ferry.Scope, params map[string]string,
	record func(context.Context, Tx) (inquiry, error), again func(Identity) Outcome,
) ferry.Operation[Tx, Outcome] {
	recall := func(ctx context.Context, tx Tx, resource string) (Outcome, error) {
		known, err := IdentityKind.Get(ctx, tx, scope, IdentityID(resource))
		if err != nil {
			return Outcome{}, err
		}
		return again(known), nil
	}
	return ferry.Operation[Tx, Outcome]{
		Name: name, Scope: scope, Params: params, Units: s.units.Of(scope),
		Refusals: []*ferry.Error{ErrInvalidOTP, ErrNotVerified, ErrAlreadyVerified},
		Begin: func() ferry.Steps[Tx, Outcome] {
			run := &asking{service: s, record: record}
			return ferry.Steps[Tx, Outcome]{Record: run.begin, Act: run.act, Conclude: run.conclude, Recall: recall}
		},
	}
}

func (r *asking) begin(ctx context.Context, tx Tx, _ string) (_ ferry.Step[Outcome], err error) {
	r.inquiry, err = r.record(ctx, tx)
	return ferry.Step[Outcome]{Resource: string(r.inquiry.identity), Open: true}, err
}

func (r *asking) act(ctx context.Context) { r.answer = r.service.ask(ctx, r.inquiry) }

func (r *asking) conclude(ctx context.Context, tx Tx) (ferry.Step[Outcome], error) {
	outcome, err := r.service.concludeIn(ctx, tx, r.inquiry, r.answer)
	return ferry.Step[Outcome]{Resource: string(r.inquiry.identity), Out: outcome, Refused: outcome.Refused}, err
}

// numberOnly is what a repeated request gets of a verified owner: the number alone.
func numberOnly(t kyc.Type, n Number) kyc.Identity {
	switch t {
	case kyc.BVN:
		return kyc.Identity{Number: n.String(), BVN: n.String()}
	case kyc.NIN:
		return kyc.Identity{Number: n.String(), NIN: n.String()}
	}
	return kyc.Identity{Number: n.String()}
}
