package httpapi

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/ramp/onramp"
)

type rampTransactionView struct {
	ID         ramp.TransactionID `json:"id" doc:"That of the onramp or offramp" eg:"onr_019cadd46e0878ec834189614d3d15ce"`
	UID        string             `json:"uid" eg:"uid_019cadd46e0878ec834189614d3d15ce"`
	Type       ramp.Side          `json:"type" enum:"onramp,offramp" eg:"onramp"`
	Reference  string             `json:"reference" eg:"topup-981"`
	WidgetID   optionalText       `json:"widget_id" doc:"Null when the business made the order itself" eg:"rwdg_019cadd462507d13b44a8c99b3aacd81"`
	Status     ramp.Status        `json:"status" enum:"pending,processing,successful,failed" eg:"successful"`
	Stage      ramp.Stage         `json:"stage" eg:"done"`
	Amount     number             `json:"amount" doc:"Naira" eg:"15000"`
	AmountUnit string             `json:"amount_unit" doc:"The unit of amounts here" enum:"major" eg:"major"`
	Currency   string             `json:"fiat_currency" enum:"NGN" eg:"NGN"`
	Stablecoin number             `json:"amount_stablecoin" eg:"10"`
	Asset      string             `json:"asset" eg:"USDC"`
	CreatedAt  timestamp          `json:"created_at" eg:"2026-03-02T09:15:00.120Z"`
	UpdatedAt  timestamp          `json:"updated_at" eg:"2026-03-02T09:15:00.120Z"`
}

func viewRampTransaction(t ramp.Transaction) rampTransactionView {
	return rampTransactionView{
		ID: t.ID, UID: ferry.UID(string(t.ID)), Type: t.Side, Reference: t.Reference, WidgetID: optionalText(t.Widget),
		Status: t.Status, Stage: t.Stage, Amount: number(t.Fiat), AmountUnit: "major", Currency: t.Fiat.Asset().String(),
		Stablecoin: number(t.Crypto), Asset: t.Crypto.Asset().String(), CreatedAt: timestamp(t.CreatedAt), UpdatedAt: timestamp(t.UpdatedAt),
	}
}

// rampTransactionName names one order of either side.
type rampTransactionName struct {
	ID                string `query:"id" doc:"Reads one order, in either form, onr_…, ofr_… or uid_…"`
	UID               string `query:"uid" doc:"As id"`
	ProviderReference string `query:"provider_reference" doc:"As id"`
	Reference         string `query:"reference" doc:"Reads one order: the newest, when an onramp and an offramp have it"`
}

// refs are what the fields may name on a side, or on both.
func (in rampTransactionName) refs(side ramp.Side) (refs []ramp.TransactionRef) {
	for _, of := range []struct {
		side   ramp.Side
		prefix string
	}{{ramp.Onramp, onramp.Prefix}, {ramp.Offramp, offramp.Prefix}} {
		id, ok := optionalID(of.prefix, in.ID, in.UID, in.ProviderReference)
		if ok && (side == "" || side == of.side) {
			refs = append(refs, ramp.TransactionRef{Side: of.side, ID: ramp.TransactionID(id), Reference: in.Reference})
		}
	}
	return refs
}

type rampTransactionsQuery struct {
	rampTransactionName
	Type     string `query:"type" enum:"onramp,offramp"`
	Status   string `query:"status" enum:"pending,processing,successful,failed"`
	WidgetID string `query:"widget_id" doc:"In either form, rwdg_… or uid_…"`
	Search   string `query:"search" doc:"Part of the reference, in any letter case"`
	rangeQuery
	pageQuery
}

type rampTransactionsOutput = either[rampTransactionView, rampTransactionView]

func (a *api) rampTransactions(ctx context.Context, c *call, in rampTransactionsQuery) (rampTransactionsOutput, error) {
	if in.rampTransactionName != (rampTransactionName{}) {
		found, err := a.engine.Quotes.Transaction(ctx, c.scope, in.refs(ramp.Side(in.Type))...)
		return one[rampTransactionView, rampTransactionView](viewRampTransaction(found)), err
	}
	filter := ramp.TransactionFilter{Side: ramp.Side(in.Type), Status: ramp.Status(in.Status), Search: in.Search, Range: in.between()}
	if in.WidgetID != "" {
		w, err := a.engine.Widgets.Get(ctx, c.scope, in.WidgetID)
		if err != nil {
			return rampTransactionsOutput{}, err
		}
		filter.Widget = string(w.ID)
	}
	found, err := a.engine.Quotes.Transactions(ctx, c.scope, filter, in.page())
	return rampTransactionsOutput{list: paged(in.page(), found, viewRampTransaction)}, err
}
