package httpapi

import (
	"cmp"
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/sandbox"
)

type billOutcomeInput struct {
	Number    string `json:"number" doc:"The number as an answer has it; this or reference" max:"20" eg:"45012345676"`
	Reference string `json:"reference" doc:"The reference of the bill; each attempt of a crypto bill is a bill that its own id names, so name its number instead"`
	Outcome   string `json:"outcome" required:"true" enum:"delivered,failed,timeout_delivered,timeout_undelivered,pending,late" eg:"delivered"`
}

func (in *billOutcomeInput) check(p *ferry.Problems) {
	if (in.Number == "") == (in.Reference == "") {
		p.Add("number", "Send one of number and reference")
	} else if in.Reference != "" {
		p.Note("reference", text.Reference(in.Reference))
	}
}

func (a *api) setBillOutcome(ctx context.Context, _ *call, in billOutcomeInput) (billOutcomeView, error) {
	applied, err := a.engine.World.SetBillOutcome(ctx, cmp.Or(in.Number, in.Reference), sandbox.BillOutcome(in.Outcome))
	return billOutcomeView{applied}, err
}

type billOutcomeView struct {
	Applied int `json:"applied" doc:"To how many purchases in progress" eg:"1"`
}
