package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
)

// recordedChain stands for the chain of a store in commands that look at the store only. So an
// operator can stop what leaves, and recount the books, while no node answers. It says which
// chain it stands for, and answers nothing else.
type recordedChain struct{ genesis string }

var _ chain.Chain = recordedChain{}

var errNotAsked = fmt.Errorf("%w: this command does not speak to the chain", chain.ErrUnavailable)

// recorded returns what stands for the real chain on which an environment of a store runs, or nil.
func recorded(ctx context.Context, s store.Backend, env ferry.Env) (chain.Chain, error) {
	genesis, err := recordedGenesis(ctx, s, env)
	if err != nil || genesis == "" {
		return nil, err
	}
	return recordedChain{genesis}, nil
}

// recordedGenesis is that of the real chain on which an environment of a store runs, or empty.
func recordedGenesis(ctx context.Context, s store.Backend, env ferry.Env) (string, error) {
	name, known, err := engine.ChainOf(ctx, s, env)
	if err != nil || !known || name == engine.Simulated {
		return "", err
	}
	return name, nil
}

func (c recordedChain) Genesis(context.Context) (string, error) { return c.genesis, nil }

func (recordedChain) Inspect(context.Context, chain.Address) (chain.Destination, error) {
	return chain.Destination{}, errNotAsked
}

func (recordedChain) MaxMemo(int) int { return -1 }

func (recordedChain) Sign(context.Context, chain.Transfer, chain.Keyring) (chain.Signed, error) {
	return chain.Signed{}, errNotAsked
}

func (recordedChain) Send(context.Context, []byte) error { return errNotAsked }

func (recordedChain) Statuses(context.Context, []chain.Signature) (chain.StatusReport, error) {
	return chain.StatusReport{}, errNotAsked
}

func (recordedChain) ChangeTokens(context.Context, []chain.Address) ([]chain.ChangeToken, error) {
	return nil, errNotAsked
}

func (recordedChain) History(context.Context, chain.Address, chain.Cursor, int) ([]chain.Movement, error) {
	return nil, errNotAsked
}

func (recordedChain) Sent(context.Context, chain.Cursor, int) ([]chain.Payment, error) {
	return nil, errNotAsked
}

func (recordedChain) Holdings(context.Context, []chain.Address) (chain.Holdings, error) {
	return chain.Holdings{}, errNotAsked
}

func (recordedChain) ExplorerURL(chain.Signature) string { return "" }

// errNameChain is about commands that speak to the chain of a store.
var errNameChain = errors.New("this command asks the chain: name its nodes with --chain solana:URL (FERRY_CHAIN) for a store of ferry dev, or with --config for one of ferry serve")

// orNameChain says how to name the chain that a store needs.
func orNameChain(err error) error {
	if errors.Is(err, engine.ErrOtherChain) {
		return fmt.Errorf("%w; %w", err, errNameChain)
	}
	return err
}
