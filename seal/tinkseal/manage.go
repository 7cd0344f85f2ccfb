package tinkseal

import (
	"fmt"
	"strconv"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"
)

// Create draws fresh keys and writes them to a new file of mode 0600, encrypted
// under the KEK. It never writes over a file: ErrExists.
func Create(path string, kek KEK) error {
	k, err := newKeys()
	if err != nil {
		return err
	}
	text, err := k.encode(kek)
	if err != nil {
		return err
	}
	return create(path, text)
}

// Rotate adds a fresh key to a file, which seals from now on. The others go on
// opening, and digests stay as they are. Errors: those of Load, and ErrBusy.
func Rotate(path string, kek KEK) error {
	return change(path, kek, kek, func(m *keyset.Manager) error {
		id, err := m.Add(aead.XChaCha20Poly1305KeyTemplate())
		if err != nil {
			return err
		}
		return m.SetPrimary(id)
	})
}

// ChangeKEK encrypts the same keys under another KEK. Errors: those of Load,
// and ErrBusy.
func ChangeKEK(path string, from, to KEK) error {
	return change(path, from, to, func(*keyset.Manager) error { return nil })
}

// Drop removes an old key for ever. It first asks sealed how many texts are sealed under
// the key, as engine.SealedUnder does: ErrInUse when there are any.
// Other errors: those of Load, ErrUnknownKey, ErrPrimary, ErrBusy.
//
// A server that has not seen the last Rotate may still seal under the key, and a
// backup of the database may need it. So let every server seal or start once
// after Rotate, and keep a copy of the key file with each backup.
func Drop(path string, kek KEK, id string, sealed func(id string) (int, error)) error {
	return change(path, kek, kek, func(m *keyset.Manager) error {
		h, err := m.Handle()
		if err != nil {
			return err
		}
		if err := droppable(h, id); err != nil {
			return err
		}
		n, err := sealed(id)
		if err != nil {
			return fmt.Errorf("tinkseal: what is sealed under key %s: %w", id, err)
		}
		if n > 0 {
			return fmt.Errorf("%w: %d under key %s", ErrInUse, n, id)
		}
		number, err := strconv.ParseUint(id, 10, 32)
		if err != nil {
			return fmt.Errorf("%w: %s", ErrUnknownKey, id)
		}
		return m.Delete(uint32(number))
	})
}

// droppable returns nil when an id is that of an old key.
func droppable(h *keyset.Handle, id string) error {
	described := h.KeysetInfo()
	if name(described.GetPrimaryKeyId()) == id {
		return fmt.Errorf("%w: %s", ErrPrimary, id)
	}
	for _, key := range described.GetKeyInfo() {
		if name(key.GetKeyId()) == id {
			return nil
		}
	}
	return fmt.Errorf("%w: %s", ErrUnknownKey, id)
}

// change replaces a key file by what edit makes of the keys that seal.
func change(path string, from, to KEK, edit func(*keyset.Manager) error) error {
	return replace(path, func(text []byte) ([]byte, error) {
		d, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf("%w: %s", err, path)
		}
		k, err := d.open(from)
		if err != nil {
			return nil, fmt.Errorf("%w: %s", err, path)
		}
		m := keyset.NewManagerFromHandle(k.seal)
		if err := edit(m); err != nil {
			return nil, err
		}
		if k.seal, err = m.Handle(); err != nil {
			return nil, fmt.Errorf("tinkseal: %w", err)
		}
		return k.encode(to)
	})
}
