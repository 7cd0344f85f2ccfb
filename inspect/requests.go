package inspect

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/ferrypay/ferry/webhook"
)

// requestsShown is how many requests a page lists.
const requestsShown = 200

// requestsData is the page of requests.
type requestsData struct {
	Requests []Exchange `json:"requests"`
	Failed   bool       `json:"failed,omitempty"`
	Text     string     `json:"q,omitempty"`
}

// requestList shows the newest requests, all or those that failed.
func (i *Inspector) requestList(_ context.Context, r *http.Request) (any, error) {
	d := requestsData{Failed: r.URL.Query().Get("failed") != "", Text: r.URL.Query().Get("q")}
	d.Requests = i.requests.newest(requestsShown, func(e Exchange) bool {
		return (!d.Failed || e.Status >= 400) && strings.Contains(e.Method+" "+e.URL, d.Text)
	})
	if d.Requests == nil {
		d.Requests = []Exchange{}
	}
	return d, nil
}

// exchangeData is the page of one request or delivery.
type exchangeData struct {
	Exchange Exchange `json:"exchange"`
	Line     Line     `json:"-"`
	// Again repeats a request. It is empty for a delivery, and for a request whose body was not kept whole
	// or had secrets.
	Again []Act `json:"-"`
	// Verdict says whether the signature of a delivery matches.
	Verdict string `json:"signature,omitempty"`
	// EventID is that of a delivery.
	EventID string `json:"event_id,omitempty"`
}

// exchange shows one request, or one delivery.
func (i *Inspector) exchange(of *exchanges) view {
	return func(_ context.Context, r *http.Request) (any, error) {
		e, found := of.find(seqOf(r))
		if !found {
			return nil, missing("This one is no longer kept: the newest 1,000 are")
		}
		d := exchangeData{Exchange: e}
		if e.signed {
			d.EventID = e.Headers.Get("Webhook-Id")
			d.Verdict = i.verdict(e)
			return d, nil
		}
		d.Line = lineOfRequest(e)
		s := Step{e.Method, e.rawURL, e.Sent.Text}
		if e.whole() && e.Sent.Text == string(e.sent.text) && s.check() == "" && !strings.Contains(e.URL, "••••") {
			d.Again = []Act{act("Send again", s)}
		}
		return d, nil
	}
}

// verdict says whether a delivery bears a signature that the first secret of the business made.
func (i *Inspector) verdict(e Exchange) string {
	if e.Sent.Cut {
		return "the body is too long to be kept whole"
	}
	if webhook.Verify(e.sent.text, e.Headers, i.config.Tenant.WebhookSecret) != nil {
		return "does not match the first secret: the secret was rotated, or the delivery is older than five minutes"
	}
	return "matches"
}

// webhooksData is the page of webhooks.
type webhooksData struct {
	Endpoint map[string]any   `json:"endpoint"`
	Attempts []map[string]any `json:"attempts"`
	EventID  string           `json:"event_id,omitempty"`
	Type     string           `json:"type,omitempty"`
	// Body is that of the event that was asked for.
	Body string `json:"body,omitempty"`
	// Seqs lead from attempts, by event, to the deliveries that are kept.
	Deliveries []Exchange `json:"deliveries"`
	Acts       []Act      `json:"-"`
}

// webhooks shows the endpoint and the attempts, all or those of one event.
func (i *Inspector) webhooks(ctx context.Context, r *http.Request) (any, error) {
	d := webhooksData{EventID: r.URL.Query().Get("event")}
	d.Endpoint = i.quiet.get(ctx, "/v1/webhook/config").object()
	path := "/v1/webhook/attempts?limit=100"
	if d.EventID != "" {
		path += "&event_id=" + escape("=", d.EventID)
		d.Acts = append(d.Acts, act("Send it again", step("/v1/webhook/resend", body{"identifier": d.EventID})))
		body, err := i.engine.Webhooks.EventBody(ctx, i.config.Tenant.Business.Scope, d.EventID)
		if errors.Is(err, webhook.ErrEventNotFound) {
			return nil, missing("There is no event " + d.EventID)
		}
		if err != nil {
			return nil, err
		}
		d.Type, d.Body = lineOfEvent(body).Title, string(body)
	}
	d.Attempts = i.quiet.get(ctx, path).rows()
	d.Deliveries = i.deliveries.newest(100, func(e Exchange) bool { return d.EventID == "" || e.Headers.Get("Webhook-Id") == d.EventID })
	inbox := originOf(r) + i.config.Prefix + "inbox"
	if word(d.Endpoint, "url") != inbox {
		d.Acts = append(d.Acts, act("Receive here, in the inbox", step("/v1/webhook/config", body{"url": inbox})))
	}
	if word(d.Endpoint, "url") != "" {
		d.Acts = append(d.Acts, act("Send a test event", Step{Method: http.MethodPost, Path: "/v1/webhook/test"}))
	}
	d.Acts = append(d.Acts,
		act("The receiver answers 500, once", helper("faults", body{"target": "receiver", "kind": "500", "count": 1})),
		act("The receiver does not answer, once", helper("faults", body{"target": "receiver", "kind": "timeout", "count": 1})))
	return d, nil
}
