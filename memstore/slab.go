package memstore

// slab keeps many rows of one kind without a pointer each: row n stands at a
// fixed place, and other rows name it by its number. Numbers count from 1, so
// that 0 names no row.
type slab[T any] struct {
	chunks [][]T
	length uint32
}

// How many rows of a slab are allocated at once: few at first, because a fake for one test has
// few, and then so many that a row wastes little.
const (
	firstRows = 1 << 6
	chunkRows = 1 << 8
)

// chunkOf returns where a row stands, the row of number 1 being at 0.
func chunkOf(row uint32) (chunk, at uint32) {
	if row < firstRows {
		return 0, row
	}
	row -= firstRows
	return row/chunkRows + 1, row % chunkRows
}

// add appends a row and returns its number.
func (s *slab[T]) add(row T) uint32 {
	if chunk, at := chunkOf(s.length); at == 0 {
		size := chunkRows
		if chunk == 0 {
			size = firstRows
		}
		s.chunks = append(s.chunks[:chunk], make([]T, size))
	}
	s.length++
	*s.at(s.length) = row
	return s.length
}

// at returns a row by its number, to be read or changed in place.
func (s *slab[T]) at(number uint32) *T {
	chunk, at := chunkOf(number - 1)
	return &s.chunks[chunk][at]
}

// has reports whether there is a row of a number.
func (s *slab[T]) has(number uint32) bool { return 0 < number && number <= s.length }

// cut forgets all rows after the first `length`.
func (s *slab[T]) cut(length uint32) {
	var none T
	for ; s.length > length; s.length-- {
		*s.at(s.length) = none
	}
}
