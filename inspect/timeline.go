package inspect

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
)

// timelineShown is how many lines a page of the timeline has.
const timelineShown = 200

// timelineData is the page of the timeline.
type timelineData struct {
	Lines []Line `json:"lines"`
	Kind  Kind   `json:"kind,omitempty"`
	Text  string `json:"q,omitempty"`
	// Before leads to older lines, or is 0.
	Before int64 `json:"before,omitempty"`
	// First are acts for a sandbox that nobody has asked for anything since it was begun or emptied.
	First []Act `json:"-"`
	// Live reports whether new lines belong on this page.
	Live bool `json:"-"`
}

// timeline shows the newest lines. A search for one whole id leads on to the thing by its link.
func (i *Inspector) timeline(_ context.Context, r *http.Request) (any, error) {
	f := filterOf(r)
	before, err := strconv.ParseInt(cmp.Or(r.URL.Query().Get("before"), "0"), 10, 64)
	if err != nil || before < 0 {
		return nil, problem{http.StatusBadRequest, "before: must be a number"}
	}
	page := timelineData{Kind: f.Kind, Text: f.Text, Live: before == 0}
	if f == (filter{}) && i.untouched() {
		page.First = i.firstActs()
	}
	page.Lines = i.journal.before(before, f.keeps, timelineShown)
	if n := len(page.Lines); n == timelineShown {
		page.Before = page.Lines[n-1].Seq
	}
	if page.Lines == nil {
		page.Lines = []Line{}
	}
	return page, nil
}
