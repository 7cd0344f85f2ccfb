//go:build localnet

package localnet_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

// run starts the program as a shell would. It returns its first line, what follows, and
// its standard input.
func run(t *testing.T, args ...string) (*exec.Cmd, []byte, *bufio.Reader, io.Closer) {
	t.Helper()
	cmd := exec.Command("node", append([]string{"node/main.js"}, args...)...)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	lines := bufio.NewReader(out)
	first, err := lines.ReadBytes('\n')
	require.NoError(t, err)
	return cmd, first, lines, in
}

func TestTheFirstLineIsJSONAndMeansReady(t *testing.T) {
	began := time.Now()
	_, line, _, _ := run(t)
	t.Log("ready after", time.Since(began))
	var ready struct{ URL, GenesisHash, USDC, Faucet string }
	require.NoError(t, json.Unmarshal(line, &ready))
	require.Regexp(t, `^http://127\.0\.0\.1:[1-9]\d+$`, ready.URL, "port 0 picks a free port")
	genesis, err := rpc.New(ready.URL).GetGenesisHash(t.Context())
	require.NoError(t, err)
	require.Equal(t, ready.GenesisHash, genesis.String())
	require.Equal(t, localnet.USDC, ready.USDC)
	require.True(t, solana.MustPublicKeyFromBase58(ready.Faucet).IsOnCurve())
}

func TestTheProgramEndsWhenItsStandardInputEnds(t *testing.T) {
	cmd, line, _, in := run(t)
	var ready struct{ URL string }
	require.NoError(t, json.Unmarshal(line, &ready))
	require.NoError(t, in.Close())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(5 * time.Second):
		require.Fail(t, "it outlives who started it")
	}
	_, err := http.Get(ready.URL)
	require.Error(t, err)
}

func TestByHandItSaysHowToAirdrop(t *testing.T) {
	_, line, rest, in := run(t, "--explain")
	var ready struct{ URL string }
	require.NoError(t, json.Unmarshal(line, &ready))
	require.NoError(t, in.Close())
	text, err := io.ReadAll(rest)
	require.NoError(t, err)
	require.Contains(t, string(text), "curl -s "+ready.URL)
	require.Contains(t, string(text), "requestAirdrop")
	require.Contains(t, string(text), strings.Replace(ready.URL, "http", "ws", 1))
}

func TestTestsDoNotSeeEachOthersChain(t *testing.T) {
	var urls []string
	owner := key(t).PublicKey()
	for range 2 {
		t.Run("", func(t *testing.T) {
			w := frozen(t)
			require.NotContains(t, urls, w.URL, "a call that comes late meets nobody")
			urls = append(urls, w.URL)
			require.Zero(t, w.balance(owner, rpc.CommitmentProcessed))
			w.Airdrop(owner.String(), sol)
			w.Drop(100)
			w.Settle()
			require.Equal(t, sol, w.balance(owner, rpc.CommitmentProcessed))
		})
	}
	_, err := rpc.New(urls[0]).GetHealth(t.Context())
	require.Error(t, err)
}
