package simdisk

// sector is how many bytes are written whole or not at all.
const sector = 512

// file is the bytes of a file.
type file struct {
	now    []byte   // as a program reads them
	synced []byte   // as they are after a cut of the power in any case
	later  []change // what was done since the last sync, in its order
	locks  locks
	shared sharedMemory
}

// change is a write at an offset, or a cut to a size when it has no bytes.
type change struct {
	at    int64
	bytes []byte
}

// apply returns what the change makes of bytes.
func (c change) apply(to []byte) []byte {
	end := int(c.at) + len(c.bytes)
	if len(c.bytes) == 0 {
		return resized(to, end)
	}
	to = resized(to, max(len(to), end))
	copy(to[c.at:], c.bytes)
	return to
}

// resized returns bytes that are cut, or longer by zeros.
func resized(b []byte, size int) []byte {
	if size <= len(b) {
		return b[:size]
	}
	return append(b, make([]byte, size-len(b))...)
}

// sectors are the parts of a write that are written whole or not at all.
func (c change) sectors() (parts []change) {
	for at, rest := c.at, c.bytes; len(rest) > 0; {
		n := min(int64(len(rest)), sector-at%sector)
		parts = append(parts, change{at, rest[:n]})
		at, rest = at+n, rest[n:]
	}
	return parts
}

func (f *file) do(c change) {
	f.now = c.apply(f.now)
	f.later = append(f.later, c)
}

func (f *file) write(at int64, bytes []byte) {
	if len(bytes) > 0 {
		f.do(change{at, append([]byte(nil), bytes...)})
	}
}

func (f *file) truncate(size int64) { f.do(change{at: size}) }

func (f *file) sync() {
	for _, c := range f.later {
		f.synced = c.apply(f.synced)
	}
	f.later = nil
}

// left returns the file as a cut of the power leaves it.
func (f *file) left(l luck) *file {
	kept := f.synced
	for _, c := range f.later {
		switch l.fate() {
		case whole:
			kept = c.apply(kept)
		case torn:
			for _, part := range c.sectors() {
				if l.IntN(2) == 0 { //nolint:mnd // half of them
					kept = part.apply(kept)
				}
			}
		}
	}
	return &file{now: kept, synced: append([]byte(nil), kept...)}
}
