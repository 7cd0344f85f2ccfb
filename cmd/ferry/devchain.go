package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/url"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/settings"
	"github.com/ferrypay/ferry/store"
)

// devChain is the real chain of a sandbox.
type devChain struct {
	*solana.Chain
	cluster solana.Cluster
	nodes   []nodeURL
}

// openDevChain opens the chain of some nodes, whichever it is, unless it is mainnet. A chain that
// is not devnet has its USDC at the address of devnet's, as the localnet has. known is the genesis
// of the chain of the store, or empty: with it the nodes need not answer now.
func openDevChain(ctx context.Context, a chainAddress, feePayer chain.Seed, known string, logger *slog.Logger) (*devChain, error) {
	nodes := a.nodes()
	config := solana.Config{
		Cluster: solana.Cluster{Mint: solana.Devnet.Mint, Genesis: known}, Endpoints: texts(nodes), FeePayer: feePayer, Logger: logger,
	}
	if known == "" {
		genesis, err := askGenesis(ctx, config)
		if err != nil {
			return nil, chainFlag(err)
		}
		config.Cluster.Genesis = genesis
	}
	config.Cluster.Explorer = explorerOf(config.Cluster.Genesis, nodes[0])
	opened, err := solana.Open(ctx, config)
	if known != "" && errors.Is(err, solana.ErrOtherChain) {
		err = orOtherChain(fmt.Errorf("%w: %w", engine.ErrOtherChain, err))
	}
	if err != nil {
		return nil, chainFlag(err)
	}
	return &devChain{opened, config.Cluster, nodes}, nil
}

// askGenesis asks the first node which chain it serves.
func askGenesis(ctx context.Context, config solana.Config) (string, error) {
	config.Endpoints = config.Endpoints[:1]
	first, err := solana.Open(ctx, config)
	if err != nil {
		return "", err
	}
	return first.Genesis(ctx)
}

// explorerOf is the query of explorer.solana.com for a chain of that genesis. A chain of one's own
// is told a node. Answers of the API show it, so only one whose URL can hold no key of somebody.
func explorerOf(genesis string, n nodeURL) string {
	for _, known := range []solana.Cluster{solana.Mainnet, solana.Devnet} {
		if genesis == known.Genesis {
			return known.Explorer
		}
	}
	if !n.loopback() {
		return "cluster=custom"
	}
	return "cluster=custom&customUrl=" + url.QueryEscape(n.String())
}

// devnet reports whether the chain is devnet.
func (d *devChain) devnet() bool { return d.cluster.Genesis == solana.Devnet.Genesis }

// feePayers keeps the seed of the fee payer in a setting of the store, sealed, beside the
// credentials of the demo business. It pays the fees of each start on the store.
type feePayers struct {
	store  store.Backend
	sealer seal.Sealer
}

const feePayerName = "dev/fee-payer"

var feePayerContext = seal.Context{Purpose: "dev.fee_payer", Env: string(ferry.Test), Version: 1}

var errOtherFeePayer = errors.New("--fee-payer (FERRY_FEE_PAYER): this store has another fee payer, whose payments it knows: leave it out, or begin with an empty store")

// seed returns the seed that the store keeps. When it keeps none, it keeps the given one, or else
// a fresh one. Of several starts at once, the first decides.
func (f feePayers) seed(ctx context.Context, given chain.Seed) (kept chain.Seed, err error) {
	fresh := given
	if given.Address() == "" {
		if fresh, err = chain.NewSeed(rand.Reader); err != nil {
			return chain.Seed{}, err
		}
	}
	sealed, err := fresh.Seal(func(plain []byte) ([]byte, error) { return f.sealer.Seal(plain, feePayerContext) })
	if err != nil {
		return chain.Seed{}, err
	}
	err = f.store.Write(ctx, func(ctx context.Context, tx store.Ports) (err error) {
		var found bool
		if kept, found, err = f.read(ctx, tx); err != nil || found {
			return err
		}
		kept = fresh
		return settings.Set(ctx, tx, feePayerName, sealed)
	})
	if err == nil && given.Address() != "" && given.Address() != kept.Address() {
		err = errOtherFeePayer
	}
	return kept, err
}

// genesis is that of the store's real chain, or empty.
func (f feePayers) genesis(ctx context.Context) (string, error) {
	return recordedGenesis(ctx, f.store, ferry.Test)
}

// find returns the seed that the store keeps, if any.
func (f feePayers) find(ctx context.Context) (kept chain.Seed, found bool, err error) {
	err = f.store.Read(ctx, func(ctx context.Context, tx store.Ports) (err error) {
		kept, found, err = f.read(ctx, tx)
		return err
	})
	return kept, found, err
}

func (f feePayers) read(ctx context.Context, tx store.Ports) (chain.Seed, bool, error) {
	sealed, found, err := settings.Get(ctx, tx, feePayerName)
	if err != nil || !found {
		return chain.Seed{}, false, err
	}
	plain, err := f.sealer.Open(sealed, feePayerContext)
	if err != nil {
		return chain.Seed{}, false, fmt.Errorf("the fee payer: %w", err)
	}
	defer clear(plain)
	seed, err := chain.OpenSeed(plain)
	return seed, err == nil, err
}

// givenFeePayer is the seed that a flag names, or none.
func (c devCommand) givenFeePayer() (chain.Seed, error) {
	if c.FeePayer == "" {
		return chain.Seed{}, nil
	}
	seed, err := readSeed(c.FeePayer)
	if err != nil {
		err = fmt.Errorf("--fee-payer (FERRY_FEE_PAYER): %w", err)
	}
	return seed, err
}

// keptChain is what a store keeps of its real chain.
type keptChain interface {
	// seed is that of the fee payer, and the given one if there is none.
	seed(ctx context.Context, given chain.Seed) (chain.Seed, error)
	// genesis is that of the chain, or empty.
	genesis(context.Context) (string, error)
}

// openChain opens the real chain that the flags ask for, or returns nil.
func (c devCommand) openChain(ctx context.Context, kept keptChain, logger *slog.Logger) (*devChain, error) {
	if c.Chain.simulated() {
		return nil, nil
	}
	given, err := c.givenFeePayer()
	if err != nil {
		return nil, err
	}
	seed, err := kept.seed(ctx, given)
	if err != nil {
		return nil, err
	}
	known, err := kept.genesis(ctx)
	if err != nil {
		return nil, err
	}
	return openDevChain(ctx, c.Chain, seed, known, logger)
}

// nothingKept is what a store in memory keeps of a chain.
type nothingKept struct{}

func (nothingKept) genesis(context.Context) (string, error) { return "", nil }

func (nothingKept) seed(_ context.Context, given chain.Seed) (chain.Seed, error) {
	if given.Address() != "" {
		return given, nil
	}
	return chain.NewSeed(rand.Reader)
}
