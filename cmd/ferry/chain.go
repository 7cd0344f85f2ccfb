package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana"
)

type chainCommand struct {
	Keygen chainKeygenCommand `cmd:"" help:"Make the key of a fee payer, or derive it from a mnemonic, in a new file, and print its address."`
	Check  chainCheckCommand  `cmd:"" help:"Ask each node of a configuration how it does and which chain it serves, and what the fee payers have."`
}

type chainKeygenCommand struct {
	Out string `required:"" help:"The new file. Only its owner may read it." placeholder:"FILE"`

	mnemonicChoice
}

// feePayerView is a new fee payer, as it is printed.
type feePayerView struct {
	Address chain.Address `json:"address"`
	File    string        `json:"file"`
}

// Run makes a seed, or derives one from a mnemonic, and prints the address that belongs to it.
func (c chainKeygenCommand) Run() error {
	seed, err := c.write()
	if err != nil {
		return err
	}
	return printJSON(os.Stdout, feePayerView{seed.Address(), c.Out})
}

func (c chainKeygenCommand) write() (chain.Seed, error) {
	if err := c.check(); err != nil {
		return chain.Seed{}, err
	}
	if c.FromMnemonic == "" {
		return createSeed(c.Out)
	}
	seed, err := c.seed(os.Stdin)
	if err != nil {
		return chain.Seed{}, err
	}
	return seed, writeSeed(c.Out, seed)
}

// inSOL writes lamports in full units.
func inSOL(lamports uint64) string {
	const perSOL = 1_000_000_000
	if lamports%perSOL == 0 {
		return strconv.FormatUint(lamports/perSOL, 10)
	}
	return fmt.Sprintf("%d.%09d", lamports/perSOL, lamports%perSOL)
}

// providers are those of the test environment of a sandbox.
func (d *devChain) providers() engine.Providers {
	if d == nil {
		return engine.Providers{}
	}
	return engine.Providers{Chain: d.Chain}
}

// real is the chain as that of the test environment, or none on the simulated one.
func (d *devChain) real() realChains {
	if d == nil {
		return nil
	}
	return realChains{ferry.Test: d.Chain}
}

// payer is the address that pays the fees, or empty on the simulated chain.
func (d *devChain) payer() chain.Address {
	if d == nil {
		return ""
	}
	return d.FeePayer()
}

const funding = `  Chain           Solana, %[1]s: %[2]d node(s), genesis %[3]s
  USDC            mint %[4]s
  Fee payer       %[5]s has %[6]s SOL

  The fee payer pays the fees of all transfers. Send it SOL:

    %[7]s

  USDC come to the addresses of wallets%[8]s.
  Those of onramps are sent from %[9]s: send some there.
  Test helpers send none, and this sandbox cannot be reset.

`

// printFunding tells a person how to bring SOL and USDC to a sandbox on a real chain.
func (d *devChain) printFunding(ctx context.Context, w io.Writer, inventory chain.Address) error {
	if d == nil {
		return nil
	}
	has := "an unknown amount of"
	if lamports, err := d.FeePayerBalance(ctx); err == nil {
		has = inSOL(lamports)
	}
	name, airdrop, usdc := "a chain of your own", "solana airdrop 2 "+string(d.FeePayer())+" --url "+d.nodes[0].String(), ""
	if d.devnet() {
		name = "devnet"
		airdrop = "solana airdrop 2 " + string(d.FeePayer()) + " --url devnet\n    or at https://faucet.solana.com"
		usdc = " from https://faucet.circle.com"
	}
	_, err := fmt.Fprintf(w, funding, name, len(d.nodes), d.cluster.Genesis, solana.Devnet.Mint, d.FeePayer(), has, airdrop, usdc, inventory)
	return err
}

// inventory is the address from which the USDC of onramps are sent on a real chain. That of the
// simulated one is funded by itself.
func (d demo) inventory(ctx context.Context) (chain.Address, error) {
	if d.chain == nil {
		return "", nil
	}
	return d.engine.Onramps.Inventory(ctx, ferry.Test)
}
