package httpapi

import (
	"cmp"
	"context"
	"errors"

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

var payoutHooks = domainHooks{types: payouts.Events(), find: findPaidOut}

// payoutResendInput is a resendInput that names a payout.
type payoutResendInput struct {
	Identifier string `json:"identifier" doc:"The event's id"`
	Reference  string `json:"reference" doc:"Instead: the reference of a payout or of one of its items, whose newest event is sent" eg:"salaries-march"`
	TrxID      string `json:"trx_id" doc:"The same as reference"`
	ID         string `json:"id" doc:"Instead: the id of a payout"`
	UID        string `json:"uid" doc:"The same as id"`
}

func (in *payoutResendInput) check(p *ferry.Problems) { (*resendInput)(in).check(p) }

func (a *api) resendPayoutEvent(ctx context.Context, tx store.Tx, c *call, in payoutResendInput) (eventIDView, error) {
	return a.resendOf(ctx, tx, c, resendInput(in), payoutHooks)
}

// findPaidOut finds a payout by its id or its reference, or by the reference of an item.
func findPaidOut(ctx context.Context, tx store.Tx, c *call, in resendInput) (string, error) {
	name := cmp.Or(in.names()...)
	p, err := payouts.GetIn(ctx, tx, c.scope, payouts.Ref{Name: name})
	if errors.Is(err, payouts.ErrNotFound) {
		p, err = payouts.GetIn(ctx, tx, c.scope, payouts.Ref{ItemReference: name})
	}
	if errors.Is(err, payouts.ErrNotFound) {
		err = webhook.ErrEventNotFound
	}
	return string(p.ID), err
}

func (a *api) payoutAttempts(ctx context.Context, c *call, in attemptsQuery) (list[attemptView], error) {
	return a.attemptsOf(ctx, c, in, webhook.AttemptFilter{Types: payoutHooks.types})
}
