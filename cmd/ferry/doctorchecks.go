package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/ferrypay/ferry/client"
)

// versionHeader tells in the answers of /healthz and /readyz which release a server is.
const versionHeader = "Ferry-Version"

// withVersion adds the version of this binary to the answers of health checks.
func withVersion(next http.Handler) http.Handler {
	is := version()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
			w.Header().Set(versionHeader, is)
		}
		next.ServeHTTP(w, r)
	})
}

// key says which key it is.
func (d *doctor) key(config client.APIKeyConfig) {
	d.find("key", healthy, "", "the key is valid, of the %s environment, and may %s", config.Mode, strings.Join(config.Scopes, ", "))
}

// keyMend is how to mend a key that the server refuses.
func (d *doctor) keyMend() string {
	switch {
	case d.Key == "":
		return "ferry dev prints a line with FERRY_KEY when it starts; ferry keys create makes a key."
	case strings.HasPrefix(d.Key, "pk_"), strings.HasPrefix(d.Key, "rwpk_"):
		return "This is a public key, for pages. Take the secret one (sk_…)."
	}
	return "Take a secret key that this server made: a sandbox in memory makes new ones at each start."
}

// sandbox looks at the clock of a sandbox.
func (d *doctor) sandbox(ctx context.Context, server *client.Client) {
	clock, err := server.TestHelpers.Clock(ctx)
	if err != nil {
		d.find("sandbox", noted, "", "this server has no test helpers: it is no ferry dev")
		return
	}
	ahead := clock.Now.Sub(d.now()).Round(time.Minute)
	if ahead < 2*time.Minute {
		d.find("sandbox", healthy, "", "it is a sandbox, at the time of this machine")
		return
	}
	d.find("sandbox", noted, "ferry reset sets it back, and empties the sandbox.", "the clock of the sandbox was moved %s ahead: all that expires follows it", ahead)
}

// webhooks looks at the endpoint, and at how it answered.
func (d *doctor) webhooks(ctx context.Context, server *client.Client) error {
	endpoint, err := server.Webhooks.Config(ctx)
	if err != nil {
		return err
	}
	switch endpoint.Status {
	case client.WebhookEndpointStatusNotConfigured:
		d.find("webhook", noted, "POST /v1/webhook/config with a url, or forward the events with ferry listen --forward-to URL.", "no URL is set: events are kept, and not sent")
		return nil
	case client.WebhookEndpointStatusDisabled:
		d.find("webhook", broken, "Mend the receiver, then set its URL again with POST /v1/webhook/config, and POST /v1/webhook/replay.",
			"%s is disabled: it failed for days, or answered 410", endpoint.URL)
	default:
		d.find("webhook", healthy, "", "events go to %s", endpoint.URL)
	}
	attempts, err := server.Webhooks.Attempts(ctx, client.ListWebhookAttemptsParams{Limit: recentAttempts})
	if err == nil {
		d.deliveries(attempts.Data)
	}
	return err
}

// recentAttempts is at how many of the newest attempts the doctor looks.
const recentAttempts = 10

// deliveries looks at the newest attempts, newest first.
func (d *doctor) deliveries(newest []client.WebhookAttempt) {
	if len(newest) == 0 {
		d.find("deliveries", noted, "POST /v1/webhook/test sends one.", "nothing was sent yet")
		return
	}
	failed := 0
	for _, a := range newest {
		if a.DeliveryStatus != client.DeliveryStatusSent {
			failed++
		}
	}
	last := newest[0]
	answer := "gave no answer: " + last.Error
	if last.StatusCode != nil {
		answer = fmt.Sprintf("answered %d", *last.StatusCode)
	}
	if last.DeliveryStatus == client.DeliveryStatusSent {
		d.find("deliveries", healthy, "", "the receiver took the last event (%s); %d of the last %d attempts failed", last.Type, failed, len(newest))
		return
	}
	d.find("deliveries", broken, "Look at the log of your receiver; it has to answer 2xx within 10 seconds. Then POST /v1/webhook/resend.",
		"the receiver %s to the last event (%s); %d of the last %d attempts failed", answer, last.Type, failed, len(newest))
}
