package records

import "iter"

// Map is stored rows of one kind by key, for a store in memory. It takes a word for a row,
// where a map of rows of any kind takes two.
type Map interface {
	Get(key string) (row any, found bool)
	Put(key string, row any)
	Delete(key string)
	All() iter.Seq2[string, any]
}

type rowMap[R any] map[string]*R

func (m rowMap[R]) Get(key string) (any, bool) {
	row, found := m[key]
	return row, found
}

func (m rowMap[R]) Put(key string, row any) { m[key] = row.(*R) }

func (m rowMap[R]) Delete(key string) { delete(m, key) }

func (m rowMap[R]) All() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for key, row := range m {
			if !yield(key, row) {
				return
			}
		}
	}
}
