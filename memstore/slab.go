package memstore

// slab keeps many rows of one kind without a pointer each: row n stands at a
// fixed place, and other rows name it by its number. Numbers count from 1, so
// that 0 names no row.
type slab[T any] struct {
	chunks [][]T
	length uint32
}

// chunkRows is how many rows of a slab are allocated at once.
const chunkRows = 1 << 8

// add appends a row and returns its number.
func (s *slab[T]) add(row T) uint32 {
	if s.length%chunkRows == 0 {
		s.chunks = append(s.chunks[:s.length/chunkRows], make([]T, chunkRows))
	}
	s.length++
	*s.at(s.length) = row
	return s.length
}

// at returns a row by its number, to be read or changed in place.
func (s *slab[T]) at(number uint32) *T {
	return &s.chunks[(number-1)/chunkRows][(number-1)%chunkRows]
}

// cut forgets all rows after the first `length`.
func (s *slab[T]) cut(length uint32) {
	var none T
	for ; s.length > length; s.length-- {
		*s.at(s.length) = none
	}
}
