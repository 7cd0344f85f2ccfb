package seal

import (
	"crypto/subtle"
	"errors"
)

// Reseal seals anew what a text holds, under the key that Seal uses, for the
// context where it will stand. The new text was opened before it is returned, so
// that the old one can be given up. ErrTampered when the old one does not open.
func Reseal(s Sealer, sealed []byte, from, to Context) ([]byte, error) {
	plain, err := s.Open(sealed, from)
	if err != nil {
		return nil, err
	}
	defer clear(plain)
	fresh, err := s.Seal(plain, to)
	if err != nil {
		return nil, err
	}
	again, err := s.Open(fresh, to)
	defer clear(again)
	if err != nil || subtle.ConstantTimeCompare(plain, again) != 1 {
		return nil, errors.New("seal: a fresh text does not open")
	}
	return fresh, nil
}
