package engine

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// EachKey yields every address of all environments with its key, for a copy that is kept against
// the loss of the store or of the Sealer's keys: package wallets/recovery writes one. Each key was
// compared with its address. EachKey works in small units beside engines that serve; an address
// that is made meanwhile may be left out.
//
// It returns the addresses whose key does not open, is another one, or is not there, and the keys
// without an address. These are not yielded, and the walk goes on. An error of yield ends it.
func (e *Engine) EachKey(ctx context.Context, yield func(wallets.Address, chain.Seed) error) (failed []Unopened, err error) {
	for _, env := range ferry.Envs() {
		unopened, err := addressesWithKeys(e, env).each(ctx, e, yield)
		failed = append(failed, unopened...)
		if err != nil {
			return failed, err
		}
		orphans, err := keysWithAddresses(e, env).each(ctx, e, func(wallets.SealedKey, struct{}) error { return nil })
		failed = append(failed, orphans...)
		if err != nil {
			return failed, err
		}
	}
	return failed, nil
}

// addressesWithKeys opens the key of each address.
func addressesWithKeys(e *Engine, env ferry.Env) pairing[wallets.Address, chain.Seed] {
	return pairing[wallets.Address, chain.Seed]{
		env: env, kind: wallets.AddressKind,
		ahead: func(tx store.Tx, a wallets.Address) { wallets.SealedKeyKind.Prefetch(tx, a.Scope, a.ID) },
		find: func(ctx context.Context, tx store.Tx, a wallets.Address) (chain.Seed, error) {
			return e.Wallets.OpenKeyIn(ctx, tx, a)
		},
	}
}

// keysWithAddresses finds that each key has an address.
func keysWithAddresses(e *Engine, env ferry.Env) pairing[wallets.SealedKey, struct{}] {
	return pairing[wallets.SealedKey, struct{}]{
		env: env, kind: wallets.SealedKeyKind,
		ahead: func(tx store.Tx, k wallets.SealedKey) { wallets.AddressKind.Prefetch(tx, k.Scope, k.ID) },
		find: func(ctx context.Context, tx store.Tx, k wallets.SealedKey) (struct{}, error) {
			return struct{}{}, e.Wallets.CheckHolderIn(ctx, tx, k)
		},
	}
}

// pairing walks the rows of an environment that have the id of an address, and finds what
// belongs to each.
type pairing[R, T any] struct {
	env   ferry.Env
	kind  *records.Kind[wallets.AddressID, R]
	ahead func(store.Tx, R) // before find is called for any row of a page
	find  func(context.Context, store.Tx, R) (T, error)
}

// paired is a row and what belongs to it, or why nothing does.
type paired[R, T any] struct {
	row  R
	with T
	err  error
}

// each yields the rows to which something belongs, and returns the others.
func (p pairing[R, T]) each(ctx context.Context, e *Engine, yield func(R, T) error) (failed []Unopened, err error) {
	for after, more := wallets.AddressID(""), true; more; {
		page, err := ferry.InRead(ctx, e.units.In(p.env), func(ctx context.Context, tx store.Tx) ([]paired[R, T], error) {
			return p.page(ctx, tx, after)
		})
		if err != nil {
			return failed, err
		}
		for _, found := range page {
			after = p.kind.IDOf(found.row)
			if found.err != nil {
				failed = append(failed, Unopened{keyVault.kind, p.kind.Owner(&found.row), string(after), found.err})
			} else if err := yield(found.row, found.with); err != nil {
				return failed, err
			}
		}
		more = len(page) == rewrapPage
	}
	return failed, nil
}

// page returns the rows after an id.
func (p pairing[R, T]) page(ctx context.Context, tx store.Tx, after wallets.AddressID) ([]paired[R, T], error) {
	rows, err := p.kind.After(ctx, tx, records.Where(records.Is("env", p.env)), after, rewrapPage)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		p.ahead(tx, row)
	}
	page := make([]paired[R, T], 0, len(rows))
	for _, row := range rows {
		with, err := p.find(ctx, tx, row)
		if err != nil && !errors.Is(err, seal.ErrTampered) && !errors.Is(err, chain.ErrNoSeed) {
			return nil, err
		}
		page = append(page, paired[R, T]{row, with, err})
	}
	return page, nil
}
