package ferry

import (
	"context"
	"iter"
	"math"
	"time"
)

const (
	// DefaultLimit is the length of a page when none is asked for.
	DefaultLimit = 20
	// MaxLimit is the greatest length of a page.
	MaxLimit = 100
)

// Page asks for one page of a list, newest first. The zero value is the first
// page of DefaultLimit rows.
type Page struct {
	// Number counts from 1; 0 means 1. A page past the last is empty.
	Number int
	// Limit is the length of a page, 1 to MaxLimit; 0 means DefaultLimit.
	Limit int
	// Before, when set, is the id of the last row already seen: the page
	// holds the rows that follow it, Number is ignored and Total is not
	// counted. It is how All walks a list while rows are inserted.
	Before string
}

// WithDefaults returns p with zero fields filled in.
func (p Page) WithDefaults() Page {
	if p.Number == 0 {
		p.Number = 1
	}
	if p.Limit == 0 {
		p.Limit = DefaultLimit
	}
	return p
}

// Offset is the number of rows before the page, at most the greatest int.
func (p Page) Offset() int {
	p = p.WithDefaults()
	if p.Number-1 > math.MaxInt/p.Limit {
		return math.MaxInt
	}
	return (p.Number - 1) * p.Limit
}

// List is one page of rows with the exact number of rows that match the filter.
type List[T any] struct {
	Data  []T
	Total int
}

// MapList returns the page of what f makes of each row.
func MapList[A, B any](list List[A], f func(A) (B, error)) (List[B], error) {
	mapped := List[B]{Data: make([]B, len(list.Data)), Total: list.Total}
	for i, row := range list.Data {
		var err error
		if mapped.Data[i], err = f(row); err != nil {
			return List[B]{}, err
		}
	}
	return mapped, nil
}

// Range keeps rows created between two instants, both included. A zero bound
// is open.
type Range struct {
	From, To time.Time
}

// Holds reports whether t lies in the range.
func (r Range) Holds(t time.Time) bool {
	return (r.From.IsZero() || !t.Before(r.From)) && (r.To.IsZero() || !t.After(r.To))
}

// WalkKeys walks rows in the order of their keys, page by page: fetch returns those
// after a key, at most limit.
func WalkKeys[K, T any](fetch func(after K, limit int) ([]T, error), key func(T) K) iter.Seq2[T, error] {
	const limit = 500
	return func(yield func(T, error) bool) {
		var after K
		for {
			page, err := fetch(after, limit)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, row := range page {
				if after = key(row); !yield(row, nil) {
					return
				}
			}
			if len(page) < limit {
				return
			}
		}
	}
}

// WalkList walks what a List of a service lists: see Walk.
func WalkList[F, T any](ctx context.Context, list func(context.Context, Scope, F, Page) (List[T], error), scope Scope, filter F, id func(T) string) iter.Seq2[T, error] {
	return Walk(ctx, func(ctx context.Context, page Page) (List[T], error) { return list(ctx, scope, filter, page) }, id)
}

// Walk iterates a list row by row by keyset: rows inserted meanwhile neither
// repeat nor displace others. fetch reads one page, of MaxLimit rows; id names a row.
func Walk[T any](ctx context.Context, fetch func(context.Context, Page) (List[T], error), id func(T) string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		page := Page{Limit: MaxLimit}
		for {
			list, err := fetch(ctx, page)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, row := range list.Data {
				if !yield(row, nil) {
					return
				}
				page.Before = id(row)
			}
			if len(list.Data) < MaxLimit {
				return
			}
		}
	}
}
