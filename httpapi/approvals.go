package httpapi

import (
	"context"

	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/store"
)

type approvalsQuery struct {
	Status string `query:"status" enum:"pending,approved,rejected,withdrawn"`
	pageQuery
}

func (a *api) approvals(ctx context.Context, c *call, in approvalsQuery) (list[approvalView], error) {
	found, err := a.engine.Outflow.Approvals(ctx, c.scope, outflow.ApprovalStatus(in.Status), in.page())
	return paged(in.page(), found, viewApproval), err
}

type approvalInput struct {
	ID string `path:"id" doc:"apr_…"`
}

func (a *api) approval(ctx context.Context, c *call, in approvalInput) (approvalView, error) {
	found, err := a.engine.Outflow.Approval(ctx, c.scope, outflow.ApprovalID(in.ID))
	return viewApproval(found), err
}

type decideInput struct {
	ID       string `json:"-" path:"id" doc:"apr_…"`
	Decision string `json:"decision" required:"true" enum:"approve,reject" eg:"approve"`
	Note     string `json:"note" doc:"For whoever reads it later" max:"200" eg:"Agreed with Bola"`
}

func (a *api) decide(ctx context.Context, tx store.Tx, c *call, in decideInput) (approvalView, error) {
	decided, err := a.engine.DecideIn(ctx, tx, c.scope, outflow.Decision{
		ID: outflow.ApprovalID(in.ID), Verdict: outflow.Verdict(in.Decision), By: string(c.key.ID), Note: in.Note,
	})
	return viewApproval(decided), err
}

type approvalView struct {
	ID        outflow.ApprovalID     `json:"id" eg:"apr_019cadd46e0878ec834189614d3d15ce"`
	Kind      outflow.Kind           `json:"kind" enum:"payout,transfer,fiat_transfer,refund,bill" eg:"transfer"`
	Subject   string                 `json:"subject_id" doc:"The id of the payout, transfer or refund" eg:"trx_019cadd46e0878ec834189614d3d15ce"`
	Reference string                 `json:"reference" doc:"That of the payout, transfer or refund" eg:"payout-981"`
	Amount    number                 `json:"amount" doc:"In full units, without fees" eg:"25.5"`
	Currency  string                 `json:"currency" enum:"NGN,USDC" eg:"USDC"`
	Status    outflow.ApprovalStatus `json:"status" enum:"pending,approved,rejected,withdrawn" eg:"approved"`
	MadeBy    optionalText           `json:"made_by" doc:"The API key that asked for the operation; null when none did" eg:"key_019cadd45a807bcda2867a995904aa6e"`
	DecidedBy optionalText           `json:"decided_by" doc:"The API key that decided; null until then, and when none did" eg:"key_019cadd46e0878ec834189614d3d15ce"`
	Note      string                 `json:"note" eg:"Agreed with Bola"`
	ExpiresAt optionalTime           `json:"expires_at" doc:"When it is rejected unless somebody has decided" eg:"2026-03-05T09:15:00.120Z"`
	DecidedAt optionalTime           `json:"decided_at" eg:"2026-03-02T09:20:00.120Z"`
	CreatedAt timestamp              `json:"created_at" eg:"2026-03-02T09:15:00.120Z"`
}

func viewApproval(a outflow.Approval) approvalView {
	return approvalView{
		ID: a.ID, Kind: a.Kind, Subject: a.Subject, Reference: a.Reference, Amount: number(a.Amount), Currency: a.Amount.Asset().String(),
		Status: a.Status, MadeBy: optionalText(a.MadeBy), DecidedBy: optionalText(a.DecidedBy), Note: a.Note,
		ExpiresAt: optionalTime(a.ExpiresAt), DecidedAt: optionalTime(a.DecidedAt), CreatedAt: timestamp(a.CreatedAt),
	}
}
