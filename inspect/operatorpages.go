package inspect

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/operatorlog"
	"github.com/ferrypay/ferry/store"
)

// businessRow is a business in the list of all.
type businessRow struct {
	ID        ferry.BusinessID `json:"id"`
	Env       ferry.Env        `json:"environment"`
	Name      string           `json:"name"`
	CreatedAt time.Time        `json:"created_at"`
}

// Path is that of the page of the business.
func (b businessRow) Path() string { return rootOf(ferry.Scope{Env: b.Env, Business: b.ID}) }

// businessesData is a part of the businesses of both environments.
type businessesData struct {
	Rows []businessRow `json:"businesses"`
	// Env and After lead to further ones of an environment, or are empty.
	More []moreOf `json:"more,omitempty"`
}

// moreOf says where the list of an environment goes on.
type moreOf struct {
	Env   ferry.Env        `json:"environment"`
	After ferry.BusinessID `json:"after"`
}

// businesses shows the businesses of both environments, oldest first; of one where the query names it.
func (o *Operator) businesses(ctx context.Context, _ ferry.Scope, r *http.Request) (any, error) {
	d := businessesData{Rows: []businessRow{}}
	for _, env := range ferry.Envs() {
		if only := r.URL.Query().Get("env"); only != "" && only != string(env) {
			continue
		}
		page, err := o.engine.Businesses.Businesses(ctx, env, ferry.BusinessID(r.URL.Query().Get("after")), ferry.MaxLimit)
		if err != nil {
			return nil, err
		}
		for _, b := range page {
			d.Rows = append(d.Rows, rowOf(b))
		}
		if len(page) == ferry.MaxLimit {
			d.More = append(d.More, moreOf{env, page[len(page)-1].Scope.Business})
		}
	}
	return d, nil
}

func rowOf(b business.Business) businessRow {
	return businessRow{b.Scope.Business, b.Scope.Env, b.Name, b.CreatedAt}
}

// businessData is the page of a business: names and paths, nothing about people.
type businessData struct {
	Business businessRow `json:"business"`
	// EventsTo is the host that events go to, and EventsStatus how it does.
	EventsTo     string `json:"events_to,omitempty"`
	EventsStatus string `json:"events_status,omitempty"`
}

// business shows what there is to see of a business.
func (o *Operator) business(ctx context.Context, scope ferry.Scope, _ *http.Request) (any, error) {
	b, err := o.engine.Businesses.Business(ctx, scope)
	if err != nil {
		return nil, err
	}
	d := businessData{Business: rowOf(b)}
	if to := o.api.get(ctx, "/v1/webhook/config"); to.ok() {
		d.EventsStatus = word(to.object(), "status")
		if at, err := url.Parse(word(to.object(), "url")); err == nil {
			d.EventsTo = at.Host // path and query may hold a secret of the receiver
		}
	}
	return d, nil
}

// list shows the things of a kind, newest first, and notes it.
func (o *Operator) list(ctx context.Context, scope ferry.Scope, r *http.Request) (any, error) {
	d, err := listed(ctx, o.api, r)
	if err != nil {
		return nil, err
	}
	for n, row := range d.Rows {
		if d.Rows[n], err = maskedObject(row); err != nil {
			return nil, err
		}
	}
	return d, o.noteRead(ctx, scope, "list of "+d.Kind)
}

// seenThing is the page of one thing.
type seenThing struct {
	ID     string         `json:"id"`
	Kind   string         `json:"kind"`
	Title  string         `json:"title"`
	Status string         `json:"status,omitempty"`
	Amount string         `json:"amount,omitempty"`
	Next   []string       `json:"next,omitempty"`
	Why    *whySeen       `json:"why,omitempty"`
	Events []eventRow     `json:"events"`
	Object map[string]any `json:"object,omitempty"`
}

// whySeen says why it is not done.
type whySeen struct {
	Ended   bool     `json:"ended"`
	Summary string   `json:"summary"`
	Next    []string `json:"next"`
}

// thing shows one thing, by its id or a name that its caller gave it, and notes it.
func (o *Operator) thing(ctx context.Context, scope ferry.Scope, r *http.Request) (any, error) {
	name := r.PathValue("id")
	found, object, ok := o.api.find(ctx, name)
	why, err := o.engine.Explain(ctx, scope, cmp.Or(word(object, "id"), name))
	if err != nil && !errors.Is(err, engine.ErrUnknownName) {
		return nil, err
	}
	known := err == nil
	if !ok && !known {
		return nil, missing("There is no " + name + " in this business.")
	}
	t := seenThing{ID: cmp.Or(word(object, "id"), why.ID, name), Kind: cmp.Or(found.Kind, why.Resource)}
	if known {
		t.Why, t.Status, t.Title = whyOf(why), why.Status, why.Reference
	}
	if ok {
		t.Title, t.Amount = titleOfThing(object, t.ID), amountOf(object)
		t.Status = cmp.Or(word(object, "status"), word(object, "payment_status"))
		t.Next = nextStates(found.lifecycle, t.Status)
		if t.Object, err = maskedObject(object); err != nil {
			return nil, err
		}
	}
	t.Title = cmp.Or(t.Title, t.ID)
	if t.Events, err = o.eventsOf(ctx, scope, cmp.Or(why.Events, t.ID)); err != nil {
		return nil, err
	}
	return t, o.noteRead(ctx, scope, t.ID)
}

func whyOf(x explain.Explanation) *whySeen {
	w := whySeen{Ended: x.Ended, Summary: x.Summary, Next: []string{}}
	for _, p := range x.Next {
		w.Next = append(w.Next, p.Text)
	}
	return &w
}

// maskedObject is an object of an answer without secrets and identity numbers.
func maskedObject(object map[string]any) (masked map[string]any, err error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader([]byte(mask(string(text)))))
	decoder.UseNumber()
	return masked, decoder.Decode(&masked)
}

// logRow is one thing that one person did.
type logRow struct {
	By        string          `json:"by"`
	Act       operatorlog.Act `json:"act"`
	Subject   string          `json:"subject"`
	Reason    string          `json:"reason,omitempty"`
	CreatedAt time.Time       `json:"created_at"`
}

// logData is a page of what the operator's people did with a business.
type logData struct {
	Rows []logRow `json:"entries"`
	pages
}

// log shows who looked at what of a business, and what was sent again, and why.
func (o *Operator) log(ctx context.Context, scope ferry.Scope, r *http.Request) (any, error) {
	page, err := pageOf(r)
	if err != nil {
		return nil, err
	}
	return ferry.InRead(ctx, o.engine.Units(scope.Env), func(ctx context.Context, tx store.Tx) (any, error) {
		found, err := operatorlog.Of(ctx, tx, scope, page)
		d := logData{[]logRow{}, pagesOf(page, found.Total)}
		for _, e := range found.Data {
			d.Rows = append(d.Rows, logRow{e.By, e.Act, e.Subject, e.Reason, e.CreatedAt})
		}
		return d, err
	})
}

// pages says where a page of a list is.
type pages struct {
	Page  int  `json:"page"`
	Total int  `json:"total"`
	More  bool `json:"more"`
}

func pagesOf(page ferry.Page, total int) pages {
	return pages{page.Number, total, page.Number*page.Limit < total}
}

// pageOf is the page that a query asks for.
func pageOf(r *http.Request) (ferry.Page, error) {
	number, err := strconv.Atoi(cmp.Or(r.URL.Query().Get("page"), "1"))
	if err != nil || number < 1 || number > maxPage {
		return ferry.Page{}, problem{http.StatusBadRequest, "page: must be a number from 1"}
	}
	return ferry.Page{Number: number, Limit: listShown}, nil
}

// maxPage is more than anybody turns.
const maxPage = 1_000_000
