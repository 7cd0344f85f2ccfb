package httpapi

import (
	"context"
	"maps"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/store"
)

const tagOutflow = "Outflow controls"

func (a *api) outflowRoutes() []route {
	return []route{
		get("/v1/outflow-rules", query(a.outflowRules), about{
			id: "getOutflowRules", tag: tagOutflow,
			summary: "Read what may leave", message: "Outflow rules retrieved successfully",
		}),
		patch("/v1/outflow-rules", unit(a.patchOutflowRules), about{
			id: "patchOutflowRules", scope: business.Manage, tag: tagOutflow,
			summary: "Change what may leave", message: "Outflow rules updated successfully",
		}),
		get("/v1/approvals/{id}", query(a.approval), about{
			id: "getApproval", tag: tagOutflow,
			summary: "Read an approval", message: "Approval retrieved successfully",
		}),
		get("/v1/approvals", query(a.approvals), about{
			id: "listApprovals", tag: tagOutflow,
			summary: "List operations that wait for an approval, and what was decided", message: "Approvals retrieved successfully",
		}),
		post("/v1/approvals/{id}", unit(a.decide), about{
			id: "decideApproval", scope: business.PayOut, tag: tagOutflow,
			summary: "Approve or reject an operation", message: "Approval decided successfully",
		}),
	}
}

func (a *api) outflowRules(ctx context.Context, c *call, _ struct{}) (outflowRulesView, error) {
	rules, err := a.engine.Outflow.Rules(ctx, c.scope)
	return a.viewOutflowRules(rules), err
}

type patchOutflowRulesInput struct {
	Limits       outflowLimitsInput `json:"limits"`
	WaitHours    *int               `json:"approval_hours" doc:"How long an operation waits for its approval before it is rejected: 1 to 720" eg:"72"`
	AllowList    *bool              `json:"allow_list" doc:"Whether only the destinations may be paid" eg:"true"`
	Destinations []destinationInput `json:"destinations" doc:"All destinations, at most 500; they replace those of before" eg:"[{\"bank_code\": \"058\", \"account_number\": \"0123456780\"}]"`

	// strange are limits that there are not.
	strange []string
}

// present notes limits that there are not: silence would be a limit that was never set.
func (in *patchOutflowRulesInput) present(body strictjson.Document) {
	var given struct {
		Limits map[string]map[string]strictjson.Literal `json:"limits"`
	}
	if body.Decode(&given) != nil {
		return // it is refused for its form
	}
	for _, currency := range slices.Sorted(maps.Keys(given.Limits)) {
		if !hasMember[outflowLimitsInput](currency) {
			in.strange = append(in.strange, "limits."+currency)
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(given.Limits[currency])) {
			if !hasMember[outflowLimitInput](name) {
				in.strange = append(in.strange, "limits."+currency+"."+name)
			}
		}
	}
}

type outflowLimitsInput struct {
	NGN  outflowLimitInput `json:"NGN"`
	USDC outflowLimitInput `json:"USDC"`
}

type outflowLimitInput struct {
	Operation   strictjson.Literal `json:"operation" doc:"The most of one operation; 0 is no limit" eg:"500000"`
	KeyDay      strictjson.Literal `json:"key_day" doc:"The most that one API key sends in a day; 0 is no limit" eg:"1000000"`
	BusinessDay strictjson.Literal `json:"business_day" doc:"The most that the business sends in a day; 0 is no limit" eg:"2000000"`
	Approval    strictjson.Literal `json:"approval" doc:"From where on an operation waits for an approval; 0 is never" eg:"250000"`
}

type destinationInput struct {
	BankCode      string `json:"bank_code" doc:"With account_number" eg:"058"`
	AccountNumber string `json:"account_number" eg:"0123456780"`
	Address       string `json:"address" doc:"Instead of both: an address on the chain" eg:"-"`
}

func (in *patchOutflowRulesInput) check(p *ferry.Problems) {
	in.change(p)
	for _, field := range in.strange {
		p.Add(field, "There is no such limit")
	}
}

// change is what is asked for. It adds amounts that are malformed to p.
func (in *patchOutflowRulesInput) change(p *ferry.Problems) outflow.Change {
	change := outflow.Change{
		NGN:           in.Limits.NGN.change(p, money.AssetNGN),
		USDC:          in.Limits.USDC.change(p, money.AssetUSDC),
		ApprovalHours: in.WaitHours, AllowList: in.AllowList,
	}
	if in.Destinations != nil {
		list := make([]outflow.Destination, 0, len(in.Destinations))
		for _, d := range in.Destinations {
			list = append(list, outflow.Destination(d))
		}
		change.Destinations = &list
	}
	return change
}

func (in outflowLimitInput) change(p *ferry.Problems, asset money.Asset) (change outflow.LimitChange) {
	for _, one := range []struct {
		name  string
		given strictjson.Literal
		to    **money.Amount
	}{
		{"operation", in.Operation, &change.Operation},
		{"key_day", in.KeyDay, &change.KeyDay},
		{"business_day", in.BusinessDay, &change.BusinessDay},
		{"approval", in.Approval, &change.Approval},
	} {
		if one.given != "" {
			amount := amountOf(p, "limits."+asset.String()+"."+one.name, asset, one.given)
			*one.to = &amount
		}
	}
	return change
}

func (a *api) patchOutflowRules(ctx context.Context, tx store.Tx, c *call, in patchOutflowRulesInput) (outflowRulesView, error) {
	change := in.change(new(ferry.Problems))
	change.By = string(c.key.ID)
	rules, err := a.engine.Outflow.ChangeIn(ctx, tx, c.scope, change)
	return a.viewOutflowRules(rules), err
}

type outflowRulesView struct {
	Limits       outflowLimitsView `json:"limits"`
	Ceilings     outflowLimitsView `json:"ceilings" doc:"The limits of the operator; the lower one of both counts"`
	WaitHours    int               `json:"approval_hours" doc:"How long an operation waits for its approval before it is rejected" eg:"72"`
	AllowList    bool              `json:"allow_list" eg:"true"`
	Destinations []destinationView `json:"destinations"`
	ChangedBy    optionalText      `json:"changed_by" doc:"The API key that changed the rules last" eg:"key_019cadd45a807bcda2867a995904aa6e"`
	UpdatedAt    optionalTime      `json:"updated_at" eg:"2026-03-02T09:15:00.120Z"`
}

type outflowLimitsView struct {
	NGN  outflowLimitView `json:"NGN"`
	USDC outflowLimitView `json:"USDC"`
}

// outflowLimitView is the limits of an asset; null is no limit.
type outflowLimitView struct {
	Operation   *number `json:"operation" eg:"500000"`
	KeyDay      *number `json:"key_day" eg:"1000000"`
	BusinessDay *number `json:"business_day" eg:"null"`
	Approval    *number `json:"approval" eg:"250000"`
}

type destinationView struct {
	BankCode      string `json:"bank_code,omitempty" eg:"058"`
	AccountNumber string `json:"account_number,omitempty" eg:"0123456780"`
	Address       string `json:"address,omitempty" eg:"-"`
}

func (a *api) viewOutflowRules(r outflow.Rules) outflowRulesView {
	view := outflowRulesView{
		Limits: viewOutflowLimits(r.Limits), Ceilings: viewOutflowLimits(a.engine.Outflow.Ceilings(r.Scope.Env)),
		WaitHours: r.WaitHours(), AllowList: r.AllowList, Destinations: make([]destinationView, 0, len(r.Destinations)),
		ChangedBy: optionalText(r.ChangedBy), UpdatedAt: optionalTime(r.UpdatedAt),
	}
	for _, d := range r.Destinations {
		view.Destinations = append(view.Destinations, destinationView(d))
	}
	return view
}

func viewOutflowLimits(l outflow.Limits) outflowLimitsView {
	return outflowLimitsView{viewOutflowLimit(l.NGN), viewOutflowLimit(l.USDC)}
}

func viewOutflowLimit(l outflow.Limit) outflowLimitView {
	show := func(a money.Amount) *number {
		if a.IsZero() {
			return nil
		}
		return numberOf(a)
	}
	return outflowLimitView{show(l.Operation), show(l.KeyDay), show(l.BusinessDay), show(l.Approval)}
}
