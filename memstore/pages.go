package memstore

import "encoding/binary"

// pages is an allocator: it keeps byte strings of any length in a few large pages without
// pointers, so that a garbage collection does not scan them. A place is the number of a page
// and an offset in it. Place 0 is of no byte string.
type pages struct {
	pages   [][]byte
	current int              // the page that is being filled
	used    int              // how many of its bytes are used
	free    map[int][]uint32 // free places, by their length in units
}

const (
	// unitBytes is the length of a unit. Offsets and lengths are whole numbers of units.
	unitBytes = 8
	unitBits  = 13
	pageBytes = unitBytes << unitBits
	// firstPage is the length of the first page. Each next one is twice as long, up to pageBytes.
	firstPage = 1 << 10
)

// put keeps a copy of data and returns its place.
func (p *pages) put(data []byte) uint32 {
	var room [binary.MaxVarintLen64]byte
	head := binary.PutUvarint(room[:], uint64(len(data)))
	place := p.room((head + len(data) + unitBytes - 1) / unitBytes)
	to := p.bytes(place)
	copy(to[copy(to, room[:head]):], data)
	return place
}

// at returns the byte string of a place. It may be read until take.
func (p *pages) at(place uint32) []byte {
	data := p.bytes(place)
	length, head := binary.Uvarint(data)
	return data[head : head+int(length)]
}

// take frees a place.
func (p *pages) take(place uint32) {
	length, head := binary.Uvarint(p.bytes(place))
	units := (head + int(length) + unitBytes - 1) / unitBytes
	if units > pageBytes/unitBytes {
		p.pages[place>>unitBits] = nil // the page was its own
		p.release(0, place)
		return
	}
	p.release(units, place)
}

func (p *pages) bytes(place uint32) []byte {
	return p.pages[place>>unitBits][place%(1<<unitBits)*unitBytes:]
}

// release notes a free place. A place of 0 units is a page that was dropped: its number is free.
func (p *pages) release(units int, place uint32) {
	if p.free == nil {
		p.free = map[int][]uint32{}
	}
	p.free[units] = append(p.free[units], place)
}

// reuse returns a free place of exactly so many units, if there is one.
func (p *pages) reuse(units int) (place uint32, some bool) {
	free := p.free[units]
	if len(free) == 0 {
		return 0, false
	}
	p.free[units] = free[:len(free)-1]
	return free[len(free)-1], true
}

// room returns a place of so many units, a free one or a new one.
func (p *pages) room(units int) uint32 {
	if len(p.pages) == 0 {
		p.pages, p.used = [][]byte{make([]byte, firstPage)}, unitBytes
	}
	if units > pageBytes/unitBytes {
		return p.page(units * unitBytes)
	}
	if place, some := p.reuse(units); some {
		return place
	}
	if left := len(p.pages[p.current]) - p.used; left < units*unitBytes {
		place := p.place()
		size := max(min(2*len(p.pages[p.current]), pageBytes), units*unitBytes)
		p.current, p.used = int(p.page(size)>>unitBits), 0
		if left > 0 {
			p.release(left/unitBytes, place)
		}
	}
	place := p.place()
	p.used += units * unitBytes
	return place
}

// place returns the place after the used part of the current page.
func (p *pages) place() uint32 { return uint32(p.current)<<unitBits | uint32(p.used/unitBytes) }

// page adds a page and returns where it begins.
func (p *pages) page(size int) uint32 {
	place, some := p.reuse(0)
	if !some {
		place = uint32(len(p.pages)) << unitBits
		p.pages = append(p.pages, nil)
	}
	p.pages[place>>unitBits] = make([]byte, size)
	return place
}
