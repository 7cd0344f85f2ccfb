package httpapi

import (
	"strings"
	"time"

	"github.com/ferrypay/ferry"
)

// pagination describes the page of an answer: its number, and of how many rows.
type pagination struct {
	Page       int  `json:"page" eg:"1"`
	Limit      int  `json:"limit" eg:"20"`
	Total      int  `json:"total" eg:"1"`
	TotalPages int  `json:"total_pages" eg:"1"`
	HasMore    bool `json:"has_more" eg:"false"`
}

// pageQuery is the parameters of every list. Nothing is clamped: what is out of
// range is refused.
type pageQuery struct {
	Page  int `query:"page" min:"1" doc:"Page number, from 1"`
	Limit int `query:"limit" min:"1" max:"100" doc:"Rows a page"`
}

func (q pageQuery) page() ferry.Page {
	return ferry.Page{Number: q.Page, Limit: q.Limit}.WithDefaults()
}

// paged returns a page of rows as the answer shows them.
func paged[T, Row any](page ferry.Page, l ferry.List[T], view func(T) Row) list[Row] {
	page = page.WithDefaults()
	rows := make([]Row, 0, len(l.Data))
	for _, row := range l.Data {
		rows = append(rows, view(row))
	}
	pages := (l.Total + page.Limit - 1) / page.Limit
	return list[Row]{rows, pagination{
		Page: page.Number, Limit: page.Limit, Total: l.Total,
		TotalPages: pages, HasMore: page.Number < pages,
	}}
}

// rangeQuery keeps rows by when they were made.
type rangeQuery struct {
	From since `query:"date_from,from_date,fromDate" doc:"Earliest creation; a date alone means its first second"`
	To   until `query:"date_to,to_date,toDate" doc:"Latest creation; a date alone means its last second"`
}

func (q rangeQuery) between() ferry.Range {
	return ferry.Range{From: time.Time(q.From), To: time.Time(q.To)}
}

// since is the lower bound of a range.
type since time.Time

func (s *since) read(value string) bool {
	at, _, ok := parseInstant(value)
	*s = since(at)
	return ok
}

// until is the upper bound of a range.
type until time.Time

func (u *until) read(value string) bool {
	at, unit, ok := parseInstant(value)
	*u = until(at.Add(unit - time.Millisecond))
	return ok
}

// instants are the forms in which a bound may be written, and the time that
// each stands for. Without an offset it is UTC.
var instants = []struct {
	layout string
	unit   time.Duration
}{
	{time.DateOnly, 24 * time.Hour},
	{time.RFC3339Nano, time.Millisecond},
	{"2006-01-02T15:04:05Z0700", time.Millisecond},
	{"2006-01-02T15:04:05", time.Second},
	{"2006-01-02T15:04Z07:00", time.Minute},
	{"2006-01-02T15:04", time.Minute},
}

// longestInstant is more than any instant takes, in bytes.
const longestInstant = 64

func parseInstant(value string) (at time.Time, unit time.Duration, ok bool) {
	if len(value) > longestInstant {
		return time.Time{}, 0, false // the error of time.Parse would quote all of it
	}
	value = uniform(value)
	for _, form := range instants {
		if at, err := time.ParseInLocation(form.layout, value, time.UTC); err == nil {
			return at.UTC(), form.unit, true
		}
	}
	return time.Time{}, 0, false
}

// uniform writes an instant with T between date and time, and with the plus of its
// offset, which a query that was not escaped has as a space.
func uniform(instant string) string {
	instant = strings.ToUpper(instant)
	if day := len(time.DateOnly); len(instant) > day && instant[day] == ' ' {
		instant = instant[:day] + "T" + instant[day+1:]
	}
	return strings.Replace(instant, " ", "+", 1)
}

const notInstant = "Must be a date or an ISO 8601 time"
