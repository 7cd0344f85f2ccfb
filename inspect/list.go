package inspect

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
)

// listShown is how many rows a page of a list has.
const listShown = 50

// listData is a page of things of one kind.
type listData struct {
	Kind    string           `json:"kind"`
	Title   string           `json:"title"`
	Columns []string         `json:"columns"`
	Rows    []map[string]any `json:"rows"`
	Search  string           `json:"search,omitempty"`
	Total   string           `json:"total,omitempty"`
	Page    int              `json:"page"`
	// More reports whether there is another page.
	More bool  `json:"more"`
	Acts []Act `json:"-"`
}

// list shows the things of a kind, newest first.
func (i *Inspector) list(ctx context.Context, r *http.Request) (any, error) {
	d, err := listed(ctx, i.quiet, r)
	if err == nil && len(d.Rows) == 0 {
		d.Acts = i.firstActs()
	}
	return d, err
}

// listed is the page of a list that a request asks for, as the API has it.
func listed(ctx context.Context, a api, r *http.Request) (d listData, err error) {
	kind, known := resourceOf(r.PathValue("kind"))
	if !known {
		return d, missing("There is no list of " + r.PathValue("kind"))
	}
	page, err := strconv.Atoi(cmp.Or(r.URL.Query().Get("page"), "1"))
	if err != nil || page < 1 {
		return d, problem{http.StatusBadRequest, "page: must be a number from 1"}
	}
	query := url.Values{"page": {strconv.Itoa(page)}, "limit": {strconv.Itoa(listShown)}}
	search := r.URL.Query().Get("search")
	if search != "" {
		query.Set("search", search)
	}
	got := a.get(ctx, kind.list+"?"+query.Encode())
	if !got.ok() {
		return d, problem{got.Status, got.problem()}
	}
	d = listData{Kind: kind.Kind, Title: kind.Title, Columns: kind.Columns, Rows: got.rows(), Search: search, Page: page}
	d.Total = cmp.Or(word(got.Beside, "meta", "total"), word(got.Beside, "pagination", "total"), word(got.Beside, "total"))
	d.More = len(d.Rows) == listShown
	return d, nil
}
