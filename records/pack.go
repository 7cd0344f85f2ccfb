package records

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
)

// packedHead is the length in bytes of the head of a packed row. The head is the time of
// creation in microseconds.
const packedHead = 8

// Pack appends the bytes of a row, for a store in memory. Only the process that packed a row
// may unpack it: the form may change with each release.
func (k *Shape) Pack(to []byte, b *Bound) ([]byte, error) {
	p := packer{out: to}
	if k.created >= 0 {
		p.last = k.CreatedAt(b).UnixMicro()
	}
	p.out = binary.BigEndian.AppendUint64(p.out, uint64(p.last))
	for _, c := range b.Cells {
		c.Value.pack(&p)
	}
	return p.out, p.err
}

// PackedAt returns the time of creation of a packed row, in microseconds.
func PackedAt(row []byte) int64 { return int64(binary.BigEndian.Uint64(row)) }

// Unpacked returns a packed row with its columns bound. The caller gives it back by Release.
// Texts of the row share the memory of the packed one. It panics for bytes that Pack did not
// make.
func (k *Shape) Unpacked(row string) *Bound {
	b := k.pool.Get().(*Bound)
	u := unpacker{in: row[packedHead:], last: PackedAt([]byte(row[:packedHead]))}
	for _, c := range b.Cells {
		c.Value.unpack(&u)
	}
	if u.err != nil {
		panic(fmt.Sprintf("records: a row of %s does not come back: %v", k.Name, u.err))
	}
	return b
}

// Taken returns a new row with the values of a Bound. Nobody writes to it, because it shares
// what the row of the Bound points to.
func (k *Shape) Taken(b *Bound) any { return k.take(b) }

// packer appends the bytes of values, one after the other.
type packer struct {
	out  []byte
	last int64 // the instant that was packed before, in microseconds
	err  error // the first one
}

func (p *packer) int(v int64)   { p.out = binary.AppendVarint(p.out, v) }
func (p *packer) uint(v uint64) { p.out = binary.AppendUvarint(p.out, v) }

func (p *packer) flag(v bool) {
	if v {
		p.out = append(p.out, 1)
	} else {
		p.out = append(p.out, 0)
	}
}

func (p *packer) text(v string) {
	p.uint(uint64(len(v)))
	p.out = append(p.out, v...)
}

// unpacker reads the values of a packer back, in the same order.
type unpacker struct {
	in   string
	last int64
	err  error
}

func (u *unpacker) uint() (v uint64) {
	for shift := 0; ; shift += 7 {
		b := u.in[0]
		u.in = u.in[1:]
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
}

func (u *unpacker) int() int64 {
	v := u.uint()
	return int64(v>>1) ^ -int64(v&1)
}

func (u *unpacker) flag() bool { return u.uint() != 0 }

func (u *unpacker) text() string {
	n := u.uint()
	v := u.in[:n]
	u.in = u.in[n:]
	return v
}

func (v textValue[T]) pack(p *packer)     { p.text(string(*v.at)) }
func (v textValue[T]) unpack(u *unpacker) { *v.at = T(u.text()) }

func (v optionalValue[T]) pack(p *packer)     { p.text(string(*v.at)) }
func (v optionalValue[T]) unpack(u *unpacker) { *v.at = T(u.text()) }

// A word is packed as its number in the list of words, from 1. A text that is not in the list
// is packed as 0 and the text.
func (v wordValue[T]) pack(p *packer) {
	n := slices.Index(v.words, *v.at) + 1
	if p.uint(uint64(n)); n == 0 {
		p.text(string(*v.at))
	}
}

func (v wordValue[T]) unpack(u *unpacker) {
	if n := u.uint(); n > 0 {
		*v.at = v.words[n-1]
	} else {
		*v.at = T(u.text())
	}
}

func (v intValue[T]) pack(p *packer)     { p.int(int64(*v.at)) }
func (v intValue[T]) unpack(u *unpacker) { *v.at = T(u.int()) }

func (v uintValue) pack(p *packer) {
	if *v.at > math.MaxInt64 && p.err == nil {
		_, p.err = v.Plain()
	}
	p.uint(*v.at)
}

func (v uintValue) unpack(u *unpacker) { *v.at = u.uint() }

func (v boolValue) pack(p *packer)     { p.flag(*v.at) }
func (v boolValue) unpack(u *unpacker) { *v.at = u.flag() }

// A flag tells nil bytes from empty ones.
func (v bytesValue) pack(p *packer) {
	if p.flag(*v.at != nil); *v.at != nil {
		p.text(string(*v.at))
	}
}

func (v bytesValue) unpack(u *unpacker) {
	if *v.at = nil; u.flag() {
		*v.at = []byte(u.text())
	}
}

// An instant is packed as the distance from the instant before it, because most rows have the
// same instant several times.
func (v timeValue) pack(p *packer) {
	if p.flag(!v.at.IsZero()); !v.at.IsZero() {
		now := v.at.UnixMicro()
		p.int(now - p.last)
		p.last = now
	}
}

func (v timeValue) unpack(u *unpacker) {
	if *v.at = (time.Time{}); u.flag() {
		u.last += u.int()
		*v.at = time.UnixMicro(u.last).UTC()
	}
}

func (v assetValue) pack(p *packer)     { p.uint(uint64(*v.at)) }
func (v assetValue) unpack(u *unpacker) { *v.at = money.Asset(u.uint()) }

func (v amountValue) pack(p *packer)     { p.int(v.at.Minor()) }
func (v amountValue) unpack(u *unpacker) { *v.at = money.Of(v.asset, u.int()) }

func (v moneyAsset) pack(p *packer)     { p.uint(uint64(v.at.Asset())) }
func (v moneyAsset) unpack(u *unpacker) { v.asset = money.Asset(u.uint()) }

func (v moneyMinor) pack(p *packer)     { p.int(v.at.Minor()) }
func (v moneyMinor) unpack(u *unpacker) { *v.at = money.Of(v.asset, u.int()) }

// Columns that are made from other columns are not packed: the row makes them again.
func (madeValue) pack(*packer)       {}
func (madeValue) unpack(*unpacker)   {}
func (foldedValue) pack(*packer)     {}
func (foldedValue) unpack(*unpacker) {}

func (v MarkedValue) pack(p *packer) {
	p.flag(*v.flag)
	p.text(*v.at)
}

func (v MarkedValue) unpack(u *unpacker) { *v.flag, *v.at = u.flag(), u.text() }

// Metadata has a form of its own, because most rows have some. Other documents are JSON.
func (v documentValue[T]) pack(p *packer) {
	if m, is := any(v.at).(*ferry.Metadata); is && plain(*m) {
		p.uint(1)
		p.metadata(*m)
		return
	}
	stored, err := v.Plain()
	if err != nil && p.err == nil {
		p.err = err
	}
	if text, some := stored.(string); some {
		p.uint(2)
		p.text(text)
	} else {
		p.uint(0)
	}
}

func (v documentValue[T]) unpack(u *unpacker) {
	switch u.uint() {
	case 0:
		var none T
		*v.at = none
	case 1:
		*any(v.at).(*ferry.Metadata) = u.metadata()
	default:
		if err := v.Scan(u.text()); err != nil && u.err == nil {
			u.err = err
		}
	}
}

// plain reports whether all values of metadata have a type that ferry accepts in metadata.
func plain(m ferry.Metadata) bool {
	for _, value := range m {
		switch value.(type) {
		case string, bool, json.Number:
		default:
			return false
		}
	}
	return true
}

// metadata packs nil as 0, and any other map as the number of its keys plus 1, and its pairs.
func (p *packer) metadata(m ferry.Metadata) {
	if m == nil {
		p.uint(0)
		return
	}
	p.uint(uint64(len(m)) + 1)
	for key, value := range m {
		p.text(key)
		switch value := value.(type) {
		case string:
			p.uint(0)
			p.text(value)
		case json.Number:
			p.uint(1)
			p.text(string(value))
		case bool:
			p.uint(2)
			p.flag(value)
		}
	}
}

func (u *unpacker) metadata() ferry.Metadata {
	n := u.uint()
	if n == 0 {
		return nil
	}
	m := make(ferry.Metadata, n-1)
	for range n - 1 {
		key := u.text()
		switch u.uint() {
		case 0:
			m[key] = u.text()
		case 1:
			m[key] = json.Number(u.text())
		default:
			m[key] = u.flag()
		}
	}
	return m
}
