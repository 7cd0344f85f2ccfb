package recovery

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/ferrypay/ferry/provider/chain"
)

var (
	// ErrNoFile refuses what is no file of keys.
	ErrNoFile = errors.New("recovery: not a file of wallet keys")
	// ErrOtherKey says that a file was written for another recovery key.
	ErrOtherKey = errors.New("recovery: the file was written for another recovery key")
	// ErrDamaged says of a line that it does not open: it was changed, or moved from another file.
	ErrDamaged = errors.New("recovery: the line is damaged")
)

// Contents is what Read found in a file.
type Contents struct {
	// MadeAt is the time in the header, Recipient whom the file was written for.
	MadeAt    time.Time
	Recipient string
	// Keys were yielded. Damaged were not.
	Keys    int
	Damaged []Damage
	// Complete reports whether the last line is there and counts as many keys as there are lines.
	Complete bool
}

// Damage is a line that has no key.
type Damage struct {
	// Line counts from 1.
	Line int
	Err  error
}

// maxLine is more than any line has, in bytes.
const maxLine = 64 << 10

// Read yields the keys of a file, each of which is that of its address. It goes on behind a line
// that does not open, because the others are as good as before, and lists it in Contents. An error
// of yield ends it, and is returned. Errors: ErrNoFile, ErrOtherKey.
func Read(r io.Reader, key Key, yield func(Entry, chain.Seed) error) (Contents, error) {
	if key.reveal == nil {
		return Contents{}, ErrNoKey
	}
	f := reading{key: key}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for number := 1; lines.Scan(); number++ {
		e, seed, err := f.line(number, lines.Bytes())
		if err != nil {
			f.found.Damaged = append(f.found.Damaged, Damage{number, err})
		}
		if err != nil || e == (Entry{}) {
			continue
		}
		f.found.Keys++
		if err := yield(e, seed); err != nil {
			return f.found, err
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return f.found, ErrNoFile
	} else if err != nil {
		return f.found, fmt.Errorf("recovery: %w", err)
	}
	return f.found, f.judge()
}

// reading is a file while it is read.
type reading struct {
	key     Key
	found   Contents
	entries int // lines that are neither header nor end
	counted *int
}

// line reads one line: the entry and its key, or neither for header and end.
func (f *reading) line(number int, text []byte) (Entry, chain.Seed, error) {
	if number == 1 {
		return Entry{}, chain.Seed{}, f.header(text)
	}
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		f.entries++
		return Entry{}, chain.Seed{}, ErrDamaged
	}
	if l.Keys != nil {
		f.counted = l.Keys
		return Entry{}, chain.Seed{}, nil
	}
	f.entries++
	seed, err := f.key.seedOf(l)
	return l.Entry, seed, err
}

func (f *reading) header(text []byte) error {
	var h header
	if err := json.Unmarshal(text, &h); err != nil || h.Format != format {
		return fmt.Errorf("%w: it is not the header", ErrDamaged)
	}
	f.found.MadeAt, f.found.Recipient = h.MadeAt, h.Recipient
	return nil
}

// seedOf opens the key of a line and compares it with the address.
func (k Key) seedOf(l line) (chain.Seed, error) {
	plain, err := k.open(l.Sealed, l.context())
	defer clear(plain)
	if err != nil {
		return chain.Seed{}, ErrDamaged
	}
	seed, err := chain.OpenSeed(plain)
	if err != nil {
		return chain.Seed{}, err
	}
	if seed.Address() != l.Address {
		return chain.Seed{}, fmt.Errorf("%w: %s", ErrWrongAddress, l.Address)
	}
	return seed, nil
}

// judge says what the whole file is.
func (f *reading) judge() error {
	f.found.Complete = f.counted != nil && *f.counted == f.entries
	switch {
	case f.found.Keys > 0:
		return nil
	case f.found.Recipient == "":
		return ErrNoFile
	case f.found.Recipient != f.key.Recipient().String():
		return fmt.Errorf("%w: %.80q", ErrOtherKey, f.found.Recipient)
	}
	return nil
}
