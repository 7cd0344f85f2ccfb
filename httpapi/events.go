package httpapi

import (
	"context"
	_ "embed" // for samples
	"encoding/json"
	"reflect"

	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/payouts/transfers"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/ramp/onramp"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
	"github.com/ferrypay/ferry/webhook"
)

const tagEvents = "Events"

func (a *api) eventRoutes() []route {
	return []route{
		get("/v1/events", query(a.events), about{
			id: "listEvents", tag: tagEvents,
			summary: "Read events in order and without gaps", message: "Events retrieved successfully",
		}),
	}
}

type eventsQuery struct {
	After string `query:"after" empty:"true" doc:"A next_cursor of an earlier answer; by default from the first event"`
	Limit int    `query:"limit" min:"1" max:"100" doc:"Events at most"`
}

func (a *api) events(ctx context.Context, c *call, in eventsQuery) (with[[]eventBody, cursorBeside], error) {
	feed, err := a.engine.Webhooks.Events(ctx, c.scope, in.After, in.Limit)
	bodies := make([]eventBody, 0, len(feed.Bodies))
	for _, body := range feed.Bodies {
		bodies = append(bodies, eventBody(body))
	}
	return with[[]eventBody, cursorBeside]{bodies, &cursorBeside{feed.Next}}, err
}

// eventBody is an event in the very bytes that are sent.
type eventBody json.RawMessage

// MarshalJSON returns the bytes.
func (b eventBody) MarshalJSON() ([]byte, error) { return b, nil }

var exampleEvent = object{
	"id": "evt_019cadd489607788a64a13d494e80a03", "type": webhook.TestType, "event": webhook.TestType,
	"created_at": "2026-03-02T09:30:00.000Z", "sequence": 1, "api_version": webhook.APIVersion,
	"data": object{"message": "This is a test event"},
}

type cursorBeside struct {
	NextCursor string `json:"next_cursor" doc:"Give it back as after" eg:"ZXZlbnRzOjQy"`
}

// eventSchema is the schema of an event's body around its data.
func eventSchema(data object) object {
	text := object{"type": "string"}
	return object{
		"type": "object",
		"properties": object{
			"id":          text,
			"type":        text,
			"event":       object{"type": "string", "description": "As type"},
			"created_at":  object{"type": "string", "format": "date-time"},
			"sequence":    object{"type": "integer", "minimum": 1, "description": "Counts the events of one resource"},
			"api_version": object{"type": "string", "enum": []string{webhook.APIVersion}},
			"data":        data,
		},
		"required": []string{"id", "type", "event", "created_at", "sequence", "api_version", "data"},
	}
}

// eventCatalogue is every type of event and its data (docs/api.md, "Event
// catalogue").
var eventCatalogue = []struct {
	name, when string
	data       any
}{
	{customers.EventVerified, "An identity verification succeeds", customers.VerifiedData{}},
	{customers.EventVerificationFailed, "An identity verification fails, or its provider does", customers.VerificationFailedData{}},
	{wallets.EventReceived, "USDC is credited to an active address", struct {
		wallets.ReceivedData
		balancesData
	}{}},
	{wallets.EventSent, "A transfer succeeds", struct {
		outgoing.SentData
		balancesData
	}{}},
	{wallets.EventFailed, "A transfer fails", outgoing.FailedData{}},
	{payments.EventSuccess, "A payment succeeds", payments.EventData{}},
	{payments.EventFailed, "An attempt to pay fails", payments.EventData{}},
	{payments.EventPending, "Money is seen, or being processed", payments.EventData{}},
	{payments.EventLate, "Money comes after the time of a payment that is unpaid", payments.EventData{}},
	{payments.EventReversed, "A payment is taken back from the business", payments.EventData{}},
	{accounts.EventReceived, "Naira is credited to a collection account", accounts.ReceivedData{}},
	{payouts.EventItemProcessing, "An item of a payout is submitted to the bank", payouts.EventData{}},
	{payouts.EventItemSuccessful, "The bank has paid an item of a payout", payouts.EventData{}},
	{payouts.EventItemFailed, "The bank has not paid an item of a payout, and never will", payouts.EventData{}},
	{payouts.EventItemReturned, "The money of a successful item comes back", payouts.EventData{}},
	{payouts.EventCompleted, "All items of a payout are final", payouts.EventData{}},
	{transfers.EventSuccess, "The bank has paid a fiat transfer", transfers.EventData{}},
	{transfers.EventFailed, "The bank has not paid a fiat transfer, and never will", transfers.EventData{}},
	{transfers.EventReversed, "The money of a successful fiat transfer comes back", transfers.EventData{}},
	{refunds.EventPending, "A refund is made", refunds.EventData{}},
	{refunds.EventProcessing, "A refund is being paid", refunds.EventData{}},
	{refunds.EventSuccessful, "A refund is paid", refunds.EventData{}},
	{refunds.EventFailed, "A refund fails or is cancelled", refunds.EventData{}},
	{refunds.EventReturned, "The money of a successful refund comes back", refunds.EventData{}},
	{offramp.EventProcessing, "All USDC of an offramp is there, and its naira go out", offramp.EventData{}},
	{offramp.EventSuccess, "The bank has paid the naira of an offramp", offramp.EventData{}},
	{offramp.EventFailed, "An offramp expires, or the bank does not pay its naira, and never will", offramp.EventData{}},
	{offramp.EventReturned, "The naira of a successful offramp come back", offramp.EventData{}},
	{bills.EventProcessing, "A bill is submitted to the biller", bills.EventData{}},
	{bills.EventSuccessful, "The biller has delivered a bill", bills.EventData{}},
	{bills.EventFailed, "The biller has not delivered a bill, and never will", bills.EventData{}},
	{offramp.EventBillProcessing, "All USDC of a crypto bill is there, or a refused one is tried again, and it is bought", offramp.BillEventData{}},
	{offramp.EventBillSuccessful, "The biller has delivered a crypto bill", offramp.BillEventData{}},
	{offramp.EventBillRefused, "A crypto bill was not bought, and its USDC is held for a retry", offramp.BillEventData{}},
	{offramp.EventBillFailed, "A crypto bill ends without delivery, and the USDC that came goes back", offramp.BillEventData{}},
	{onramp.EventProcessing, "All naira of an onramp have come", onramp.EventData{}},
	{onramp.EventSuccess, "The USDC of an onramp are there", onramp.EventData{}},
	{onramp.EventFailed, "An onramp ends without USDC, and the naira that came go back", onramp.EventData{}},
	{webhook.TestType, "Asked for by POST /v1/webhook/test", testData{}},
}

// EventType is a type of event.
type EventType struct {
	// Name is the type, and When says what has happened.
	Name, When string
}

// EventTypes returns all types of events, in the order of the catalogue (docs/api.md, "Event
// catalogue").
func EventTypes() (all []EventType) {
	for _, e := range eventCatalogue {
		all = append(all, EventType{e.name, e.when})
	}
	return all
}

// samples are a body of each type of event, by type, as the engine sends it. `make generate` writes
// them.
//
//go:embed eventsamples.json
var samples []byte

// balancesData is what completes the data of an event that moved money.
type balancesData struct {
	Before number `json:"balance_before"`
	After  number `json:"balance_after"`
}

type testData struct {
	Message string `json:"message"`
}

// webhooks describes what is sent to a business's endpoint.
func (s *schemas) webhooks() object {
	hooks, sample := object{}, map[string]json.RawMessage{}
	if err := json.Unmarshal(samples, &sample); err != nil {
		panic(err) // it is a file of this package
	}
	for _, e := range eventCatalogue {
		data := s.objectOf(reflect.TypeOf(e.data), isOptional)
		schema := eventSchema(data)
		schema["properties"].(object)["type"] = object{"type": "string", "enum": []string{e.name}}
		hooks[e.name] = object{"post": object{
			"operationId": "on_" + e.name,
			"summary":     e.when,
			"tags":        []string{tagEvents},
			"security":    []object{{}},
			"requestBody": object{"required": true, "content": jsonContent(schema, sample[e.name])},
			"responses": object{
				"2XX": object{"description": "Taken; any other answer is tried again"},
				"4XX": object{"description": "Not taken; 410 disables the endpoint"},
			},
		}}
	}
	return hooks
}
