package memstore

import "encoding/binary"

// pages keeps byte strings of any length in few large pieces of memory, which have no
// pointers: a garbage collection passes them by. A byte string is named by its place, and 0
// is the place of none.
type pages struct {
	pages   [][]byte
	current int              // the page that is being filled
	used    int              // bytes of it
	free    map[int][]uint32 // places of byte strings that are gone, by units
}

const (
	// unit is what the length of a place is a multiple of.
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

// at returns what put was given, to be read until take.
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

// release notes a free place. One of no units is a page that is not there.
func (p *pages) release(units int, place uint32) {
	if p.free == nil {
		p.free = map[int][]uint32{}
	}
	p.free[units] = append(p.free[units], place)
}

// reuse returns a free place of so many units, if there is one.
func (p *pages) reuse(units int) (place uint32, some bool) {
	free := p.free[units]
	if len(free) == 0 {
		return 0, false
	}
	p.free[units] = free[:len(free)-1]
	return free[len(free)-1], true
}

// room returns a place of so many units.
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

// place is where the current page goes on.
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
