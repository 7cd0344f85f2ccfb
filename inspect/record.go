package inspect

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
)

// recordData is the page of a recording.
type recordData struct {
	From int64  `json:"from"`
	To   int64  `json:"to"`
	Test string `json:"test"`
	// Left says what could not be recorded.
	Left []string `json:"left,omitempty"`
}

// record writes a stretch of the timeline as a Go test: from the Seq of a line to that of another.
func (i *Inspector) record(_ context.Context, r *http.Request) (any, error) {
	query := r.URL.Query()
	from, errFrom := strconv.ParseInt(cmp.Or(query.Get("from"), "1"), 10, 64)
	to, errTo := strconv.ParseInt(cmp.Or(query.Get("to"), strconv.FormatInt(i.journal.lastSeq(), 10)), 10, 64)
	if errFrom != nil || errTo != nil || from > to {
		return nil, problem{http.StatusBadRequest, "from and to: must be numbers of lines, the first one not above the second"}
	}
	d := recordData{From: from, To: to}
	var calls []Exchange
	for _, l := range i.journal.between(from, to) {
		if l.Kind != Request && l.Kind != Clock {
			continue
		}
		e, found := i.requests.find(l.Seq)
		if !found || !e.whole() || e.answer.cut {
			d.Left = append(d.Left, l.Title+": it was not kept whole")
			continue
		}
		calls = append(calls, e)
	}
	var err error
	d.Test, err = newGenerator(calls, i.config.Tenant.PublicKey, i.isInbox(r)).test()
	return d, err
}

// isInbox reports whether a URL is that of the inbox, by the host of a request or by another name of this machine.
func (i *Inspector) isInbox(r *http.Request) func(string) bool {
	own, _ := url.Parse(originOf(r)) // without one no port is the same
	return func(text string) bool {
		u, err := url.Parse(text)
		return err == nil && own != nil && u.Path == i.config.Prefix+"inbox" && u.Port() == own.Port()
	}
}
