//go:build localnet

package solana_test

import (
	"context"
	"sync/atomic"
	"testing"

	sol "github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/chaintest"
	"github.com/ferrypay/ferry/provider/chain/solana"
	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

func TestTheContractOnALocalnet(t *testing.T) {
	chaintest.Run(t, func(t *testing.T) chaintest.Subject { return newSubject(t) })
}

// subject is a Chain on a localnet that stands still between the steps of a test.
type subject struct {
	t     *testing.T
	node  *localnet.Node
	chain *solana.Chain
	other string // a mint that looks like USDC
	scans bool   // whether it reads blocks

	// What goes wrong: after how many blockhashes their blocks are lost, and during how many
	// calls the node lags.
	afterBlockhash, lagging atomic.Int64
	lags                    int
}

func newSubject(t *testing.T) *subject {
	node := localnet.Start(t, localnet.Options{Frozen: true})
	other := node.NewMint(localnet.TokenProgram, 6)
	s := &subject{t: t, node: node, other: other}
	config := configOn(t, node)
	config.OtherMints = []chain.Address{chain.Address(other)}
	config.Transport = forking{s}
	s.chain = open(t, node, config)
	return s
}

func TestTheContractOfAChainThatReadsBlocks(t *testing.T) {
	chaintest.Run(t, func(t *testing.T) chaintest.Subject {
		s := newSubject(t)
		s.scans = true
		return s
	})
}

// configOn is a configuration for some nodes of one localnet.
func configOn(t testing.TB, nodes ...*localnet.Node) solana.Config {
	config := solana.Config{Cluster: solana.Cluster{Mint: localnet.USDC, Explorer: "cluster=custom"}, FeePayer: seed(t), Logger: secrets.debug()}
	for _, n := range nodes {
		config.Endpoints = append(config.Endpoints, n.URL+"/?api-key="+keyOfANode)
	}
	return config
}

// open returns a Chain whose fee payer has 10 SOL.
func open(t testing.TB, node *localnet.Node, config solana.Config) *solana.Chain {
	node.Airdrop(string(config.FeePayer.Address()), 10*sol.LAMPORTS_PER_SOL)
	node.Settle()
	c, err := solana.Open(t.Context(), config)
	require.NoError(t, err)
	return c
}

func (s *subject) Chain() chain.Chain {
	if s.scans {
		return reporting{lagging{s}, solana.Scanning(s.chain)}
	}
	return lagging{s}
}

func (s *subject) Deposit(_ context.Context, to chain.Address, amount money.Amount) (chain.Signature, error) {
	return chain.Signature(s.node.MintUSDC(string(to), uint64(amount.Minor())).Signature), nil
}

func (s *subject) DepositOther(_ context.Context, to chain.Address, units int64) (chain.Signature, chain.Address, error) {
	return chain.Signature(s.node.Mint(s.other, string(to), uint64(units)).Signature), chain.Address(s.other), nil
}

func (s *subject) TokenAccount(_ context.Context, owner, mint chain.Address) (chain.Address, error) {
	account, _, err := sol.FindAssociatedTokenAddress(sol.MustPublicKeyFromBase58(string(owner)), sol.MustPublicKeyFromBase58(string(mint)))
	return chain.Address(account.String()), err
}

func (s *subject) Landmarks(context.Context) (chaintest.Landmarks, error) {
	return chaintest.Landmarks{Mint: localnet.USDC, FeePayer: s.chain.FeePayer(), Program: chain.Address(sol.TokenProgramID.String())}, nil
}

func (s *subject) Pass(_ context.Context, blocks int) error {
	s.node.Produce(blocks)
	return nil
}
