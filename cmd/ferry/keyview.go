package main

import (
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
)

var (
	errNoBusiness    = errors.New("name the business: --business biz_…; ferry businesses list tells the ids")
	errNoID          = errors.New("--business is no id (biz_… and 32 hexadecimal digits); ferry businesses list tells the ids")
	errBusinessOfKey = errors.New("--business is for a store: a running server looks after the business of --key")
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
	SourceAccountNumber string           `json:"source_account_number"`
	SourceBankAccountID string           `json:"source_bank_account_id"`
}

func viewTenant(t engine.Tenant) tenantView {
	account := t.Business.SourceAccounts[0]
	return tenantView{
		t.SecretKey, t.PublicKey, t.WidgetKey, t.WebhookSecret, t.StandardWebhookSecret(),
		t.Business.Scope.Business, account.AccountNumber, account.ID,
	}
}
