package tinkseal

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/core/cryptofmt"
	"github.com/tink-crypto/tink-go/v2/prf"
	"github.com/tink-crypto/tink-go/v2/tink"

	"github.com/ferrypay/ferry/seal"
)

// Keyset is the keys of a file. It is safe for concurrent use, and shows none of
// them to a formatter or an encoder.
type Keyset struct {
	hidden
	path    string
	kek     KEK
	present atomic.Pointer[present]
	reading sync.Mutex // held by who reads the file again
}

// present is a file as it was read.
type present struct {
	file      fs.FileInfo
	id        string // of the file's Create
	aead      tink.AEAD
	keys      []Key
	primary   string
	digestKey []byte
	pepper    []byte
}

var _ seal.Rotating = (*Keyset)(nil)

// Key describes one key that seals or opens.
type Key struct {
	ID string
	// Primary is that Seal uses it. One key of a file is.
	Primary bool
	// Status is "ENABLED", or that of a key that another tool has disabled: it
	// opens nothing.
	Status string
}

// Load reads a key file. Only its owner may have access to it (ErrExposed).
// Errors: ErrMissing, ErrDamaged, ErrWrongKEK.
func Load(path string, kek KEK) (*Keyset, error) {
	text, info, err := readPrivate(path)
	if err != nil {
		return nil, err
	}
	d, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, path)
	}
	p, err := read(d, info, kek)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, path)
	}
	k := &Keyset{path: path, kek: kek}
	k.present.Store(p)
	return k, nil
}

// read opens the keys of a file and derives what is used of them.
func read(d document, info fs.FileInfo, kek KEK) (*present, error) {
	opened, err := d.open(kek)
	if err != nil {
		return nil, err
	}
	p := &present{file: info, id: d.ID}
	if p.aead, err = aead.New(opened.seal); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	described := opened.seal.KeysetInfo()
	for _, key := range described.GetKeyInfo() {
		primary := key.GetKeyId() == described.GetPrimaryKeyId()
		p.keys = append(p.keys, Key{name(key.GetKeyId()), primary, key.GetStatus().String()})
	}
	p.primary = name(described.GetPrimaryKeyId())
	derive, err := prf.NewPRFSet(opened.digest)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	p.digestKey, err = derive.ComputePrimaryPRF([]byte("digest"), sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	p.pepper, err = derive.ComputePrimaryPRF([]byte("pepper"), sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return p, nil
}

// Seal encrypts under the primary key. When another process has rotated the
// file, that is the new one at once; a file that has another primary key but
// does not open is an error, so that nothing is sealed under a key that may be
// dropped. A missing file is no error: the loaded keys stay.
func (k *Keyset) Seal(plain []byte, context seal.Context) ([]byte, error) {
	p, err := k.refresh()
	if err != nil {
		return nil, err
	}
	return p.aead.Encrypt(plain, context.Bytes())
}

// Open decrypts under whichever key sealed the text.
func (k *Keyset) Open(sealed []byte, context seal.Context) ([]byte, error) {
	p := k.present.Load()
	if !p.has(keyOf(sealed)) {
		fresh, err := k.refresh()
		if err != nil {
			return nil, fmt.Errorf("%w: %w", seal.ErrTampered, err)
		}
		p = fresh
	}
	plain, err := p.aead.Decrypt(sealed, context.Bytes())
	if err != nil {
		return nil, seal.ErrTampered
	}
	return plain, nil
}

// Digest is HMAC-SHA-256 under a key that Rotate does not change.
func (k *Keyset) Digest(data []byte, purpose string) []byte {
	mac := hmac.New(sha256.New, k.present.Load().digestKey)
	mac.Write(strconv.AppendQuote(nil, purpose)) // quoted: where it ends is plain
	mac.Write(data)
	return mac.Sum(nil)
}

// Pepper is a key of 32 bytes for the digests of API keys. Rotate does not
// change it.
func (k *Keyset) Pepper() []byte { return slices.Clone(k.present.Load().pepper) }

// Keys lists the keys that seal and open, oldest first.
func (k *Keyset) Keys() []Key { return slices.Clone(k.present.Load().keys) }

// KeyOf returns the id of the key that a text says to be sealed under, or an
// empty one for what is no text of a Keyset.
func (k *Keyset) KeyOf(sealed []byte) string { return keyOf(sealed) }

// Current reports whether a text says to be sealed under the primary key: that
// of the file as it is now, unless it does not open any more.
func (k *Keyset) Current(sealed []byte) bool {
	p, err := k.refresh()
	if err != nil {
		p = k.present.Load()
	}
	return keyOf(sealed) == p.primary
}

// keyOf reads the id that Tink puts before each text.
func keyOf(sealed []byte) string {
	if len(sealed) < cryptofmt.TinkPrefixSize || sealed[0] != cryptofmt.TinkStartByte {
		return ""
	}
	return name(binary.BigEndian.Uint32(sealed[1:cryptofmt.TinkPrefixSize]))
}

func (p *present) has(id string) bool {
	return slices.ContainsFunc(p.keys, func(key Key) bool { return key.ID == id })
}

// refresh returns the keys of the file, read again if it was replaced.
func (k *Keyset) refresh() (*present, error) {
	if p := k.present.Load(); p.isOf(k.path) {
		return p, nil
	}
	k.reading.Lock()
	defer k.reading.Unlock()
	p := k.present.Load()
	if p.isOf(k.path) { // somebody else read it meanwhile
		return p, nil
	}
	fresh, err := k.reread(p)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, k.path)
	}
	k.present.Store(fresh)
	return fresh, nil
}

// isOf reports whether a file is still the one that was read. One that is gone
// has nothing newer.
func (p *present) isOf(path string) bool {
	now, err := os.Stat(path)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	return os.SameFile(p.file, now) && p.file.ModTime().Equal(now.ModTime()) && p.file.Size() == now.Size()
}

func (k *Keyset) reread(old *present) (*present, error) {
	text, info, err := readPrivate(k.path)
	if err != nil {
		return nil, err
	}
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	if d.ID != old.id {
		return nil, ErrReplaced
	}
	fresh, err := read(d, info, k.kek)
	if errors.Is(err, ErrWrongKEK) && d.Primary == old.primary { // by ChangeKEK: the keys are the same
		same := *old
		same.file = info
		return &same, nil
	}
	return fresh, err
}
