package httpapi

import (
	"cmp"
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/payouts"
)

// payoutNamesQuery is what a list of payouts is filtered by, and what names one of them.
type payoutNamesQuery struct {
	ID        string `query:"id" doc:"Reads one payout, in either form, pout_… or uid_…"`
	UID       string `query:"uid" doc:"As id"`
	Reference string `query:"reference" doc:"Reads one payout"`
	Status    string `query:"status" enum:"pending,processing,successful,partially_successful,failed,cancelled"`
	Source    string `query:"source_account_number"`
	rangeQuery
	pageQuery
}

type payoutsQuery struct {
	payoutNamesQuery
	Type string `query:"type" enum:"single,bulk"`
}

type bulkPayoutsQuery struct {
	payoutNamesQuery
	Type string `query:"type" enum:"bulk" doc:"All of them are"`
}

type payoutsOutput = either[payoutView, payoutRowView]

func (a *api) payouts(ctx context.Context, c *call, in payoutsQuery) (payoutsOutput, error) {
	return a.payoutsOf(ctx, c, in.payoutNamesQuery, payouts.Type(in.Type))
}

func (a *api) bulkPayouts(ctx context.Context, c *call, in bulkPayoutsQuery) (payoutsOutput, error) {
	return a.payoutsOf(ctx, c, in.payoutNamesQuery, payouts.Bulk)
}

// payoutsOf reads one payout of a type, or lists them. No type means any.
func (a *api) payoutsOf(ctx context.Context, c *call, in payoutNamesQuery, of payouts.Type) (payoutsOutput, error) {
	if in.ID == "" && in.UID == "" && in.Reference == "" {
		found, err := a.engine.Payouts.List(ctx, c.scope, payouts.Filter{
			Type: of, Status: payouts.Status(in.Status), Source: in.Source, Range: in.between(),
		}, in.page())
		return payoutsOutput{list: paged(in.page(), found, viewPayoutRow)}, err
	}
	id, ok := optionalID(payouts.Prefix, in.ID, in.UID)
	if !ok {
		return payoutsOutput{}, payouts.ErrNotFound
	}
	p, err := a.engine.Payouts.Get(ctx, c.scope, payouts.Ref{ID: id, Reference: in.Reference, Type: of})
	return one[payoutView, payoutRowView](viewPayout(p)), err
}

type reconcileQuery struct {
	Type              string `query:"type" enum:"single,bulk"`
	ID                string `query:"id" doc:"A payout, in either form, pout_… or uid_…"`
	UID               string `query:"uid" doc:"As id"`
	Reference         string `query:"reference" doc:"The reference of a payout"`
	ItemReference     string `query:"item_reference" doc:"The reference of one of its items"`
	ProviderReference string `query:"provider_reference" doc:"The provider_reference of one of its items"`
	ProviderSessionID string `query:"provider_session_id" doc:"The bank's own id of the payment of one of its items"`
	Refresh           *bool  `query:"refresh" doc:"Asks the bank about items in progress first, for ten seconds at most"`
}

func (in *reconcileQuery) check(p *ferry.Problems) {
	if cmp.Or(in.ID, in.UID, in.Reference, in.ItemReference, in.ProviderReference, in.ProviderSessionID) == "" {
		p.Add("id", "Give one of id, uid, reference, item_reference, provider_reference and provider_session_id")
	}
}

type reconciledOutput = with[payoutView, payoutSummaryBeside]

func (a *api) reconcilePayout(ctx context.Context, c *call, in reconcileQuery) (reconciledOutput, error) {
	id, ok := optionalID(payouts.Prefix, in.ID, in.UID)
	if !ok {
		return reconciledOutput{}, payouts.ErrNotFound
	}
	ref := payouts.Ref{
		ID: id, Reference: in.Reference, Type: payouts.Type(in.Type),
		ItemReference: in.ItemReference, Item: in.ProviderReference, SessionID: in.ProviderSessionID,
	}
	var refreshed *bool
	if in.Refresh != nil && *in.Refresh {
		answered, err := a.engine.Payouts.Refresh(ctx, c.scope, ref)
		if err != nil {
			return reconciledOutput{}, err
		}
		refreshed = &answered
	}
	p, err := a.engine.Payouts.Get(ctx, c.scope, ref)
	return reconciledOutput{viewPayout(p), &payoutSummaryBeside{summaryOf(p, refreshed)}}, err
}
