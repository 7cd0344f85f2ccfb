package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain/solana"
)

// cannedNode answers by method what a node of a chain answers. Its URL has a key.
func cannedNode(t *testing.T, genesis string) (endpoint, host string) {
	results := map[string]string{
		"getGenesisHash": `"` + genesis + `"`, "getBlockHeight": "1000", "getMinimumBalanceForRentExemption": "2039280",
		"getMultipleAccounts": `{"context":{"slot":1000},"value":[{"lamports":2500000000,"owner":"11111111111111111111111111111111","data":["","base64"],"executable":false,"rentEpoch":0,"space":0}]}`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.NewDecoder(r.Body).Decode(&asked)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, asked.ID, results[asked.Method])
	}))
	t.Cleanup(server.Close)
	return server.URL + "/hunter2?key=hunter2", strings.TrimPrefix(server.URL, "http://")
}

// absentNode is where nothing answers.
func absentNode(t *testing.T) (endpoint, host string) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	return server.URL + "/hunter2", strings.TrimPrefix(server.URL, "http://")
}

func TestACheckShowsEveryNodeAndFailsWhenTooFewAnswer(t *testing.T) {
	payer := filepath.Join(t.TempDir(), "fee-payer")
	mustRun(t, "chain", "keygen", "--out", payer)
	check := func(endpoints ...string) (view chainView, stderr string, code int) {
		config := written(t, withChain("test", `"cluster":"devnet","endpoints":["`+strings.Join(endpoints, `","`)+`"],"fee_payer_file":"`+payer+`"`))
		stdout, stderr, code := ferryCommand(t, "chain", "check", "--config", config)
		require.NotContains(t, stdout+stderr, "hunter2", "the key of a node")
		var all struct{ Chains []chainView }
		require.NoError(t, json.Unmarshal([]byte(stdout), &all), stderr)
		require.Len(t, all.Chains, 1)
		return all.Chains[0], stderr, code
	}
	one, oneHost := cannedNode(t, solana.Devnet.Genesis)
	two, twoHost := cannedNode(t, solana.Devnet.Genesis)
	other, otherHost := cannedNode(t, solana.Mainnet.Genesis)
	gone, goneHost := absentNode(t)

	view, stderr, code := check(gone, one, two)
	require.Zero(t, code, stderr)
	require.Equal(t, 2, view.Needed)
	require.Equal(t, "2.500000000", view.SOL)
	require.Equal(t, goneHost, view.Nodes[0].Host)
	require.Equal(t, solana.NotReached, view.Nodes[0].State)
	require.NotEmpty(t, view.Nodes[0].Error)
	require.Equal(t, []nodeView{{oneHost, solana.Reached, 1000, ""}, {twoHost, solana.Reached, 1000, ""}}, view.Nodes[1:])

	view, stderr, code = check(one, gone)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "chain.test: 1 of 2 nodes are reached, and 2 are needed")
	require.Equal(t, "2.500000000", view.SOL, "one node says it")

	view, stderr, code = check(gone)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "0 of 1 nodes are reached, and 1 are needed")
	require.Empty(t, view.SOL)

	view, stderr, code = check(one, two, other)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, errNotStarted.Error()+": "+otherHost)
	require.Equal(t, solana.OtherChain, view.Nodes[2].State)

	_, stderr, code = check(one)
	require.Zero(t, code, stderr)
}
