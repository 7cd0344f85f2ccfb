package memstore

import "github.com/ferrypay/ferry/records"

// parts numbers the parts of the names of one kind. No part has the number 0.
type parts struct {
	numbers map[records.Part]int32
	// recent is the part that a name got last, by what the part is of. Most rows have the scope
	// of the row before, and to compare it takes less time than to look it up.
	recent []numbered
}

type numbered struct {
	records.Part
	number int32
}

// of returns the number of a part, or 0 when no row had a name of it.
func (p *parts) of(part records.Part) int32 {
	if part.Of < len(p.recent) && p.recent[part.Of].Part == part {
		return p.recent[part.Of].number
	}
	return p.numbers[part]
}

// make is of for a name that a row gets.
func (p *parts) make(part records.Part) int32 {
	if known := p.of(part); known != 0 {
		p.remember(part, known)
		return known
	}
	if p.numbers == nil {
		p.numbers = map[records.Part]int32{}
	}
	number := int32(len(p.numbers) + 1)
	p.numbers[part] = number
	p.remember(part, number)
	return number
}

func (p *parts) remember(part records.Part, number int32) {
	for part.Of >= len(p.recent) {
		p.recent = append(p.recent, numbered{})
	}
	p.recent[part.Of] = numbered{part, number}
}
