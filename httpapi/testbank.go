package httpapi

import (
	"cmp"
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/provider/bank/banks"
	"github.com/ferrypay/ferry/sandbox"
)

type bankOutcomeInput struct {
	AccountNumber string `json:"account_number" doc:"The account that is paid; this or reference" eg:"0123456786"`
	Reference     string `json:"reference" doc:"The reference of the item, the transfer, the refund or the offramp"`
	Outcome       string `json:"outcome" required:"true" enum:"success,failed,timeout_paid,timeout_unpaid,pending,returned" eg:"success"`
}

func (in *bankOutcomeInput) check(p *ferry.Problems) {
	switch {
	case (in.AccountNumber == "") == (in.Reference == ""):
		p.Add("account_number", "Send one of account_number and reference")
	case in.Reference != "":
		p.Note("reference", text.Reference(in.Reference))
	default:
		p.Note("account_number", banks.NumberProblem(in.AccountNumber))
	}
}

func (a *api) setBankOutcome(ctx context.Context, _ *call, in bankOutcomeInput) (bankOutcomeView, error) {
	applied, err := a.engine.World.SetBankOutcome(ctx, cmp.Or(in.AccountNumber, in.Reference), sandbox.BankOutcome(in.Outcome))
	return bankOutcomeView{applied}, err
}

type bankOutcomeView struct {
	Applied int `json:"applied" doc:"To how many payments in progress" eg:"1"`
}
