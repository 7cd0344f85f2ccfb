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
	at, form, ok := parseInstant(value)
	*u = until(at.Add(form.unit - time.Millisecond))
	return ok
}

// instantForm is a form in which an instant may be written, and the time that it stands
// for. Without an offset it is UTC.
type instantForm struct {
	layout string
	unit   time.Duration
	offset bool
}

var instants = []instantForm{
	{time.DateOnly, 24 * time.Hour, false},
	{time.RFC3339Nano, time.Millisecond, true},
	{"2006-01-02T15:04:05Z0700", time.Millisecond, true},
	{"2006-01-02T15:04:05Z07", time.Millisecond, true},
	{"2006-01-02T15:04:05", time.Second, false},
	{"2006-01-02T15:04Z07:00", time.Minute, true},
	{"2006-01-02T15:04Z0700", time.Minute, true},
	{"2006-01-02T15:04Z07", time.Minute, true},
	{"2006-01-02T15:04", time.Minute, false},
}

// longestInstant is more than any instant takes, in bytes.
const longestInstant = 64

func parseInstant(value string) (at time.Time, form instantForm, ok bool) {
	if len(value) > longestInstant {
		return time.Time{}, instantForm{}, false // the error of time.Parse would quote all of it
	}
	value = uniform(value)
	for _, form := range instants {
		if at, err := time.ParseInLocation(form.layout, value, time.UTC); err == nil {
			if strings.ContainsAny(value, ".,") {
				form.unit = time.Millisecond // time.Parse takes a fraction after any seconds
			}
			return at.UTC(), form, true
		}
	}
	return time.Time{}, instantForm{}, false
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
