package wallets

import (
	"context"

	"github.com/ferrypay/ferry"
)

// Hooks are what other domains do in the units of a Service. T is the type of those
// units: as wide as the other domains need it. The functions of a list are called in
// turn; an error of one ends the unit, and nothing of it remains.
type Hooks[T Tx] struct {
	// Customer returns nil when the scope has a customer of that id. Default: no wallet
	// may name one.
	Customer func(ctx context.Context, tx T, scope ferry.Scope, id string) error

	// Arrived is called with every credit to an address.
	Arrived []func(ctx context.Context, tx T, to Address, in Transaction, came Coming) error
	// Activated is called with every wallet that may send again.
	Activated []func(ctx context.Context, tx T, w Wallet) error
	// Closing is asked before a wallet closes: an error refuses it.
	Closing []func(ctx context.Context, tx T, w Wallet) error
}

// hooks are Hooks as a Service calls them, in its own units.
type hooks struct {
	customer  func(ctx context.Context, tx Tx, scope ferry.Scope, id string) error
	arrived   func(ctx context.Context, tx Tx, to Address, in Transaction, came Coming) error
	activated func(ctx context.Context, tx Tx, w Wallet) error
	closing   func(ctx context.Context, tx Tx, w Wallet) error
}

// bound gives every hook the whole of the unit that the service sees less of.
func (h Hooks[T]) bound() hooks {
	b := hooks{
		arrived: func(ctx context.Context, tx Tx, to Address, in Transaction, came Coming) error {
			return ferry.CallEach(h.Arrived, func(hear func(context.Context, T, Address, Transaction, Coming) error) error {
				return hear(ctx, ferry.Whole[T](tx), to, in, came)
			})
		},
		activated: func(ctx context.Context, tx Tx, w Wallet) error {
			return ferry.CallEach(h.Activated, func(hear func(context.Context, T, Wallet) error) error {
				return hear(ctx, ferry.Whole[T](tx), w)
			})
		},
		closing: func(ctx context.Context, tx Tx, w Wallet) error {
			return ferry.CallEach(h.Closing, func(ask func(context.Context, T, Wallet) error) error {
				return ask(ctx, ferry.Whole[T](tx), w)
			})
		},
	}
	if h.Customer != nil {
		b.customer = func(ctx context.Context, tx Tx, scope ferry.Scope, id string) error {
			return h.Customer(ctx, ferry.Whole[T](tx), scope, id)
		}
	}
	return b
}
