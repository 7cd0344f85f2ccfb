package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/webhook"
)

// demoKeys are chosen credentials of the demo business, which a compose file or a CI job
// knows beforehand.
type demoKeys struct {
	SecretKey     string `help:"Secret key of the demo business instead of a fresh one: sk_test_ and 8 to 100 letters, digits, dashes or underscores." placeholder:"KEY"`
	PublicKey     string `help:"Its public key: pk_test_ and the same." placeholder:"KEY"`
	WidgetKey     string `help:"Its widget key: rwpk_test_ and the same." placeholder:"KEY"`
	WebhookSecret string `help:"Its webhook secret: whsec_test_ and the base64 of 24 to 64 bytes." placeholder:"SECRET"`
}

// How errors name the flags.
const (
	secretKeyFlag     = "--secret-key (FERRY_SECRET_KEY)"
	publicKeyFlag     = "--public-key (FERRY_PUBLIC_KEY)"
	widgetKeyFlag     = "--widget-key (FERRY_WIDGET_KEY)"
	webhookSecretFlag = "--webhook-secret (FERRY_WEBHOOK_SECRET)"
)

// check refuses what cannot be a credential, and names the flag and its variable.
func (k demoKeys) check() error {
	for _, key := range []struct {
		flag, text string
		check      func(string) string
	}{
		{secretKeyFlag, k.SecretKey, keyCheck(business.SecretKey)},
		{publicKeyFlag, k.PublicKey, keyCheck(business.PublicKey)},
		{widgetKeyFlag, k.WidgetKey, keyCheck(business.WidgetKey)},
		{webhookSecretFlag, k.WebhookSecret, webhook.CheckTestSecret},
	} {
		if key.text == "" {
			continue
		}
		if problem := key.check(key.text); problem != "" {
			return fmt.Errorf("%s: %s", key.flag, strings.ToLower(problem[:1])+problem[1:])
		}
	}
	return nil
}

func keyCheck(t business.KeyType) func(string) string {
	return func(text string) string { return business.CheckChosenKey(t, text) }
}

// given returns the chosen credentials.
func (k demoKeys) given() engine.Credentials { return engine.Credentials(k) }

// orSeeded returns the chosen credentials, and those of a seed for the others.
func (k demoKeys) orSeeded(seed uint64) (engine.Credentials, error) {
	c := k.given()
	if seed == 0 {
		return c, nil
	}
	random := seeded(^seed) // another stream than that of the identifiers
	for _, key := range []struct {
		t  business.KeyType
		to *string
	}{{business.SecretKey, &c.SecretKey}, {business.PublicKey, &c.PublicKey}, {business.WidgetKey, &c.WidgetKey}} {
		text, err := business.NewKeyText(key.t, ferry.Test, random)
		if err != nil {
			return c, err
		}
		if *key.to == "" {
			*key.to = text
		}
	}
	if c.WebhookSecret != "" {
		return c, nil
	}
	var err error
	c.WebhookSecret, err = webhook.NewSecret(ferry.Test, random)
	return c, err
}

var errOtherKeys = errors.New("the demo business of this store has another one: leave it out, or begin with an empty store")

// agree refuses credentials that are given and differ from those that are kept.
func agree(given, kept engine.Credentials) error {
	for _, pair := range []struct{ flag, given, kept string }{
		{secretKeyFlag, given.SecretKey, kept.SecretKey},
		{publicKeyFlag, given.PublicKey, kept.PublicKey},
		{widgetKeyFlag, given.WidgetKey, kept.WidgetKey},
		{webhookSecretFlag, given.WebhookSecret, kept.WebhookSecret},
	} {
		if pair.given != "" && pair.given != pair.kept {
			return fmt.Errorf("%s: %w", pair.flag, errOtherKeys)
		}
	}
	return nil
}
