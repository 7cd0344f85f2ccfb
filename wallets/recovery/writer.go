package recovery

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/ferrypay/ferry/provider/chain"
)

// ErrWrongAddress says that a key is not that of the address beside it.
var ErrWrongAddress = errors.New("recovery: the key is that of another address")

// Writer writes a file of keys.
type Writer struct {
	to    Recipient
	lines *json.Encoder
	keys  int
}

// NewWriter begins a file for the holder of a recovery key. Errors: ErrNoRecipient.
func NewWriter(w io.Writer, to Recipient, at time.Time) (*Writer, error) {
	if to.public == nil {
		return nil, ErrNoRecipient
	}
	lines := json.NewEncoder(w)
	return &Writer{to, lines, 0}, lines.Encode(header{format, to.String(), at.UTC()})
}

// Add writes the key of an address. Errors: ErrWrongAddress.
func (w *Writer) Add(e Entry, seed chain.Seed) error {
	if seed.Address() != e.Address {
		return fmt.Errorf("%w: %s", ErrWrongAddress, e.ID)
	}
	sealed, err := seed.Seal(func(plain []byte) ([]byte, error) { return w.to.seal(plain, e.context()) })
	if err != nil {
		return fmt.Errorf("recovery: key of %s: %w", e.ID, err)
	}
	w.keys++
	return w.lines.Encode(line{Entry: e, Sealed: sealed})
}

// Close writes how many keys there are. A file without that line is incomplete.
func (w *Writer) Close() error { return w.lines.Encode(end{w.keys}) }
