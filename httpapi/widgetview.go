package httpapi

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/widgets"
	"github.com/ferrypay/ferry/store"
)

type rampThemeView struct {
	Mode  widgets.Mode `json:"mode" enum:"light,dark,auto" eg:"dark"`
	Color optionalText `json:"color" eg:"#1a2b3c"`
}

func viewTheme(t widgets.Theme) rampThemeView {
	mode := t.Mode
	if mode == "" {
		mode = widgets.Auto
	}
	return rampThemeView{mode, optionalText(t.Color)}
}

type widgetView struct {
	ID          widgets.ID     `json:"id" eg:"rwdg_019cadd462507d13b44a8c99b3aacd81"`
	UID         string         `json:"uid" eg:"uid_019cadd462507d13b44a8c99b3aacd81"`
	PublicKey   optionalText   `json:"public_key" doc:"May stand in pages; null when it was revoked" eg:"rwpk_test_9sYQnVqTtVb3m1e2Wk6c8xJ0hD4fL7uA5rG2oZ1pXwE"`
	Name        string         `json:"name" eg:"Top up"`
	Domains     []string       `json:"domains" eg:"[\"https://shop.example.com\"]"`
	Assets      []string       `json:"assets" eg:"[\"solana:usdc\"]"`
	Sides       []ramp.Side    `json:"sides" eg:"[\"onramp\",\"offramp\"]"`
	Theme       rampThemeView  `json:"theme"`
	Destination optionalText   `json:"destination_address" eg:"9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"`
	Status      widgets.Status `json:"status" enum:"active,disabled" eg:"active"`
	CreatedAt   timestamp      `json:"created_at" eg:"2026-03-02T09:15:00.120Z"`
	UpdatedAt   timestamp      `json:"updated_at" eg:"2026-03-02T09:15:00.120Z"`
}

// viewWidgetIn shows a widget with the newest of its keys.
func (a *api) viewWidgetIn(ctx context.Context, tx store.Tx, w widgets.Widget) (widgetView, error) {
	views, err := a.viewWidgetsIn(ctx, tx, w.Scope, []widgets.Widget{w})
	if err != nil {
		return widgetView{}, err
	}
	return views[0], nil
}

// viewWidgetsIn shows widgets of a scope, each with the newest of its keys.
func (a *api) viewWidgetsIn(ctx context.Context, tx store.Tx, scope ferry.Scope, all []widgets.Widget) ([]widgetView, error) {
	firsts := make([]business.KeyID, len(all))
	for n, w := range all {
		firsts[n] = w.Key
	}
	keys, err := a.engine.Businesses.NewestIn(ctx, tx, scope, firsts...)
	if err != nil {
		return nil, err
	}
	views := make([]widgetView, len(all))
	for n, w := range all {
		views[n] = viewWidget(w, keys[n])
	}
	return views, nil
}

func viewWidget(w widgets.Widget, key business.Key) widgetView {
	return widgetView{
		ID: w.ID, UID: ferry.UID(string(w.ID)), PublicKey: optionalText(key.Text), Name: w.Name, Domains: append([]string{}, w.Domains...),
		Assets: []string{widgetAsset}, Sides: append([]ramp.Side{}, w.Sides...), Theme: viewTheme(w.Theme), Destination: optionalText(w.Destination),
		Status: w.Status, CreatedAt: timestamp(w.CreatedAt), UpdatedAt: timestamp(w.UpdatedAt),
	}
}

type widgetFiguresView struct {
	Pending    int    `json:"pending" eg:"2"`
	Processing int    `json:"processing" eg:"1"`
	Successful int    `json:"successful" eg:"40"`
	Failed     int    `json:"failed" eg:"3"`
	Amount     number `json:"amount" doc:"Naira of the successful ones" eg:"600000"`
	Stablecoin number `json:"amount_stablecoin" doc:"USDC of the successful ones" eg:"400"`
}

func viewFigures(f ramp.Figures) widgetFiguresView {
	return widgetFiguresView{
		f.Orders[ramp.Pending], f.Orders[ramp.Processing], f.Orders[ramp.Successful], f.Orders[ramp.Failed], number(f.Fiat), number(f.Crypto),
	}
}

type widgetAnalyticsView struct {
	WidgetID   widgets.ID        `json:"widget_id" eg:"rwdg_019cadd462507d13b44a8c99b3aacd81"`
	AmountUnit string            `json:"amount_unit" doc:"The unit of amounts here" enum:"major" eg:"major"`
	Onramp     widgetFiguresView `json:"onramp"`
	Offramp    widgetFiguresView `json:"offramp"`
}

type widgetAnalyticsQuery struct {
	WidgetID string `query:"widget_id,id,uid" required:"true" doc:"In either form, rwdg_… or uid_…"`
}

func (a *api) widgetAnalytics(ctx context.Context, c *call, in widgetAnalyticsQuery) (widgetAnalyticsView, error) {
	return ferry.InRead(ctx, a.engine.Units(c.scope.Env), func(ctx context.Context, tx store.Tx) (widgetAnalyticsView, error) {
		if id, ok := ferry.CanonicalID(widgets.Prefix, in.WidgetID); ok {
			ramp.PrefetchFigures(tx, c.scope, id, ramp.Onramp)
			ramp.PrefetchFigures(tx, c.scope, id, ramp.Offramp)
		}
		w, err := widgets.GetIn(ctx, tx, c.scope, in.WidgetID)
		if err != nil {
			return widgetAnalyticsView{}, err
		}
		bought, err := ramp.FiguresIn(ctx, tx, c.scope, string(w.ID), ramp.Onramp)
		if err != nil {
			return widgetAnalyticsView{}, err
		}
		sold, err := ramp.FiguresIn(ctx, tx, c.scope, string(w.ID), ramp.Offramp)
		return widgetAnalyticsView{w.ID, "major", viewFigures(bought), viewFigures(sold)}, err
	})
}
