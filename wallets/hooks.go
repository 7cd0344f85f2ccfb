package wallets

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
)

// Hooks are what other domains do in the units of a Service. T is the type of those
// units: as wide as the other domains need it. The functions of a list are called in
// turn; an error of one ends the unit, and nothing of it remains.
type Hooks[T Tx] struct {
	// Customer returns nil when the scope has a customer of that id. Default: no wallet
	// may name one.
	Customer func(ctx context.Context, tx T, scope ferry.Scope, id string) error

	// Seen is called with USDC on its way to an address, in every Sweep until it is final
	// or dropped. Only a chain.Herald reports it.
	Seen []func(ctx context.Context, tx T, to AddressID, in chain.Incoming) error
	// Arrived is called with every credit to an address.
	Arrived []func(ctx context.Context, tx T, to Address, in Transaction, came Coming) error
	// Unsupported is called when another token arrived on an address.
	Unsupported []func(ctx context.Context, tx T, to AddressID) error
	// Succeeded is called with every transfer that succeeded, after its money was booked.
	Succeeded []func(ctx context.Context, tx T, t Transfer) error
	// Failed is called with every transfer that failed, after its money was released.
	Failed []func(ctx context.Context, tx T, t Transfer) error
	// Closing is asked before a wallet closes: an error refuses it.
	Closing []func(ctx context.Context, tx T, w Wallet) error
}

// hooks are Hooks as a Service calls them, in its own units.
type hooks struct {
	customer    func(ctx context.Context, tx Tx, scope ferry.Scope, id string) error
	seen        func(ctx context.Context, tx Tx, to AddressID, in chain.Incoming) error
	arrived     func(ctx context.Context, tx Tx, to Address, in Transaction, came Coming) error
	unsupported func(ctx context.Context, tx Tx, to AddressID) error
	succeeded   func(ctx context.Context, tx Tx, t Transfer) error
	failed      func(ctx context.Context, tx Tx, t Transfer) error
	closing     func(ctx context.Context, tx Tx, w Wallet) error
}

// bound gives every hook the whole of the unit that the service sees less of.
func (h Hooks[T]) bound() hooks {
	b := hooks{
		seen: func(ctx context.Context, tx Tx, to AddressID, in chain.Incoming) error {
			return ferry.CallEach(h.Seen, func(hear func(context.Context, T, AddressID, chain.Incoming) error) error {
				return hear(ctx, ferry.Whole[T](tx), to, in)
			})
		},
		arrived: func(ctx context.Context, tx Tx, to Address, in Transaction, came Coming) error {
			return ferry.CallEach(h.Arrived, func(hear func(context.Context, T, Address, Transaction, Coming) error) error {
				return hear(ctx, ferry.Whole[T](tx), to, in, came)
			})
		},
		unsupported: func(ctx context.Context, tx Tx, to AddressID) error {
			return ferry.CallEach(h.Unsupported, func(hear func(context.Context, T, AddressID) error) error {
				return hear(ctx, ferry.Whole[T](tx), to)
			})
		},
		succeeded: func(ctx context.Context, tx Tx, t Transfer) error {
			return ferry.CallEach(h.Succeeded, func(hear func(context.Context, T, Transfer) error) error {
				return hear(ctx, ferry.Whole[T](tx), t)
			})
		},
		failed: func(ctx context.Context, tx Tx, t Transfer) error {
			return ferry.CallEach(h.Failed, func(hear func(context.Context, T, Transfer) error) error {
				return hear(ctx, ferry.Whole[T](tx), t)
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
