package ferry

// UseUp moves the counter of the present millisecond to its end.
func (s *IDs) UseUp() { s.counter = 1<<counterBits - 1 }
