package memstore

import (
	"iter"

	"github.com/ferrypay/ferry"
)

// pageOf returns a page of a list, newest first, and how many rows the list has that keep takes;
// nil takes all.
func pageOf(list line, page ferry.Page, row func(spot) any, keep func(spot) bool) ferry.List[any] {
	if keep == nil {
		return ferry.List[any]{Data: newest(list.down(page.Offset()), page.Limit, row, nil), Total: int(list.length)}
	}
	rows, total := []any{}, 0
	for p := range list.down(0) {
		if !keep(p) {
			continue
		}
		if total >= page.Offset() && len(rows) < page.Limit {
			rows = append(rows, row(p))
		}
		total++
	}
	return ferry.List[any]{Data: rows, Total: total}
}

// newest returns the first rows that keep takes, at most limit.
func newest(spots iter.Seq[spot], limit int, row func(spot) any, keep func(spot) bool) []any {
	rows := []any{}
	for p := range spots {
		if len(rows) >= limit {
			break
		}
		if keep == nil || keep(p) {
			rows = append(rows, row(p))
		}
	}
	return rows
}
