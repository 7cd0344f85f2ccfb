package solana

import (
	"context"
	"errors"

	sol "github.com/gagliardetto/solana-go"

	"github.com/ferrypay/ferry/provider/chain"
)

// Chain is USDC on a Solana cluster. It is safe for concurrent use.
type Chain struct {
	config Config
	nodes  []*node
	// mints are those whose token accounts are watched: that of USDC first.
	mints    []sol.PublicKey
	feePayer sol.PublicKey
	prices   prices
	rents    rents
	spent    spent
	// times are those of final blocks by their slots, seen are finalized transactions, and lists
	// says how far the lists of accounts were read.
	times memory[uint64, sol.UnixTimeSeconds]
	seen  memory[sol.Signature, *landing]
	lists memory[place, backlog]
}

var (
	_ chain.Chain           = (*Chain)(nil)
	_ chain.Minted          = (*Chain)(nil)
	_ chain.PendingReporter = (*Chain)(nil)
)

// ErrOtherChain refuses nodes that serve another chain than the configuration says.
var ErrOtherChain = errors.New("solana: the node serves another chain")

// Open returns a Chain after its nodes have said that they serve the configured chain. One that
// does not answer now is asked before it is used. At least one must answer when the configuration
// names no genesis. Errors: ErrOtherChain, chain.ErrUnavailable.
func Open(ctx context.Context, config Config) (*Chain, error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	config = config.withDefaults()
	c := &Chain{config: config, nodes: nodesOf(config)}
	for _, mint := range append([]chain.Address{config.Cluster.Mint}, config.OtherMints...) {
		c.mints = append(c.mints, sol.MustPublicKeyFromBase58(string(mint)))
	}
	c.feePayer = sol.MustPublicKeyFromBase58(string(config.FeePayer.Address()))
	_, failures := askAll(ctx, c, func(ctx context.Context, n *node) (struct{}, error) { return struct{}{}, n.identify(ctx) })
	for i, err := range failures {
		switch {
		case errors.Is(err, ErrOtherChain):
			return nil, err
		case err != nil && ctx.Err() == nil:
			c.nodes[i].health.missing(ctx, c.config.Clock.Now(), err)
		}
	}
	_, err := c.Genesis(ctx)
	return c, err
}

// FeePayer is the address that pays all fees in SOL.
func (c *Chain) FeePayer() chain.Address { return chain.Address(c.feePayer.String()) }

// Mint is that of USDC.
func (c *Chain) Mint() chain.Address { return c.config.Cluster.Mint }

// usdc is the mint of USDC.
func (c *Chain) usdc() sol.PublicKey { return c.mints[0] }

// Genesis is the hash of the first block. Where the configuration names it, no node is asked: none
// is used before it has said that it has this one.
func (c *Chain) Genesis(ctx context.Context) (string, error) {
	if c.config.Cluster.Genesis != "" {
		return c.config.Cluster.Genesis, nil
	}
	hash, err := ask(ctx, c, genesisOf)
	return hash.String(), err
}

// ExplorerURL is a page of explorer.solana.com.
func (c *Chain) ExplorerURL(s chain.Signature) string {
	page := "https://explorer.solana.com/tx/" + string(s)
	if c.config.Cluster.Explorer != "" {
		page += "?" + c.config.Cluster.Explorer
	}
	return page
}
