package httpapi

import (
	"cmp"
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// refundHookRoutes are under /v1/webhooks, as specified, and under /v1/webhook like all others.
func (a *api) refundHookRoutes() []route {
	resend := post("/v1/webhooks/refund-resend", unit(a.resendRefundEvent), about{
		id: "resendRefundEvent", scope: business.Manage, tag: tagRefunds,
		summary: "Send an event of a refund again", message: "Event queued successfully",
	})
	attempts := get("/v1/webhooks/refund-attempts", query(a.refundAttempts), about{
		id: "listRefundAttempts", tag: tagRefunds,
		summary: "List attempts to deliver events of refunds", message: "Webhook attempts retrieved successfully",
	})
	logs := get("/v1/webhooks/refund-logs", query(a.refundAttempts), about{
		id: "listRefundLogs", tag: tagRefunds,
		summary: "As webhooks/refund-attempts", message: "Webhook logs retrieved successfully",
	})
	return []route{
		resend, attempts, logs,
		resend.alias("resendRefundEventToo", tagRefunds, "/v1/webhook/refund-resend"),
		attempts.alias("listRefundAttemptsToo", tagRefunds, "/v1/webhook/refund-attempts"),
		logs.alias("listRefundLogsToo", tagRefunds, "/v1/webhook/refund-logs"),
	}
}

var refundHooks = domainHooks{types: refunds.Events(), find: findRefund}

// refundResendInput is a resendInput that names a refund.
type refundResendInput struct {
	Identifier string `json:"identifier" doc:"The event's id"`
	Reference  string `json:"reference" doc:"Instead: the reference of a refund, whose newest event is sent" eg:"refund-981"`
	TrxID      string `json:"trx_id" doc:"Instead: the same, or the trx_id of what was refunded, whose newest refund is meant"`
	ID         string `json:"id" doc:"Instead: the id of a refund"`
	UID        string `json:"uid" doc:"The same as id"`
}

func (in *refundResendInput) check(p *ferry.Problems) { (*resendInput)(in).check(p) }

func (a *api) resendRefundEvent(ctx context.Context, tx store.Tx, c *call, in refundResendInput) (eventIDView, error) {
	return a.resendOf(ctx, tx, c, resendInput(in), refundHooks)
}

// findRefund finds a refund by its id or its reference, or the newest one of an order.
func findRefund(ctx context.Context, tx store.Tx, c *call, in resendInput) (string, error) {
	name := cmp.Or(in.names()...)
	r, err := refunds.Named(ctx, tx, c.scope, name)
	if errors.Is(err, refunds.ErrNotFound) && in.TrxID != "" {
		r, err = refunds.NewestOf(ctx, tx, c.scope, statement.Ref{TrxID: name})
	}
	if errors.Is(err, statement.ErrNotFound) {
		err = refunds.ErrNotFound
	}
	return string(r.ID), err
}

type refundAttemptsQuery struct {
	Reference string `query:"reference" doc:"The reference of a refund"`
	attemptsQuery
}

func (a *api) refundAttempts(ctx context.Context, c *call, in refundAttemptsQuery) (list[attemptView], error) {
	filter := webhook.AttemptFilter{Types: refundHooks.types}
	if in.Reference == "" {
		return a.attemptsOf(ctx, c, in.attemptsQuery, filter)
	}
	r, err := a.engine.Refunds.Get(ctx, c.scope, refunds.Ref{Reference: in.Reference})
	if errors.Is(err, refunds.ErrNotFound) {
		return paged(in.page(), ferry.List[webhook.Attempt]{}, viewAttempt), nil
	}
	if err != nil {
		return list[attemptView]{}, err
	}
	filter.Resource = string(r.ID)
	return a.attemptsOf(ctx, c, in.attemptsQuery, filter)
}
