package records

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ferrypay/ferry/money"
)

// errPacked is the error of bytes that Pack did not make.
var errPacked = errors.New("records: these bytes are no row")

// Pack appends a row as bytes. It takes what the columns of a table take: an instant loses what is
// shorter than a microsecond, and a document is kept as JSON.
func (k *Shape) Pack(to []byte, b *Bound) (_ []byte, err error) {
	for _, c := range b.Cells {
		if to, err = c.Value.pack(to); err != nil {
			return nil, err
		}
	}
	return to, nil
}

// Unpack returns the row that Pack made bytes of, with its columns bound, until Release. Its texts
// are parts of the given one.
func (k *Shape) Unpack(from string) (*Bound, error) { return k.unpack(&reader{text: from}) }

// Skimmer returns Unpack for who asks only whether a query selects a row: documents stay empty
// unless the query may depend on one.
func (k *Shape) Skimmer(q Query) func(from string) (*Bound, error) {
	skims := !k.needsDocuments(q)
	return func(from string) (*Bound, error) { return k.unpack(&reader{text: from, skims: skims}) }
}

// needsDocuments reports whether a query looks at a document, or at a text that a row makes of itself.
func (k *Shape) needsDocuments(q Query) bool {
	needed := func(at int) bool { return slices.Contains(k.documented, at) }
	asked := func(m Match) bool { return needed(k.at(m.Column)) }
	return slices.ContainsFunc(q.Matches, asked) || q.Search != "" && slices.ContainsFunc(k.search, needed) ||
		slices.ContainsFunc(q.Either, func(group []Match) bool { return slices.ContainsFunc(group, asked) })
}

func (k *Shape) unpack(r *reader) (*Bound, error) {
	b := k.pool.Get().(*Bound)
	for _, c := range b.Cells {
		if err := c.Value.unpack(r); err != nil {
			return nil, fmt.Errorf("%w of %s: %w", errPacked, k.Name, err)
		}
	}
	if r.failed || r.text != "" {
		return nil, fmt.Errorf("%w of %s", errPacked, k.Name)
	}
	return b, nil
}

// Kept returns the row of a Bound as one that stays: a pointer through which nobody writes.
func (k *Shape) Kept(b *Bound) any { return k.keep(b) }

// reader takes values from the front of packed bytes. After a failure all that it returns is empty.
type reader struct {
	text   string
	failed bool
	skims  bool // documents stay empty
}

func (r *reader) number() uint64 {
	var n uint64
	for i := 0; i < len(r.text) && i < binary.MaxVarintLen64; i++ {
		n |= uint64(r.text[i]&0x7f) << (7 * i)
		if r.text[i] < 0x80 {
			r.text = r.text[i+1:]
			return n
		}
	}
	r.fail()
	return 0
}

func (r *reader) integer() int64 {
	n := r.number()
	return int64(n>>1) ^ -int64(n&1)
}

func (r *reader) string() string {
	n := r.number()
	if n > uint64(len(r.text)) {
		r.fail()
		return ""
	}
	s := r.text[:n]
	r.text = r.text[n:]
	return s
}

func (r *reader) fail() { r.text, r.failed = "", true }

func packText[T ~string](to []byte, text T) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

func (v textValue[T]) pack(to []byte) ([]byte, error) { return packText(to, *v.at), nil }

func (v textValue[T]) unpack(from *reader) error {
	*v.at = T(from.string())
	return nil
}

// pack writes a word by its number, and refuses one that the column does not take.
func (v wordValue[T]) pack(to []byte) ([]byte, error) {
	at := slices.Index(v.words, *v.at)
	if at < 0 {
		return nil, fmt.Errorf("%w: %q", ErrWord, *v.at)
	}
	return binary.AppendUvarint(to, uint64(at)), nil
}

func (v wordValue[T]) unpack(from *reader) error {
	at := from.number()
	if at >= uint64(len(v.words)) {
		return errPacked
	}
	*v.at = v.words[at]
	return nil
}

func (v optionalValue[T]) pack(to []byte) ([]byte, error) { return packText(to, *v.at), nil }

func (v optionalValue[T]) unpack(from *reader) error {
	*v.at = T(from.string())
	return nil
}

func (v intValue[T]) pack(to []byte) ([]byte, error) {
	return binary.AppendVarint(to, int64(*v.at)), nil
}

func (v intValue[T]) unpack(from *reader) error {
	*v.at = T(from.integer())
	return nil
}

func (v uintValue) pack(to []byte) ([]byte, error) { return binary.AppendUvarint(to, *v.at), nil }

func (v uintValue) unpack(from *reader) error {
	*v.at = from.number()
	return nil
}

func (v boolValue) pack(to []byte) ([]byte, error) {
	if *v.at {
		return append(to, 1), nil
	}
	return append(to, 0), nil
}

func (v boolValue) unpack(from *reader) error {
	*v.at = from.number() == 1
	return nil
}

// pack writes the length and one more, and 0 for nil.
func (v bytesValue) pack(to []byte) ([]byte, error) {
	if *v.at == nil {
		return append(to, 0), nil
	}
	return append(binary.AppendUvarint(to, uint64(len(*v.at))+1), *v.at...), nil
}

func (v bytesValue) unpack(from *reader) error {
	length := from.number()
	if length == 0 {
		*v.at = nil
		return nil
	}
	if length-1 > uint64(len(from.text)) {
		return errPacked
	}
	*v.at = []byte(from.text[:length-1])
	from.text = from.text[length-1:]
	return nil
}

// pack writes microseconds since 1970, and one flag before them, which the zero time has not.
func (v timeValue) pack(to []byte) ([]byte, error) {
	if v.at.IsZero() {
		return append(to, 0), nil
	}
	return binary.AppendVarint(append(to, 1), v.at.UnixMicro()), nil
}

func (v timeValue) unpack(from *reader) error {
	*v.at = time.Time{}
	if from.number() == 1 {
		*v.at = time.UnixMicro(from.integer()).UTC()
	}
	return nil
}

func (v documentValue[T]) pack(to []byte) ([]byte, error) {
	stored, err := v.Plain()
	if err != nil {
		return nil, err
	}
	text, _ := stored.(string) // no JSON is empty
	return packText(to, text), nil
}

func (v documentValue[T]) unpack(from *reader) error {
	if text := from.string(); text != "" && !from.skims {
		return v.Scan(text)
	}
	return v.Scan(nil)
}

func (v assetValue) pack(to []byte) ([]byte, error) {
	return binary.AppendUvarint(to, uint64(*v.at)), nil
}

func (v assetValue) unpack(from *reader) error {
	*v.at = money.Asset(from.number())
	return nil
}

func (v amountValue) pack(to []byte) ([]byte, error) {
	return binary.AppendVarint(to, v.at.Minor()), nil
}

func (v amountValue) unpack(from *reader) error {
	*v.at = money.Of(v.asset, from.integer())
	return nil
}

func (v moneyAsset) pack(to []byte) ([]byte, error) {
	return binary.AppendUvarint(to, uint64(v.at.Asset())), nil
}

func (v moneyAsset) unpack(from *reader) error {
	v.asset = money.Asset(from.number())
	return nil
}

func (v moneyMinor) pack(to []byte) ([]byte, error) {
	return binary.AppendVarint(to, v.at.Minor()), nil
}

func (v moneyMinor) unpack(from *reader) error {
	*v.at = money.Of(v.asset, from.integer())
	return nil
}

func (v madeValue) pack(to []byte) ([]byte, error)   { return to, nil }
func (v madeValue) unpack(*reader) error             { return nil }
func (v foldedValue) pack(to []byte) ([]byte, error) { return to, nil }
func (v foldedValue) unpack(*reader) error           { return nil }

func (v MarkedValue) pack(to []byte) ([]byte, error) {
	text, _ := v.Key()
	return packText(to, text), nil
}

func (v MarkedValue) unpack(from *reader) error {
	*v.at, *v.flag = strings.CutPrefix(from.string(), v.mark)
	return nil
}
