package main

import (
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
)

var (
	errNoBusiness    = errors.New("name the business: --business biz_…; ferry businesses list tells the ids")
	errNoID          = errors.New("--business is no id (biz_… and 32 hexadecimal digits); ferry businesses list tells the ids")
	errBusinessOfKey = errors.New("--business and --environment are for a store: a running server looks after the business of --key")
	errNoKeyID       = errors.New("name the key: --id key_…; ferry keys list tells the ids")
	errMistyped      = errors.New("--business is no id: biz_ and 32 hexadecimal digits; the name of a new business does not begin with biz_")
	errNewBusiness   = errors.New("a new business gets a key of each type: --type, --label and --scopes are for one that is there (biz_…)")
)

// businessID returns the id that a text is, or errNoBusiness or errNoID.
func businessID(text string) (ferry.BusinessID, error) {
	if text == "" {
		return "", errNoBusiness
	}
	id, ok := ferry.CanonicalID("biz_", text)
	if !ok {
		return "", errNoID
	}
	return ferry.BusinessID(id), nil
}

// tenantView is a business with its first credentials.
type tenantView struct {
	SecretKey           string           `json:"secret_key"`
	PublicKey           string           `json:"public_key"`
	WidgetKey           string           `json:"widget_key"`
	WebhookSecret       string           `json:"webhook_secret"`
	StandardSecret      string           `json:"standard_webhook_secret"`
	BusinessID          ferry.BusinessID `json:"business_id"`
	SourceAccountNumber string           `json:"source_account_number,omitempty"`
	SourceBankAccountID string           `json:"source_bank_account_id,omitempty"`
}

func viewTenant(t engine.Tenant) tenantView {
	view := tenantView{
		SecretKey: t.SecretKey, PublicKey: t.PublicKey, WidgetKey: t.WidgetKey,
		WebhookSecret: t.WebhookSecret, StandardSecret: t.StandardWebhookSecret(), BusinessID: t.Business.Scope.Business,
	}
	if all := t.Business.SourceAccounts; len(all) > 0 { // a live business without a bank has none
		view.SourceAccountNumber, view.SourceBankAccountID = all[0].AccountNumber, all[0].ID
	}
	return view
}
