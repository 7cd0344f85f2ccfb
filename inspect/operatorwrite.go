package inspect

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/operatorlog"
	"github.com/ferrypay/ferry/store"
)

// operatorScreen is what a template of the operator's view gets.
type operatorScreen struct {
	Person, View string
	// SignedIn says that a token let the person in, so that signing out means something.
	SignedIn bool
	Lists    []resource
	// Scope and Root are the business of the page and the path of its pages, both empty for a page of all.
	Scope ferry.Scope
	Root  string
	Data  any
}

// rootOf is the path of the pages of a business.
func rootOf(scope ferry.Scope) string {
	if scope == (ferry.Scope{}) {
		return ""
	}
	return "/" + string(scope.Env) + "/" + string(scope.Business)
}

// write answers with a page, or with its data.
func (o *Operator) write(w http.ResponseWriter, r *http.Request, status int, name string, data any) {
	if asksForData(r) {
		writeData(w, status, data)
		return
	}
	scope, _ := o.scopeOf(r) // a page of no business has none
	_, byProxy := o.named(r)
	s := operatorScreen{Person: personOf(r.Context()), SignedIn: !byProxy, View: name, Lists: resources, Scope: scope, Root: rootOf(scope), Data: data}
	writePage(w, r, status, o.templates, name, s, o.config.Logger)
}

// sorry answers with an error. What a caller may know of an error of the engine is its message and its fields.
func (o *Operator) sorry(w http.ResponseWriter, r *http.Request, err error) {
	said, known := errors.AsType[problem](err)
	if refused, is := errors.AsType[*ferry.Error](err); is && !known {
		said, known = problemOf(refused)
	}
	if !known {
		o.config.Logger.ErrorContext(r.Context(), "the operator's view failed", "error", err)
		said = problem{http.StatusInternalServerError, "The engine did not answer; the log says why."}
	}
	o.write(w, r, said.Status, "problem", said)
}

// problemOf is an error of the engine that is the caller's to mend.
func problemOf(e *ferry.Error) (p problem, is bool) {
	switch e.Kind {
	case ferry.Invalid:
		p.Status = http.StatusBadRequest
	case ferry.NotFound:
		p.Status = http.StatusNotFound
	case ferry.Conflict:
		p.Status = http.StatusConflict
	default:
		return p, false
	}
	p.Text = e.Message
	for _, f := range e.Fields {
		p.Text += " · " + f.Name + ": " + f.Message
	}
	return p, true
}

// noteRead notes that the person of a request looks at something of a business. What is not noted is not shown.
func (o *Operator) noteRead(ctx context.Context, scope ferry.Scope, subject string) error {
	return o.engine.Units(scope.Env).Write(ctx, func(ctx context.Context, tx store.Tx) error {
		return operatorlog.Note(ctx, tx, operatorlog.Entry{Scope: scope, By: personOf(ctx), Act: operatorlog.Read, Subject: subject})
	})
}

// rowsBelow is a table of a business, with the path of its pages.
type rowsBelow struct {
	Root string
	Rows any
}

// titleOfOperator is the title of a page. It names nobody, because browsers keep it.
func titleOfOperator(s operatorScreen) string {
	switch data := s.Data.(type) {
	case seenThing:
		return data.ID
	case eventData:
		return data.Event.ID
	case listData:
		return data.Title
	}
	return strings.ToUpper(s.View[:1]) + s.View[1:]
}
