package records

import (
	"iter"

	"github.com/ferrypay/ferry"
)

// Map is stored rows of one kind by key, for a store in memory. It takes a word for a row,
// where a map of rows of any kind takes two.
type Map interface {
	// Of returns the row with the key that KeyText makes of a scope and an id.
	Of(scope ferry.Scope, id string) (row any, found bool)
	Get(key string) (row any, found bool)
	Put(key string, row any)
	Delete(key string)
	All() iter.Seq2[string, any]
}

type rowMap[R any] struct {
	kind *Shape
	rows map[string]*R
}

func (m rowMap[R]) Of(scope ferry.Scope, id string) (any, bool) {
	var room [128]byte // a key that is only looked up takes no memory
	row, found := m.rows[string(m.kind.appendKey(room[:0], scope, id))]
	return row, found
}

func (m rowMap[R]) Get(key string) (any, bool) {
	row, found := m.rows[key]
	return row, found
}

func (m rowMap[R]) Put(key string, row any) { m.rows[key] = row.(*R) }

func (m rowMap[R]) Delete(key string) { delete(m.rows, key) }

func (m rowMap[R]) All() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for key, row := range m.rows {
			if !yield(key, row) {
				return
			}
		}
	}
}
