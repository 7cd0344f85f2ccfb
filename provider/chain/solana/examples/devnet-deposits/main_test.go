//go:build localnet

package main

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

func TestEachDepositIsToldOnceWithItsWallet(t *testing.T) {
	n := localnet.Start(t, localnet.Options{})
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, in, n.URL, 2)
		_ = in.Close()
		ended <- err
	}()
	said := bufio.NewScanner(out)
	next := func() string {
		t.Helper()
		require.True(t, said.Scan())
		return said.Text()
	}
	_, one, _ := strings.Cut(next(), " is at ")
	_, two, _ := strings.Cut(next(), " is at ")
	require.Equal(t, "send USDC, of the mint "+localnet.USDC, next())
	first := n.MintUSDC(two, 2_500_000).Signature
	require.Contains(t, next(), "wallet-2 got 2.5 USDC by "+first)
	second := n.MintUSDC(one, 1_000_000).Signature
	require.Contains(t, next(), "wallet-1 got 1 USDC by "+second)
	stop()
	require.False(t, said.Scan(), "said %q", said.Text())
	require.NoError(t, <-ended)
}
