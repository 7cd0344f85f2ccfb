package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana"
)

// chainsConfig is the chains of the environments. Without one, test runs on the simulated chain,
// and live has none.
type chainsConfig struct {
	Test *chainConfig `json:"test,omitempty"`
	Live *chainConfig `json:"live,omitempty"`
}

// chainConfig is a Solana cluster as the nodes serve it.
type chainConfig struct {
	Cluster clusterName `json:"cluster"`
	// Genesis and Mint are for a custom cluster.
	Genesis string        `json:"genesis,omitempty"`
	Mint    chain.Address `json:"mint,omitempty"`
	// Endpoints are the nodes; EndpointsFile and EndpointsEnv name a file or a variable of the
	// environment that lists them instead. One of the three.
	Endpoints     []nodeURL `json:"endpoints,omitempty"`
	EndpointsFile string    `json:"endpoints_file,omitempty"`
	EndpointsEnv  string    `json:"endpoints_env,omitempty"`
	// FeePayerFile and FeePayerEnv name where the seed is that pays the fees. One of the two.
	FeePayerFile string `json:"fee_payer_file,omitempty"`
	FeePayerEnv  string `json:"fee_payer_env,omitempty"`

	Fees       chainFees       `json:"fees,omitzero"`
	OtherMints []chain.Address `json:"other_mints,omitempty"`
}

// chainFees bounds what the fee payer spends, in lamports. Zero is the default of solana.Fees.
type chainFees struct {
	Price  uint64 `json:"price,omitempty"`
	Day    uint64 `json:"day,omitempty"`
	Low    uint64 `json:"low,omitempty"`
	NoRent bool   `json:"no_rent,omitempty"`
}

// clusterName is the name of a cluster in a configuration.
type clusterName string

const (
	mainnet clusterName = "mainnet"
	devnet  clusterName = "devnet"
	custom  clusterName = "custom"
)

var (
	errFreeMoney  = errors.New("live money needs mainnet or custom: everybody gets USDC of devnet for nothing")
	errRealMoney  = errors.New("the test environment never runs on mainnet")
	errNoRatesYet = errors.New("fees of checkout and payment_link are counted in naira, and this server has no live rates: leave them out, or chain.live")
)

// in returns the chain of an environment, or nil.
func (c chainsConfig) in(env ferry.Env) *chainConfig {
	if env == ferry.Live {
		return c.Live
	}
	return c.Test
}

// all yields the environments that have a chain.
func (c chainsConfig) all() iter.Seq2[ferry.Env, *chainConfig] {
	return func(yield func(ferry.Env, *chainConfig) bool) {
		for _, env := range environments {
			if given := c.in(env); given != nil && !yield(env, given) {
				return
			}
		}
	}
}

// hasSecret reports whether a URL of a node may hold a key.
func (c chainsConfig) hasSecret() bool {
	for _, given := range c.all() {
		if slices.ContainsFunc(given.Endpoints, nodeURL.hasSecret) {
			return true
		}
	}
	return false
}

// check refuses chains that cannot be opened.
func (c chainsConfig) check() error {
	for env, given := range c.all() {
		if err := given.check(env); err != nil {
			return fmt.Errorf("chain.%s.%w", env, err)
		}
	}
	return nil
}

func (c chainConfig) check(env ferry.Env) error {
	if err := c.checkCluster(env); err != nil {
		return err
	}
	if err := oneOf("endpoints, endpoints_file and endpoints_env", strings.Join(texts(c.Endpoints), " "), c.EndpointsFile, c.EndpointsEnv); err != nil {
		return err
	}
	for i, n := range c.Endpoints {
		if err := checkNode(env, n); err != nil {
			return fmt.Errorf("endpoints.%d: %w", i, err)
		}
	}
	for i, mint := range c.OtherMints {
		if _, err := chain.ParseAddress(string(mint)); err != nil {
			return fmt.Errorf("other_mints.%d: must be the address of a mint", i)
		}
	}
	return oneOf("fee_payer_file and fee_payer_env", c.FeePayerFile, c.FeePayerEnv)
}

func (c chainConfig) checkCluster(env ferry.Env) error {
	named := c.Cluster == mainnet || c.Cluster == devnet
	_, err := chain.ParseAddress(string(c.Mint))
	switch {
	case !named && c.Cluster != custom:
		return errors.New("cluster: must be mainnet, devnet or custom")
	case named && (c.Genesis != "" || c.Mint != ""):
		return errors.New("genesis and mint are for cluster custom: those of " + string(c.Cluster) + " are known")
	case !named && c.Genesis == "":
		return errors.New("genesis is missing: the hash that the cluster's getGenesisHash answers")
	case !named && err != nil:
		return errors.New("mint: must be the address of the USDC of the cluster")
	case env == ferry.Live && c.cluster().Genesis == solana.Devnet.Genesis:
		return fmt.Errorf("cluster: %w", errFreeMoney)
	case env == ferry.Test && c.cluster().Genesis == solana.Mainnet.Genesis:
		return fmt.Errorf("cluster: %w", errRealMoney)
	}
	return nil
}

func checkNode(env ferry.Env, n nodeURL) error {
	if env == ferry.Live {
		return n.checkLive()
	}
	return n.check()
}

// cluster is the configured cluster as the adapter takes it.
func (c chainConfig) cluster() solana.Cluster {
	switch c.Cluster {
	case mainnet:
		return solana.Mainnet
	case devnet:
		return solana.Devnet
	}
	return solana.Cluster{Genesis: c.Genesis, Mint: c.Mint}
}

// nodes are the configured nodes, wherever they are listed.
func (c chainConfig) nodes(env ferry.Env) ([]nodeURL, error) {
	if len(c.Endpoints) > 0 {
		return c.Endpoints, nil
	}
	place, text := "endpoints_env: the variable "+c.EndpointsEnv, os.Getenv(c.EndpointsEnv)
	if c.EndpointsFile != "" {
		listed, err := readPrivate(c.EndpointsFile)
		if err != nil {
			return nil, fmt.Errorf("endpoints_file: %w", err)
		}
		place, text = "endpoints_file: "+c.EndpointsFile, string(listed)
	}
	var nodes []nodeURL
	for _, word := range strings.Fields(text) {
		n := nodeURL(word)
		if err := checkNode(env, n); err != nil {
			return nil, fmt.Errorf("%s: %q %w", place, n.String(), err)
		}
		nodes = append(nodes, n)
	}
	if nodes == nil {
		return nil, fmt.Errorf("%s lists no node", place)
	}
	return nodes, nil
}

// feePayer is the seed that pays the fees.
func (c chainConfig) feePayer() (chain.Seed, error) {
	if c.FeePayerFile != "" {
		seed, err := readSeed(c.FeePayerFile)
		if err != nil {
			err = fmt.Errorf("fee_payer_file: %w", err)
		}
		return seed, err
	}
	return parseSeed(os.Getenv(c.FeePayerEnv), "fee_payer_env: the variable "+c.FeePayerEnv)
}

// adapter is the configuration of the adapter. Its errors name the field.
func (c chainConfig) adapter(env ferry.Env, logger *slog.Logger) (solana.Config, error) {
	nodes, err := c.nodes(env)
	if err != nil {
		return solana.Config{}, err
	}
	seed, err := c.feePayer()
	if err != nil {
		return solana.Config{}, err
	}
	cluster := c.cluster()
	cluster.Explorer = explorerOf(cluster.Genesis, nodes[0])
	return solana.Config{
		Cluster: cluster, Endpoints: texts(nodes), FeePayer: seed,
		Fees: solana.Fees(c.Fees), OtherMints: c.OtherMints, Logger: logger,
	}, nil
}

// open returns the chain after its nodes have said that they serve it.
func (c chainConfig) open(ctx context.Context, env ferry.Env, logger *slog.Logger) (*solana.Chain, error) {
	config, err := c.adapter(env, logger)
	if err != nil {
		return nil, fmt.Errorf("chain.%s.%w", env, err)
	}
	opened, err := solana.Open(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("chain.%s: %w", env, err)
	}
	return opened, nil
}
