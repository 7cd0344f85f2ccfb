package ferry

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"
)

// legacyPrefix begins the legacy form of an identifier: the same digits as the
// current form behind another prefix (docs/api.md, "Identifiers").
const legacyPrefix = "uid_"

const idDigits = 32

// IDs makes identifiers: the digits of a UUIDv7 whose counter makes those of one
// process sort in the order they were made, even within a millisecond and when
// the time given steps back. It is safe for concurrent use.
type IDs struct {
	mu      sync.Mutex
	random  *bufio.Reader
	frozen  int64  // the millisecond of all identifiers, or 0 for their own
	last    int64  // the millisecond of the newest identifier
	counter uint32 // its counter, counterBits wide
}

const (
	counterBits = 26
	numberBits  = 12 // of them, those that Number shows
)

// NewIDs returns a source of identifiers that reads from random.
func NewIDs(random io.Reader) *IDs { return &IDs{random: bufio.NewReaderSize(random, randomAhead)} }

// randomAhead is how many bytes are read from random at once.
const randomAhead = 512

// NewFrozenIDs returns a source whose identifiers all bear one instant: with the
// same random and the same order of work, a run makes the same ones again.
func NewFrozenIDs(random io.Reader, at time.Time) *IDs {
	s := NewIDs(random)
	s.frozen = at.UnixMilli()
	return s
}

// NewID returns prefix followed by 32 lower-case hexadecimal digits. It panics
// when the source of randomness fails: nothing can go on without.
func (s *IDs) NewID(prefix string, now time.Time) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	random, err := s.random.Peek(10)
	if err != nil {
		panic(fmt.Errorf("ferry: no randomness for identifiers: %w", err))
	}
	var b [16]byte
	copy(b[6:], random)
	_, _ = s.random.Discard(len(random))
	ms := now.UnixMilli()
	if s.frozen != 0 {
		ms = s.frozen
	}
	ms = s.tick(ms, binary.BigEndian.Uint32(b[6:]))
	for i := range 6 {
		b[i] = byte(ms >> (40 - 8*i))
	}
	b[6] = 0x70 | byte(s.counter>>22)
	b[7] = byte(s.counter >> 14)
	b[8] = 0x80 | byte(s.counter>>8)&0x3f
	b[9] = byte(s.counter)
	var text [64]byte
	return string(hex.AppendEncode(append(text[:0], prefix...), b[:]))
}

// tick moves the counter on and returns the millisecond to write. It never goes
// back: units of several instants make identifiers side by side. When the last twelve
// bits of the counter are used up, it borrows from the next millisecond: with the
// millisecond, these bits alone tell identifiers apart (see Number).
func (s *IDs) tick(ms int64, start uint32) int64 {
	if ms <= s.last {
		if s.counter++; s.counter%(1<<numberBits) != 0 {
			return s.last
		}
		ms = s.last + 1
	}
	// A random start in the lower half leaves room to count up.
	s.last, s.counter = ms, start%(1<<(counterBits-1))
	return ms
}

// UID returns the legacy form of id: wal_018f… becomes uid_018f….
func UID(id string) string {
	if i := strings.LastIndexByte(id, '_'); i >= 0 {
		return legacyPrefix + id[i+1:]
	}
	return id
}

// Number returns a number for people that rises with the identifiers of one source and differs
// for each: its milliseconds since 2020, and twelve bits of the counter within one. It is 0 for
// what is no identifier.
func Number(id string) int64 {
	const epoch = 1_577_836_800_000
	if len(id) < idDigits {
		return 0
	}
	id = id[len(id)-idDigits:]
	ms, err := strconv.ParseInt(id[:12], 16, 64)
	if err != nil {
		return 0
	}
	counter, _ := strconv.ParseInt(id[17:20], 16, 64)
	return max(0, ms-epoch)<<numberBits | counter
}

// CanonicalID returns text as an identifier with the given prefix, accepting
// the current and the legacy form. It reports false when text is neither.
func CanonicalID(prefix, text string) (string, bool) {
	digits, ok := strings.CutPrefix(text, prefix)
	if !ok {
		digits, ok = strings.CutPrefix(text, legacyPrefix)
	}
	if !ok || len(digits) != idDigits || strings.Trim(digits, "0123456789abcdef") != "" {
		return "", false
	}
	return prefix + digits, true
}
