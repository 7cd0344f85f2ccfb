package solana

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	sol "github.com/gagliardetto/solana-go"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
)

// Cluster is a chain with one USDC mint.
type Cluster struct {
	// Genesis is the hash of its first block. Empty: any chain but mainnet.
	Genesis string
	// Mint is its USDC.
	Mint chain.Address
	// Explorer is the query of its pages on explorer.solana.com, such as "cluster=devnet".
	Explorer string
}

// Mainnet and Devnet are the clusters on which Circle issues USDC.
var (
	Mainnet = Cluster{
		Genesis: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
		Mint:    "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
	}
	Devnet = Cluster{
		Genesis:  "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
		Mint:     "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
		Explorer: "cluster=devnet",
	}
)

// Config says which chain a Chain speaks to, and what it may spend.
type Config struct {
	// Cluster is the chain that the nodes must serve.
	Cluster Cluster
	// Endpoints are the URLs of nodes, the preferred one first. At least one is needed. With
	// two or more, no payment is called dead or failed on the word of one alone, and what one says
	// landed counts only when no other one that answers contradicts.
	// A URL may hold a key: no error and no log shows more than its host.
	Endpoints []string
	// FeePayer pays all fees and rents in SOL. It never holds USDC.
	FeePayer chain.Seed
	// Fees bounds what the fee payer spends.
	Fees Fees
	// OtherMints are tokens that are watched beside USDC, so that their arrival is noted and
	// not credited. Each costs as many calls as USDC itself. Entries may be appended; cursors
	// name them by their place.
	OtherMints []chain.Address
	// Timeout bounds one call of a node. Default: 15 s.
	Timeout time.Duration
	// Transport carries the calls. Default: http.DefaultTransport.
	Transport http.RoundTripper
	// Clock times what the fee payer spends a day, and how long a node that is busy rests.
	// Default: the clock of the machine.
	Clock ferry.Clock
	// Logger is told when the fee payer runs low, when nodes contradict each other, and when a
	// node stops answering or answers again.
	// Default: nothing is logged.
	Logger *slog.Logger
}

// Fees bounds what the fee payer spends, in lamports (a billionth of a SOL).
type Fees struct {
	// Price is the highest priority fee, in millionths of a lamport a compute unit. The fee
	// that is offered is what others paid lately, up to this. Default: 200,000.
	Price uint64
	// Day is the most that one process signs away in a day (UTC): fees at their most, and rent
	// for the token accounts of receivers. Default: 1 SOL.
	Day uint64
	// Low is the balance of the fee payer below which each signature is accompanied by a
	// warning. Default: 0.1 SOL.
	Low uint64
	// NoRent refuses receivers that have no token account for USDC yet, because opening one
	// costs the fee payer about 0.002 SOL, which the receiver can take by closing it.
	NoRent bool
}

func (c Config) withDefaults() Config {
	c.Fees.Price = cmp.Or(c.Fees.Price, 200_000)
	c.Fees.Day = cmp.Or(c.Fees.Day, sol.LAMPORTS_PER_SOL)
	c.Fees.Low = cmp.Or(c.Fees.Low, sol.LAMPORTS_PER_SOL/10)
	c.Timeout = cmp.Or(c.Timeout, 15*time.Second)
	if c.Transport == nil {
		c.Transport = http.DefaultTransport
	}
	if c.Clock == nil {
		c.Clock = ferry.SystemClock{}
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

// check refuses a configuration that cannot work. It names the field.
func (c Config) check() error {
	if len(c.Endpoints) == 0 {
		return errors.New("solana: Endpoints: no node is named")
	}
	for i, text := range c.Endpoints {
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return fmt.Errorf("solana: Endpoints[%d]: not the URL of a node (http or https)", i)
		}
		if slices.Contains(c.Endpoints[:i], text) {
			return fmt.Errorf("solana: Endpoints[%d]: named twice, and would vouch for itself", i)
		}
	}
	if c.FeePayer.Address() == "" {
		return errors.New("solana: FeePayer: no seed is given")
	}
	for i, mint := range append([]chain.Address{c.Cluster.Mint}, c.OtherMints...) {
		if _, err := sol.PublicKeyFromBase58(string(mint)); err != nil {
			return fmt.Errorf("solana: mint %d (Cluster.Mint is 0, then OtherMints): not an address", i)
		}
	}
	return nil
}
