package httpapi

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

func (a *api) payoutHookRoutes() []route {
	return []route{
		post("/v1/webhook/payout/resend", unit(a.resendPayoutEvent), about{
			id: "resendPayoutEvent", scope: business.Manage, tag: tagWebhooks,
			summary: "Send an event of a payout again", message: "Event queued successfully",
		}),
		get("/v1/webhook/payout/attempts", query(a.payoutAttempts), about{
			id: "listPayoutAttempts", tag: tagWebhooks,
			summary: "List attempts to deliver events of payouts", message: "Webhook attempts retrieved successfully",
		}),
		get("/v1/webhook/payout/logs", query(a.payoutAttempts), about{
			id: "listPayoutLogs", tag: tagWebhooks,
			summary: "As webhook/payout/attempts", message: "Webhook logs retrieved successfully",
		}),
	}
}

// payoutResendInput is a resendInput that names a payout.
type payoutResendInput struct {
	Identifier string `json:"identifier" doc:"The event's id"`
	Reference  string `json:"reference" doc:"Instead: the reference of a payout or of one of its items, whose newest event is sent" eg:"salaries-march"`
	TrxID      string `json:"trx_id" doc:"The same as reference"`
	ID         string `json:"id" doc:"Instead: the id of a payout"`
}

func (in *payoutResendInput) check(p *ferry.Problems) { (*resendInput)(in).check(p) }

// resendPayoutEvent sends an event of a payout, or the newest one of the payout that an id or
// a reference names, also that of an item.
func (a *api) resendPayoutEvent(ctx context.Context, tx store.Tx, c *call, given payoutResendInput) (eventIDView, error) {
	in := resendInput(given)
	if id, named := in.eventID(); named {
		e, err := webhook.EventKind.Get(ctx, tx, c.scope, id)
		if err == nil && !slices.Contains(payouts.Events(), e.Type) {
			err = webhook.ErrEventNotFound
		}
		if err != nil {
			return eventIDView{}, err
		}
		return eventIDView{id}, a.engine.Webhooks.ResendIn(ctx, tx, c.scope, id)
	}
	name := cmp.Or(in.names()...)
	p, err := payouts.GetIn(ctx, tx, c.scope, payouts.Ref{Name: name})
	if errors.Is(err, payouts.ErrNotFound) {
		p, err = payouts.GetIn(ctx, tx, c.scope, payouts.Ref{ItemReference: name})
	}
	switch {
	case errors.Is(err, payouts.ErrNotFound):
		return eventIDView{}, webhook.ErrEventNotFound
	case err != nil:
		return eventIDView{}, err
	}
	id, err := a.engine.Webhooks.ResendNewestIn(ctx, tx, c.scope, string(p.ID))
	return eventIDView{id}, err
}

func (a *api) payoutAttempts(ctx context.Context, c *call, in attemptsQuery) (list[attemptView], error) {
	return a.attemptsOf(ctx, c, in, payouts.Events())
}
