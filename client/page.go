package client

import "iter"

// Page is a part of a list.
type Page[T any] struct {
	Data []T  `json:"data"`
	Meta Meta `json:"meta"`
}

// Meta says which page it is, and of how many rows.
type Meta struct {
	Page       int  `json:"page"`
	Limit      int  `json:"limit"`
	Total      int  `json:"total"`
	TotalPages int  `json:"total_pages"`
	HasMore    bool `json:"has_more"`
}

// manyRows is how many rows All asks for at once, unless its parameters say otherwise.
const manyRows = 100

// all goes through the rows of a list, from a page on. Lists are newest first: rows that are
// added meanwhile move others to later pages, so that a row may come twice; all yields it
// once. Rows without a name are yielded as they come.
func all[T any](from int, read func(page int) (*Page[T], error), name func(T) string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		seen := map[string]bool{}
		for number := max(1, from); ; number++ {
			page, err := read(number)
			if err != nil {
				yield(*new(T), err)
				return
			}
			for _, row := range page.Data {
				if of := name(row); of != "" {
					if seen[of] {
						continue
					}
					seen[of] = true
				}
				if !yield(row, nil) {
					return
				}
			}
			if len(page.Data) == 0 || !page.Meta.HasMore {
				return
			}
		}
	}
}
