package httpapi

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/widgets"
)

// shownWidgetView is what visitors see of a widget.
type shownWidgetView struct {
	ID          widgets.ID     `json:"id" eg:"rwdg_019cadd462507d13b44a8c99b3aacd81"`
	Name        string         `json:"name" eg:"Top up"`
	Sides       []ramp.Side    `json:"sides" eg:"[\"onramp\",\"offramp\"]"`
	Destination optionalText   `json:"destination_address" doc:"Where bought USDC goes; null when the visitor names an address" eg:"9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"`
	Status      widgets.Status `json:"status" enum:"active,disabled" eg:"active"`
}

type rampAssetView struct {
	Asset string `json:"asset" eg:"USDC"`
	Chain string `json:"chain" eg:"SOLANA"`
	Pair  string `json:"network_asset" eg:"solana:usdc"`
	Fiat  string `json:"fiat_currency" eg:"NGN"`
}

type rampLimitsView struct {
	Minimum number `json:"minimum_stablecoin" doc:"The least USDC of an exchange" eg:"1"`
	Maximum number `json:"maximum_amount" doc:"The most naira of an exchange" eg:"100000000000"`
}

type bootstrapView struct {
	Widget shownWidgetView `json:"widget"`
	Assets []rampAssetView `json:"assets"`
	Limits rampLimitsView  `json:"limits"`
	Theme  rampThemeView   `json:"theme"`
	Mode   ferry.Env       `json:"mode" enum:"test,live" eg:"test"`
}

func (a *api) viewBootstrap(w widgets.Widget) bootstrapView {
	return bootstrapView{
		Widget: shownWidgetView{w.ID, w.Name, append([]ramp.Side{}, w.Sides...), optionalText(w.Destination), w.Status},
		Assets: []rampAssetView{{"USDC", "SOLANA", widgetAsset, "NGN"}},
		Limits: rampLimitsView{number(a.engine.Quotes.Minimum()), number(money.Most(money.AssetNGN))},
		Theme:  viewTheme(w.Theme), Mode: w.Scope.Env,
	}
}

type rampSessionView struct {
	SessionToken string            `json:"session_token,omitempty" doc:"Speaks for the visitor; shown once" eg:"rst_test_…"`
	SessionID    widgets.SessionID `json:"session_id" eg:"rses_019cadd462507d13b44a8c99b3aacd81"`
	WidgetID     widgets.ID        `json:"widget_id" eg:"rwdg_019cadd462507d13b44a8c99b3aacd81"`
	ExpiresAt    timestamp         `json:"expires_at" eg:"2026-03-02T09:30:00.120Z"`
}

func viewSession(s widgets.Session, token string) rampSessionView {
	return rampSessionView{token, s.ID, s.Widget, timestamp(s.ExpiresAt)}
}

type rampOptionsView struct {
	bootstrapView
	Banks     []bankView        `json:"banks" doc:"Where an offramp can pay; empty when the widget offers none"`
	SessionID widgets.SessionID `json:"session_id" eg:"rses_019cadd462507d13b44a8c99b3aacd81"`
	ExpiresAt timestamp         `json:"expires_at" doc:"When the session ends" eg:"2026-03-02T09:30:00.120Z"`
}

// viewOptions is what a visitor may do.
func (a *api) viewOptions(v visitor) rampOptionsView {
	view := rampOptionsView{a.viewBootstrap(v.widget), []bankView{}, v.session.ID, timestamp(v.session.ExpiresAt)}
	if v.widget.Offers(ramp.Offramp) {
		view.Banks = viewBanks(v.widget.Scope.Env)
	}
	return view
}

const verified = "verified"

type verifiedView struct {
	BankCode      optionalText `json:"bank_code" eg:"058"`
	AccountNumber optionalText `json:"account_number" eg:"0123456780"`
	AccountName   optionalText `json:"account_name" doc:"Who holds the account, by its bank" eg:"Ada Obi"`
	Address       optionalText `json:"address" eg:"null"`
	Status        string       `json:"status" enum:"verified" eg:"verified"`
}
