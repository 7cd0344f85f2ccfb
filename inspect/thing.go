package inspect

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/engine"
)

// thingShown is how many lines the page of a thing has.
const thingShown = 100

// thingData is the page of one thing.
type thingData struct {
	ID     string         `json:"id"`
	Kind   string         `json:"kind"`
	Object map[string]any `json:"object"`
	// Title is what its caller calls it, Status where it stands, Amount what it is about.
	Title  string `json:"title"`
	Status string `json:"status,omitempty"`
	Amount string `json:"amount,omitempty"`
	// Next are the statuses that it can have next.
	Next []string `json:"next,omitempty"`
	// Why says why it is not done, as GET /v1/test_helpers/explain does.
	Why  map[string]any `json:"why,omitempty"`
	Acts []Act          `json:"acts"`
	// PageURL is that of the payer's page, or empty. FrameURL is that of the same to be framed by the
	// inspector.
	PageURL  string `json:"page_url,omitempty"`
	FrameURL string `json:"-"`
	Lines    []Line `json:"lines"`
	Legs     []leg  `json:"legs"`
}

// thing shows one thing, by its id or a name that its caller gave it.
func (i *Inspector) thing(ctx context.Context, r *http.Request) (any, error) {
	name := r.PathValue("id")
	found, object, ok := i.quiet.find(ctx, name)
	if !ok {
		found, object, ok = i.quiet.findAmong(ctx, i.quiet.belongsTo(ctx, name), true)
	}
	if !ok {
		return nil, missing("There is no " + name + " in this business. An id leads here, and so do a trx_id, a reference and an address.")
	}
	t := thingData{ID: cmp.Or(word(object, "id"), name), Kind: found.Kind, Object: object}
	t.Title = titleOfThing(object, t.ID)
	t.Status = cmp.Or(word(object, "status"), word(object, "payment_status"))
	t.Amount = amountOf(object)
	t.Next = nextStates(found.lifecycle, t.Status)
	t.Acts = i.actsOf(ctx, found.Kind, object)
	framed := "?origin=" + url.QueryEscape(originOf(r))
	if session := word(object, "session_id"); strings.HasPrefix(session, "sess_") { // others are those of a bank
		t.PageURL = "/checkout/" + session
		t.FrameURL = t.PageURL + "/embed" + framed
	} else if slug := word(object, "slug"); slug != "" {
		t.PageURL = "/pay/" + url.PathEscape(slug)
		t.FrameURL = t.PageURL + framed
	}
	if why := i.quiet.get(ctx, "/v1/test_helpers/explain?id="+url.QueryEscape(t.ID)); why.ok() {
		t.Why = why.object()
	}
	t.Lines = i.journal.before(0, namesOf(name, object).in, thingShown)
	legs, err := i.legsOf(ctx, t.Lines)
	t.Legs = viewLegs(legs)
	return t, err
}

// titleOfThing is what the caller of a thing calls it, or its id.
func titleOfThing(object map[string]any, id string) string {
	return cmp.Or(word(object, "trx_id"), word(object, "reference"), word(object, "title"), word(object, "name"), word(object, "account_number"), id)
}

// names are the words by which lines name a thing.
type names []string

// namesOf are the names of a thing: those of its object, and of what arrived for it.
func namesOf(name string, object map[string]any) (n names) {
	n = append(n, name, word(object, "id"), word(object, "uid"), word(object, "trx_id"), word(object, "reference"), word(object, "session_id"),
		word(object, "transaction_hash"), word(object, "onchain_tx"))
	n = append(n, receiptsOf(object)...)
	return slices.DeleteFunc(n, func(text string) bool { return text == "" })
}

// in reports whether a line names the thing. Postings have the bank's session, or the signature on the
// chain, in their ids.
func (n names) in(l Line) bool {
	return slices.Contains(n, l.Thing) || slices.Contains(n, l.Name) ||
		slices.ContainsFunc(n, func(name string) bool { return strings.Contains(string(l.posting), name) })
}

// receiptsOf are the ids of what arrived for a payment, and what it arrived by: postings name those.
func receiptsOf(object map[string]any) (ids []string) {
	list, _ := object["receipts"].([]any)
	for _, receipt := range list {
		ids = append(ids, word(receipt, "id"), word(receipt, "source"))
	}
	return ids
}

// amountOf is the amount of a thing, as answers of the API have it.
func amountOf(object map[string]any) string {
	for _, name := range []string{"amount", "total_amount", "balance"} {
		number := word(object, name)
		if number == "" {
			continue
		}
		unit := unitOf(word(object, "currency"), word(object, "fiat_currency"), word(object, "asset"))
		minor := word(object, "amount_unit") == "minor" || object["fees"] != nil && object["payment_currency"] != nil && unit == "NGN"
		return inFull(number, unit, minor)
	}
	return ""
}

// unitOf is what the amount of a thing is in. One that has two, as an exchange, has its amount in naira.
func unitOf(currency, fiat, asset string) string { return cmp.Or(currency, fiat, asset) }

// nextStates are the states that a thing can move to, as its lifecycle is drawn.
func nextStates(title, status string) (states []string) {
	for _, d := range engine.Domains() {
		for _, l := range d.Lifecycles {
			if l.Title == title {
				states = append(states, movesFrom(l.Drawn.Mermaid(), status)...)
			}
		}
	}
	return states
}

// movesFrom reads the targets of a state from a drawing.
func movesFrom(drawing, state string) (targets []string) {
	for line := range strings.Lines(drawing) {
		from, rest, isMove := strings.Cut(strings.TrimSpace(line), " --> ")
		to, _, _ := strings.Cut(rest, ":")
		if isMove && from == state && to != "[*]" && to != state && !slices.Contains(targets, to) {
			targets = append(targets, to)
		}
	}
	return targets
}
