package httpapi

import (
	"cmp"
	"context"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/widgets"
	"github.com/ferrypay/ferry/store"
)

const tagWidgets = "Ramp widgets"

func (a *api) widgetRoutes() []route {
	return []route{
		post("/v1/ramp/widgets", unit(a.createWidget), about{
			id: "createWidget", scope: business.Manage, tag: tagWidgets,
			summary: "Make a widget, with a public key of its own", message: "Widget created successfully",
		}),
		get("/v1/ramp/widgets", query(a.widgets), about{
			id: "getWidgets", tag: tagWidgets,
			summary: "Read one widget by id, or list them", message: "Widgets retrieved successfully",
		}),
		post("/v1/ramp/widgets/update", unit(a.updateWidget), about{
			id: "updateWidget", scope: business.Manage, tag: tagWidgets,
			summary: "Change any of the fields of a widget", message: "Widget updated successfully",
		}),
		post("/v1/ramp/widgets/domains", unit(a.setWidgetDomains), about{
			id: "setWidgetDomains", scope: business.Manage, tag: tagWidgets,
			summary: "Replace the origins whose pages may use a widget", message: "Widget updated successfully",
		}),
		post("/v1/ramp/widgets/status", unit(a.setWidgetStatus), about{
			id: "setWidgetStatus", scope: business.Manage, tag: tagWidgets,
			summary: "Open or close a widget", message: "Widget updated successfully",
		}),
		get("/v1/ramp/widgets/analytics", query(a.widgetAnalytics), about{
			id: "getWidgetAnalytics", tag: tagWidgets,
			summary: "Count the orders of a widget, and what they exchanged", message: "Analytics retrieved successfully",
		}),
		get("/v1/ramp/transactions", query(a.rampTransactions), about{
			id: "listRampTransactions", tag: tagWidgets,
			summary: "Read one onramp or offramp, or list both together", message: "Transactions retrieved successfully",
		}),
	}
}

type widgetThemeInput struct {
	Mode  string `json:"mode" doc:"auto by default, which follows the visitor's system" enum:"light,dark,auto" eg:"dark"`
	Color string `json:"color" doc:"Of buttons: #rrggbb" eg:"#1a2b3c"`
}

func (in widgetThemeInput) theme() widgets.Theme {
	return widgets.Theme{Mode: widgets.Mode(in.Mode), Color: in.Color}
}

type createWidgetInput struct {
	Name        string           `json:"name" required:"true" max:"100" eg:"Top up"`
	Domains     []string         `json:"domains" doc:"Origins whose pages may use the widget; a host alone means https" eg:"[\"https://shop.example.com\"]"`
	Assets      []string         `json:"assets" doc:"solana:usdc, which is the default" eg:"[\"solana:usdc\"]"`
	Sides       []ramp.Side      `json:"sides" doc:"What visitors may do: onramp, offramp; both by default" eg:"[\"onramp\",\"offramp\"]"`
	Theme       widgetThemeInput `json:"theme"`
	Destination string           `json:"destination_address" doc:"Where bought USDC goes; by default each visitor names an address" eg:"9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"`
}

func (in *createWidgetInput) check(p *ferry.Problems) { checkAssets(in.Assets, p) }

// checkAssets refuses assets that no widget offers.
func checkAssets(assets []string, p *ferry.Problems) {
	for _, asset := range assets {
		if named := strings.ToLower(asset); named != widgetAsset && named != "usdc" {
			p.Add("assets", "Must be "+widgetAsset)
		}
	}
}

// widgetAsset is what widgets exchange for naira.
const widgetAsset = "solana:usdc"

func (a *api) createWidget(ctx context.Context, tx store.Tx, c *call, in createWidgetInput) (widgetView, error) {
	made, err := a.engine.Widgets.CreateIn(ctx, tx, c.scope, widgets.CreateParams{
		Name: in.Name, Domains: in.Domains, Sides: in.Sides, Theme: in.Theme.theme(), Destination: in.Destination,
	})
	if err != nil {
		return widgetView{}, err
	}
	return a.viewWidgetIn(ctx, tx, made)
}

type widgetsQuery struct {
	ID     string `query:"id" doc:"Reads one widget, in either form, rwdg_… or uid_…"`
	UID    string `query:"uid,widget_id" doc:"As id"`
	Status string `query:"status" enum:"active,disabled"`
	rangeQuery
	pageQuery
}

func (a *api) widgets(ctx context.Context, c *call, in widgetsQuery) (either[widgetView, widgetView], error) {
	return ferry.InRead(ctx, a.engine.Units(c.scope.Env), func(ctx context.Context, tx store.Tx) (either[widgetView, widgetView], error) {
		if in.ID != "" || in.UID != "" {
			view, err := a.widgetIn(ctx, tx, c, in.ID, in.UID)
			return one[widgetView, widgetView](view), err
		}
		found, err := widgets.ListIn(ctx, tx, c.scope, widgets.Filter{Status: widgets.Status(in.Status), Range: in.between()}, in.page())
		if err != nil {
			return either[widgetView, widgetView]{}, err
		}
		views, err := a.viewWidgetsIn(ctx, tx, c.scope, found.Data)
		return either[widgetView, widgetView]{list: paged(in.page(), ferry.List[widgetView]{Data: views, Total: found.Total}, asItIs[widgetView])}, err
	})
}

func (a *api) widgetIn(ctx context.Context, tx store.Tx, c *call, ids ...string) (widgetView, error) {
	id, ok := sameID(widgets.Prefix, ids...)
	if !ok {
		return widgetView{}, widgets.ErrNotFound
	}
	w, err := widgets.GetIn(ctx, tx, c.scope, id)
	if err != nil {
		return widgetView{}, err
	}
	return a.viewWidgetIn(ctx, tx, w)
}

// widgetRef names a widget in a body.
type widgetRef struct {
	WidgetID string `json:"widget_id" doc:"In either form, rwdg_… or uid_…" eg:"rwdg_019cadd462507d13b44a8c99b3aacd81"`
	ID       string `json:"id" doc:"As widget_id"`
	UID      string `json:"uid" doc:"As widget_id"`
}

func (in widgetRef) checkRef(p *ferry.Problems) {
	if cmp.Or(in.WidgetID, in.ID, in.UID) == "" {
		p.Add("widget_id", missing)
	}
}

func (in widgetRef) id() string {
	id, _ := sameID(widgets.Prefix, in.WidgetID, in.ID, in.UID)
	return id // an empty one is not found
}

type updateWidgetInput struct {
	widgetRef
	Name        *string           `json:"name" max:"100" eg:"Top up"`
	Assets      []string          `json:"assets" doc:"solana:usdc" eg:"[\"solana:usdc\"]"`
	Sides       *[]ramp.Side      `json:"sides" doc:"onramp, offramp" eg:"[\"onramp\"]"`
	Theme       *widgetThemeInput `json:"theme" doc:"Replaces the former theme"`
	Destination *string           `json:"destination_address" doc:"Where bought USDC goes; null lets each visitor name an address" eg:"-"`
	Domains     *[]string         `json:"domains" doc:"All origins whose pages may use the widget; they replace those of before" eg:"[\"https://shop.example.com\"]"`
	Status      *widgets.Status   `json:"status" enum:"active,disabled" eg:"active"`
}

func (in *updateWidgetInput) check(p *ferry.Problems) {
	in.checkRef(p)
	checkAssets(in.Assets, p)
}

// present turns a destination of null into an empty one; one that is absent stays as it is.
func (in *updateWidgetInput) present(body strictjson.Document) {
	if body.IsNull("destination_address") {
		in.Destination = new(string)
	}
}

func (a *api) updateWidget(ctx context.Context, tx store.Tx, c *call, in updateWidgetInput) (widgetView, error) {
	change := widgets.UpdateParams{
		Name: in.Name, Sides: in.Sides, Destination: in.Destination, Domains: in.Domains, Status: in.Status,
	}
	if in.Theme != nil {
		theme := in.Theme.theme()
		change.Theme = &theme
	}
	changed, err := widgets.UpdateIn(ctx, tx, c.scope, in.id(), change)
	if err != nil {
		return widgetView{}, err
	}
	return a.viewWidgetIn(ctx, tx, changed)
}

type widgetDomainsInput struct {
	widgetRef
	Domains []string `json:"domains" doc:"All origins whose pages may use the widget; they replace those of before" eg:"[\"https://shop.example.com\"]"`
}

func (in *widgetDomainsInput) check(p *ferry.Problems) {
	in.checkRef(p)
	if in.Domains == nil {
		p.Add("domains", missing)
	}
}

func (a *api) setWidgetDomains(ctx context.Context, tx store.Tx, c *call, in widgetDomainsInput) (widgetView, error) {
	changed, err := widgets.SetDomainsIn(ctx, tx, c.scope, in.id(), in.Domains)
	if err != nil {
		return widgetView{}, err
	}
	return a.viewWidgetIn(ctx, tx, changed)
}

type widgetStatusInput struct {
	widgetRef
	Status string `json:"status" required:"true" enum:"active,disabled" eg:"disabled"`
}

func (in *widgetStatusInput) check(p *ferry.Problems) { in.checkRef(p) }

func (a *api) setWidgetStatus(ctx context.Context, tx store.Tx, c *call, in widgetStatusInput) (widgetView, error) {
	changed, err := widgets.SetStatusIn(ctx, tx, c.scope, in.id(), widgets.Status(in.Status))
	if err != nil {
		return widgetView{}, err
	}
	return a.viewWidgetIn(ctx, tx, changed)
}
