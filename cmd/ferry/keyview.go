package main

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
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

// The views print keys of a store with the names that a server gives them
// (docs/api.md, "API keys").
type keyView struct {
	ID         business.KeyID   `json:"id"`
	Type       business.KeyType `json:"type"`
	Label      string           `json:"label"`
	Scopes     scopes           `json:"scopes"`
	Prefix     string           `json:"prefix"`
	LastFour   string           `json:"last_four"`
	ValidUntil instant          `json:"valid_until"`
	RevokedAt  instant          `json:"revoked_at"`
	CreatedAt  instant          `json:"created_at"`
}

type newKeyView struct {
	ID        business.KeyID   `json:"id"`
	Type      business.KeyType `json:"type"`
	Label     string           `json:"label"`
	Scopes    scopes           `json:"scopes"`
	Key       string           `json:"key"`
	CreatedAt instant          `json:"created_at"`
}

type rotatedKeyView struct {
	ID                 business.KeyID `json:"id"`
	Key                string         `json:"key"`
	PreviousID         business.KeyID `json:"previous_id"`
	PreviousValidUntil instant        `json:"previous_valid_until"`
}

func viewKey(k business.Key) keyView {
	return keyView{k.ID, k.Type, k.Label, k.Granted(), k.Prefix, k.LastFour, instant(k.ValidUntil), instant(k.RevokedAt), instant(k.CreatedAt)}
}

func viewKeys(all []business.Key) []keyView {
	views := make([]keyView, 0, len(all))
	for _, k := range all {
		views = append(views, viewKey(k))
	}
	return views
}

func viewNewKey(m business.Minted) newKeyView {
	return newKeyView{m.Key.ID, m.Key.Type, m.Key.Label, m.Key.Granted(), m.Secret, instant(m.Key.CreatedAt)}
}

func viewRotatedKey(r business.Rotated) rotatedKeyView {
	return rotatedKeyView{r.Key.ID, r.Secret, r.Previous.ID, instant(r.Previous.ValidUntil)}
}

// tenantView is a new business with the credentials that nothing shows again.
type tenantView struct {
	BusinessID          ferry.BusinessID `json:"business_id"`
	SecretKey           string           `json:"secret_key"`
	PublicKey           string           `json:"public_key"`
	WidgetKey           string           `json:"widget_key"`
	WebhookSecret       string           `json:"webhook_secret"`
	StandardSecret      string           `json:"standard_webhook_secret"`
	SourceAccountNumber string           `json:"source_account_number"`
	SourceBankAccountID string           `json:"source_bank_account_id"`
}

func viewTenant(t engine.Tenant) tenantView {
	account := t.Business.SourceAccounts[0]
	return tenantView{
		t.Business.Scope.Business, t.SecretKey, t.PublicKey, t.WidgetKey, t.WebhookSecret, t.StandardWebhookSecret(),
		account.AccountNumber, account.ID,
	}
}

// scopes are those of a key; none is an empty list.
type scopes []business.KeyScope

// MarshalJSON writes a list.
func (s scopes) MarshalJSON() ([]byte, error) {
	return json.Marshal(append([]business.KeyScope{}, s...))
}

// instant is a time as the API writes it; the zero one is null.
type instant time.Time

// MarshalJSON writes milliseconds in UTC.
func (i instant) MarshalJSON() ([]byte, error) {
	if time.Time(i).IsZero() {
		return []byte("null"), nil
	}
	return time.Time(i).UTC().AppendFormat(nil, `"2006-01-02T15:04:05.000Z"`), nil
}
