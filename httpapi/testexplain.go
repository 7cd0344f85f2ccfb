package httpapi

import (
	"context"

	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/internal/wire"
)

type explainQuery struct {
	ID string `query:"id" required:"true" doc:"An id in either form, a reference, a trx_id, an address on the chain, the signature of a transfer or a deposit, the number of an account, or a bank session" eg:"order-981"`
}

// explain says why something is not paid or not done.
func (a *api) explain(ctx context.Context, c *call, in explainQuery) (explanationView, error) {
	x, err := a.engine.Explain(ctx, c.scope, in.ID)
	if err != nil {
		return explanationView{}, err
	}
	view := explanationView{
		Resource: x.Resource, ID: x.ID, Reference: wire.OrNull(x.Reference), Status: x.Status, Ended: x.Ended, Summary: x.Summary,
		Missing: viewPoints(x.Missing), Awaited: viewPoints(x.Awaited), Refused: viewPoints(x.Refused), Next: viewPoints(x.Next),
		Also: []namedView{}, At: timestamp(x.At),
	}
	for _, n := range x.Also {
		view.Also = append(view.Also, namedView{n.Resource, n.ID})
	}
	return view, nil
}

// explanationView is an answer to "why is it not paid?".
type explanationView struct {
	Resource  string      `json:"resource" doc:"What it is about, as docs/lifecycles.md names it" eg:"payment"`
	ID        string      `json:"id" eg:"pay_019cadd4569875d7a1b61a53693e7f0f"`
	Reference *string     `json:"reference" doc:"The business's own name of it, or an address" eg:"order-981"`
	Status    string      `json:"status" doc:"As its lifecycle names it" eg:"pending"`
	Ended     bool        `json:"ended" doc:"Whether nothing moves it on any more" eg:"false"`
	Summary   string      `json:"summary" doc:"The whole answer in sentences, without next" eg:"The payment of ₦15,000.00 is not paid yet. 6 USDC are still missing."`
	Missing   []pointView `json:"missing" doc:"What has not arrived"`
	Awaited   []pointView `json:"awaited" doc:"What has to happen, and until when"`
	Refused   []pointView `json:"refused" doc:"What somebody refused, and why"`
	Next      []pointView `json:"next" doc:"What somebody can do"`
	Also      []namedView `json:"also" doc:"Other records that the same name leads to"`
	At        timestamp   `json:"at" doc:"When it was so, by the sandbox's clock" eg:"2026-03-02T09:15:00.120Z"`
}

// pointView is one thing of an explanation.
type pointView struct {
	Who    string       `json:"who" doc:"payer, caller (the program of the business), approver, operator, receiver (the webhook endpoint), bank, biller, chain, identity_provider or engine" eg:"payer"`
	Code   string       `json:"code" doc:"The thing, for programs" eg:"usdc"`
	Text   string       `json:"text" eg:"6 USDC are still missing."`
	Amount *string      `json:"amount" doc:"In full units" eg:"6"`
	Asset  *string      `json:"asset" eg:"USDC"`
	Until  optionalTime `json:"until" doc:"How long it is awaited, or when it happens by itself" eg:"2026-03-02T09:24:07.000Z"`
	At     optionalTime `json:"at" doc:"When it happened" eg:"2026-03-02T09:14:58.000Z"`
}

type namedView struct {
	Resource string `json:"resource" eg:"wallet"`
	ID       string `json:"id" eg:"wal_019cadd4569875d7a1b61a53693e7f0f"`
}

func viewPoints(points []explain.Point) []pointView {
	views := make([]pointView, 0, len(points))
	for _, p := range points {
		view := pointView{Who: string(p.Who), Code: p.Code, Text: p.Text, Until: optionalTime(p.Until), At: optionalTime(p.At)}
		if p.Amount.Asset().Valid() {
			amount, asset := p.Amount.Major(), p.Amount.Asset().String()
			view.Amount, view.Asset = &amount, &asset
		}
		views = append(views, view)
	}
	return views
}
