//go:build localnet

package main

import (
	"bufio"
	"io"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

func TestTheTransferIsPaidOnTheChainAndTheBooksAgree(t *testing.T) {
	n := localnet.Start(t, localnet.Options{})
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := run(t.Context(), in, n.URL, "")
		_ = in.Close()
		ended <- err
	}()
	said := bufio.NewScanner(out)
	next := func(want string) string {
		t.Helper()
		require.True(t, said.Scan(), "it said no more than %q", said.Text())
		require.Regexp(t, want, said.Text())
		return regexp.MustCompile(`\S+$`).FindString(said.Text())
	}
	n.Airdrop(next(`^send SOL to the fee payer`), 1_000_000_000)
	n.MintUSDC(next(`^send at least 1 USDC`), 2_000_000)
	next(`^to the second wallet: success$`)
	next(`^to the outside: success https://explorer\.solana\.com/tx/\w+\?cluster=custom`)
	next(`^on the chain: 1\.5 USDC, in the books: 1\.5 USDC$`)
	require.False(t, said.Scan())
	require.NoError(t, <-ended)
}
