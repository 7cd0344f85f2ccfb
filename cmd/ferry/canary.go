package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/settings"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/store"
)

// canaryName is the setting of a store that only its own keyset opens. It is
// written before anything else is sealed, so that a wrong keyset is found out at
// the start and not at the first withdrawal.
const canaryName = "serve/keyset"

var canaryContext = seal.Context{Purpose: "serve.canary", Version: 1}

var (
	errDevStore = errors.New("it was made by ferry dev, whose keys are published: start production on an empty store")
	errKeyset   = errors.New("the keyset is not the one that its secrets are sealed under")
	errNoCanary = errors.New("it has data of which nothing says which keyset sealed it")
)

// keys open what a store has sealed, and know its API keys.
type keys struct {
	sealer seal.Sealer
	pepper business.Pepper
}

// canary is the text of the setting. It depends on the pepper and on the key of
// digests too: with others, no API key and no customer would be found again.
func (k keys) canary() []byte {
	return fmt.Appendf(nil, "%s %x", k.pepper.Digest(canaryName), k.sealer.Digest(nil, canaryName))
}

// claim makes an empty store one that these keys belong to, and refuses every
// store that is not theirs. Of several that claim at once, the first decides. The
// setting is sealed anew under a newer key, so that from then on an older copy
// of the keyset, which lacks that key, is refused too.
func (k keys) claim(ctx context.Context, s *sqlstore.Store) error {
	return s.Write(ctx, func(ctx context.Context, tx store.Ports) error {
		used, err := hasBooks(ctx, tx)
		if err != nil {
			return err
		}
		sealed, err := k.check(ctx, tx)
		switch {
		case err != nil:
			return err
		case sealed == nil && used:
			return errNoCanary
		case sealed != nil && seal.Current(k.sealer, sealed):
			return nil
		}
		return k.put(ctx, tx)
	})
}

// check returns the setting, or nil without one. It refuses one that other keys have
// sealed.
func (k keys) check(ctx context.Context, tx store.Ports) (sealed []byte, err error) {
	if _, dev, err := settings.Get(ctx, tx, markName); err != nil || dev {
		return nil, errors.Join(err, onlyIf(dev, errDevStore))
	}
	sealed, known, err := settings.Get(ctx, tx, canaryName)
	if err != nil || !known {
		return nil, err
	}
	plain, err := k.sealer.Open(sealed, canaryContext)
	if err != nil || !bytes.Equal(plain, k.canary()) {
		return nil, errKeyset
	}
	return sealed, nil
}

// put seals the setting.
func (k keys) put(ctx context.Context, tx store.Ports) error {
	sealed, err := k.sealer.Seal(k.canary(), canaryContext)
	if err != nil {
		return err
	}
	return settings.Set(ctx, tx, canaryName, sealed)
}

func onlyIf(condition bool, err error) error {
	if condition {
		return err
	}
	return nil
}
