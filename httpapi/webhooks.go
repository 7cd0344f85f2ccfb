package httpapi

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/internal/wire"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

const tagWebhooks = "Webhooks"

func (a *api) webhookRoutes() []route {
	return []route{
		get("/v1/webhook/config", query(a.endpoint), about{
			id: "getWebhookConfig", tag: tagWebhooks,
			summary: "Read where events go", message: "Webhook configuration retrieved successfully",
		}),
		post("/v1/webhook/config", unit(a.configureEndpoint), about{
			id: "setWebhookConfig", scope: business.Manage, tag: tagWebhooks,
			summary: "Change where events go", message: "Webhook configuration updated successfully",
		}),
		post("/v1/webhook/rotate-secret", secretUnit(a.rotateWebhookSecret, a.rotatedWebhookSecret), about{
			id: "rotateWebhookSecret", scope: business.Manage, tag: tagWebhooks, secret: true,
			summary: "Replace the signing secret; the new one is shown once", message: "Webhook secret rotated successfully",
		}),
		post("/v1/webhook/test", unit(a.testWebhook), about{
			id: "testWebhook", scope: business.Manage, tag: tagWebhooks,
			summary: "Send a test event", message: "Test event sent successfully",
		}),
		post("/v1/webhook/resend", unit(a.resendEvent), about{
			id: "resendEvent", scope: business.Manage, tag: tagWebhooks,
			summary: "Send one event again", message: "Event queued successfully",
		}),
		post("/v1/webhook/replay", unit(a.replayEvents), about{
			id: "replayEvents", scope: business.Manage, tag: tagWebhooks,
			summary: "Send all events since an instant again", message: "Events queued successfully",
		}),
		get("/v1/webhook/attempts", query(a.deliveryAttempts), about{
			id: "listAttempts", tag: tagWebhooks,
			summary: "List attempts to deliver events", message: "Webhook attempts retrieved successfully",
		}),
		get("/v1/webhook/logs", query(a.deliveryAttempts), about{
			id: "listLogs", tag: tagWebhooks,
			summary: "As webhook/attempts", message: "Webhook logs retrieved successfully",
		}),
	}
}

func (a *api) endpoint(ctx context.Context, c *call, _ struct{}) (endpointView, error) {
	e, err := a.engine.Webhooks.Endpoint(ctx, c.scope)
	if errors.Is(err, webhook.ErrEndpointNotFound) {
		err = nil // nothing is configured yet
	}
	return viewEndpoint(e), err
}

// webhookURL is where the events of a scope go, or empty.
func webhookURL(ctx context.Context, tx store.Tx, scope ferry.Scope) (string, error) {
	e, err := webhook.EndpointOf(ctx, tx, scope)
	if errors.Is(err, webhook.ErrEndpointNotFound) {
		return "", nil
	}
	return e.URL, err
}

type endpointInput struct {
	URL        *string `json:"url" doc:"Null clears it" eg:"https://shop.example.com/hooks"`
	Underscore *bool   `json:"signature_underscore" doc:"Whether the signature is sent in the underscore spelling too" eg:"true"`
}

// present turns a url of null into an empty one; one that is absent stays as it is.
func (in *endpointInput) present(body strictjson.Document) {
	if body.IsNull("url") {
		in.URL = new(string)
	}
}

func (a *api) configureEndpoint(ctx context.Context, tx store.Tx, c *call, in endpointInput) (endpointView, error) {
	if _, err := a.engine.Webhooks.EnsureEndpointIn(ctx, tx, c.scope); err != nil {
		return endpointView{}, err
	}
	e, err := a.engine.Webhooks.ConfigureIn(ctx, tx, c.scope, webhook.ConfigureParams{URL: in.URL, Underscore: in.Underscore})
	return viewEndpoint(e), err
}

type rotateWebhookInput struct {
	OverlapSeconds *int `json:"overlap_seconds" doc:"How long the former secret signs beside the new one" min:"0" max:"604800" eg:"3600"`
}

func (a *api) rotateWebhookSecret(ctx context.Context, tx store.Tx, c *call, in rotateWebhookInput) (webhookSecretView, error) {
	if _, err := a.engine.Webhooks.EnsureEndpointIn(ctx, tx, c.scope); err != nil {
		return webhookSecretView{}, err
	}
	rotated, err := a.engine.Webhooks.RotateSecretIn(ctx, tx, c.scope, webhook.RotateSecretParams{Overlap: duration(in.OverlapSeconds)})
	c.resource = wire.Time(rotated.PreviousValidUntil)
	return webhookSecretView{rotated.Secret, webhook.StandardSecret(rotated.Secret), timestamp(rotated.PreviousValidUntil)}, err
}

func (a *api) rotatedWebhookSecret(_ context.Context, _ store.Tx, c *call) (webhookSecretView, error) {
	until, err := time.Parse(time.RFC3339, c.resource)
	return webhookSecretView{PreviousValidUntil: timestamp(until)}, err
}

func (a *api) testWebhook(ctx context.Context, tx store.Tx, c *call, _ struct{}) (eventIDView, error) {
	id, err := a.engine.Webhooks.SendTestIn(ctx, tx, c.scope)
	return eventIDView{id}, err
}

type resendInput struct {
	Identifier string `json:"identifier" doc:"The event's id" eg:"evt_019cadd479c07de08c00f14db8bc92d0"`
	Reference  string `json:"reference" doc:"Instead: the reference of a payment, a transfer, a payout, a refund or a collection account, whose newest event is sent"`
	TrxID      string `json:"trx_id" doc:"The same as reference"`
	ID         string `json:"id" doc:"Instead: the id of a record, whose newest event is sent"`
	UID        string `json:"uid" doc:"The same as id"`
}

// names are what the request names, by field.
func (in *resendInput) names() []string {
	return slices.DeleteFunc([]string{in.Identifier, in.Reference, in.TrxID, in.ID, in.UID}, func(name string) bool { return name == "" })
}

func (in *resendInput) check(p *ferry.Problems) {
	switch len(in.names()) {
	case 0:
		mustHave(p, "identifier", "")
	case 1:
	default:
		p.Add("identifier", "Send only one of identifier, reference, trx_id, id and uid")
	}
}

// eventID is the id of the event that the request names by itself, or none.
func (in *resendInput) eventID() (id string, named bool) {
	name := cmp.Or(in.names()...)
	id, ok := ferry.CanonicalID("evt_", name)
	return id, ok && (in.Identifier != "" || id == name)
}

func (a *api) resendEvent(ctx context.Context, tx store.Tx, c *call, in resendInput) (eventIDView, error) {
	if id, named := in.eventID(); named {
		return eventIDView{id}, a.engine.Webhooks.ResendIn(ctx, tx, c.scope, id)
	}
	name := cmp.Or(in.names()...)
	if in.Identifier != "" || name == "" {
		return eventIDView{}, webhook.ErrEventNotFound
	}
	id, err := a.engine.ResendNewestIn(ctx, tx, c.scope, name)
	return eventIDView{id}, err
}

type replayInput struct {
	Since string `json:"since" required:"true" doc:"The earliest creation" eg:"2026-03-02T09:00:00Z" form:"instant"`
}

func (in *replayInput) check(p *ferry.Problems) {
	if _, _, ok := parseInstant(in.Since); in.Since != "" && !ok {
		p.Add("since", notInstant)
	}
}

func (a *api) replayEvents(ctx context.Context, tx store.Tx, c *call, in replayInput) (countView, error) {
	since, _, _ := parseInstant(in.Since)
	count, err := a.engine.Webhooks.ReplaySinceIn(ctx, tx, c.scope, since)
	return countView{count}, err
}

type attemptsQuery struct {
	EventID        string `query:"event_id"`
	Type           string `query:"type" doc:"The type of the event"`
	DeliveryStatus string `query:"delivery_status" enum:"sent,failed"`
	rangeQuery
	pageQuery
}

func (a *api) deliveryAttempts(ctx context.Context, c *call, in attemptsQuery) (list[attemptView], error) {
	return a.attemptsOf(ctx, c, in, webhook.AttemptFilter{})
}

// attemptsOf lists the attempts that a filter keeps and the query asks for.
func (a *api) attemptsOf(ctx context.Context, c *call, in attemptsQuery, filter webhook.AttemptFilter) (list[attemptView], error) {
	filter.EventID, filter.Type, filter.Range = in.EventID, in.Type, in.between()
	if id, ok := ferry.CanonicalID("evt_", in.EventID); ok {
		filter.EventID = id
	}
	if in.DeliveryStatus != "" {
		sent := in.DeliveryStatus == deliverySent
		filter.Sent = &sent
	}
	found, err := a.engine.Webhooks.Attempts(ctx, c.scope, filter, in.page())
	return paged(in.page(), found, viewAttempt), err
}

type endpointView struct {
	URL        optionalText   `json:"url" eg:"https://shop.example.com/hooks"`
	Status     webhook.Status `json:"status" enum:"active,disabled,not_configured" eg:"active"`
	DisabledAt optionalTime   `json:"disabled_at" eg:"null"`
}

type webhookSecretView struct {
	Secret             string    `json:"webhook_secret,omitempty" doc:"Shown in this one answer and never again" eg:"whsec_test_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="`
	StandardSecret     string    `json:"standard_webhook_secret,omitempty" doc:"The same for libraries of Standard Webhooks" eg:"whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="`
	PreviousValidUntil timestamp `json:"previous_valid_until" eg:"2026-03-03T09:15:00.120Z"`
}

type eventIDView struct {
	EventID string `json:"event_id" eg:"evt_019cadd489607788a64a13d494e80a03"`
}

type countView struct {
	Count int `json:"count" doc:"Events made due again" eg:"3"`
}

const (
	deliverySent   = "sent"
	deliveryFailed = "failed"
)

type attemptView struct {
	ID             string       `json:"id" eg:"att_019cadd489607788a64a13d494e80a04"`
	EventID        string       `json:"event_id" eg:"evt_019cadd489607788a64a13d494e80a03"`
	Type           string       `json:"type" eg:"stablecoin.received"`
	Attempt        int          `json:"attempt" doc:"Counts from 1" eg:"1"`
	StatusCode     *int         `json:"status_code" doc:"Null without an answer" eg:"200"`
	Error          optionalText `json:"error" eg:"null"`
	DurationMS     int64        `json:"duration_ms" eg:"84"`
	DeliveryStatus string       `json:"delivery_status" enum:"sent,failed" eg:"sent"`
	CreatedAt      timestamp    `json:"created_at" eg:"2026-03-02T09:30:00.120Z"`
}

func viewEndpoint(e webhook.Endpoint) endpointView {
	return endpointView{optionalText(e.URL), e.Status(), optionalTime(e.DisabledAt)}
}

func viewAttempt(a webhook.Attempt) attemptView {
	view := attemptView{
		ID: a.ID, EventID: a.EventID, Type: a.Type, Attempt: a.Number, Error: optionalText(a.Error),
		DurationMS: a.Duration.Milliseconds(), DeliveryStatus: deliveryFailed, CreatedAt: timestamp(a.CreatedAt),
	}
	if a.StatusCode != 0 {
		view.StatusCode = &a.StatusCode
	}
	if a.Sent {
		view.DeliveryStatus = deliverySent
	}
	return view
}
