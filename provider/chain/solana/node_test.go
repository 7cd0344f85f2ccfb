package solana_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana"
)

const someGenesis = "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY"

// canned is a node that answers by method, and counts its calls.
type canned struct {
	answer func(w http.ResponseWriter, method string, id json.RawMessage)
	calls  atomic.Int64
}

func (c *canned) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.calls.Add(1)
	var asked struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.NewDecoder(r.Body).Decode(&asked)
	c.answer(w, asked.Method, asked.ID)
}

// healthy answers what Open asks.
func healthy(w http.ResponseWriter, method string, id json.RawMessage) {
	results := map[string]string{"getGenesisHash": `"` + someGenesis + `"`, "getMinimumBalanceForRentExemption": "2039280"}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, results[method])
}

// cannedNodes returns a Chain, which nobody has named, on nodes that are healthy until they are
// told otherwise.
func cannedNodes(t *testing.T, n int) (*solana.Chain, []*canned) {
	var nodes []*canned
	var urls []string
	for range n {
		node := &canned{answer: healthy}
		server := httptest.NewServer(node)
		t.Cleanup(server.Close)
		nodes, urls = append(nodes, node), append(urls, server.URL+"/?api-key=sesame")
	}
	c, err := solana.Open(t.Context(), solana.Config{
		Cluster: solana.Cluster{Mint: solana.Devnet.Mint}, Endpoints: urls, FeePayer: seed(t), Timeout: 200 * time.Millisecond,
	})
	require.NoError(t, err)
	return c, nodes
}

func TestWhatIsNoAnswerIsNotTakenForOne(t *testing.T) {
	for name, answer := range map[string]func(w http.ResponseWriter, method string, id json.RawMessage){
		"503 with an object": func(w http.ResponseWriter, _ string, _ json.RawMessage) { w.WriteHeader(503); io.WriteString(w, "{}") },
		"429":                func(w http.ResponseWriter, _ string, _ json.RawMessage) { w.WriteHeader(429) },
		"an empty object":    func(w http.ResponseWriter, _ string, _ json.RawMessage) { io.WriteString(w, "{}") },
		"HTML":               func(w http.ResponseWriter, _ string, _ json.RawMessage) { io.WriteString(w, "<html>") },
		"nothing":            func(http.ResponseWriter, string, json.RawMessage) {},
		"silence":            func(http.ResponseWriter, string, json.RawMessage) { time.Sleep(400 * time.Millisecond) },
		"a result of null": func(w http.ResponseWriter, _ string, id json.RawMessage) {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":null}`, id)
		},
		"a result of nothing": func(w http.ResponseWriter, _ string, id json.RawMessage) {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{}}`, id)
		},
		"a cut connection": func(http.ResponseWriter, string, json.RawMessage) { panic(http.ErrAbortHandler) },
		"a node that is behind": func(w http.ResponseWriter, _ string, id json.RawMessage) {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32005,"message":"Node is behind by 200 slots"}}`, id)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, nodes := cannedNodes(t, 1)
			nodes[0].answer = answer
			calls := map[string]func() error{
				"Genesis":      func() error { _, err := c.Genesis(t.Context()); return err },
				"Inspect":      func() error { _, err := c.Inspect(t.Context(), somebody); return err },
				"Sign":         func() error { _, err := c.Sign(t.Context(), transfer(1), chain.Keyring{}); return err },
				"Statuses":     func() error { _, err := c.Statuses(t.Context(), nil); return err },
				"ChangeTokens": func() error { _, err := c.ChangeTokens(t.Context(), []chain.Address{somebody}); return err },
				"Holdings":     func() error { _, err := c.Holdings(t.Context(), []chain.Address{somebody}); return err },
				"Send":         func() error { return c.Send(t.Context(), []byte{1}) },
			}
			for method, ask := range calls {
				err := ask()
				require.ErrorIs(t, err, chain.ErrUnavailable, method)
				require.NotContains(t, err.Error(), "sesame", "the key of a node")
			}
		})
	}
}

func TestAnotherNodeIsAskedWhenOneDoesNotAnswer(t *testing.T) {
	c, nodes := cannedNodes(t, 2)
	nodes[0].answer = func(w http.ResponseWriter, _ string, _ json.RawMessage) { w.WriteHeader(502) }
	genesis, err := c.Genesis(t.Context())
	require.NoError(t, err)
	require.Equal(t, someGenesis, genesis)
}

// TestAConnectionThatANodeHasClosedIsNotAnOutage uses a node that serves one call on each
// connection and closes it without a word, as a node does with one that was idle for too long.
func TestAConnectionThatANodeHasClosedIsNotAnOutage(t *testing.T) {
	var served sync.Map
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, again := served.LoadOrStore(r.RemoteAddr, true); again {
			panic(http.ErrAbortHandler)
		}
		(&canned{answer: healthy}).ServeHTTP(w, r)
	}))
	t.Cleanup(node.Close)
	c, err := solana.Open(t.Context(), solana.Config{
		Cluster: solana.Cluster{Mint: solana.Devnet.Mint}, Endpoints: []string{node.URL}, FeePayer: seed(t),
	})
	require.NoError(t, err)
	for range 3 {
		_, err := c.Genesis(t.Context())
		require.NoError(t, err)
	}
}

func TestANodeThatAsksForAPauseIsLeftAlone(t *testing.T) {
	c, nodes := cannedNodes(t, 2)
	nodes[0].answer = func(w http.ResponseWriter, _ string, _ json.RawMessage) {
		w.Header().Set("Retry-After", "30")
		w.WriteHeader(429)
	}
	before := nodes[0].calls.Load()
	for range 5 {
		_, err := c.Genesis(t.Context())
		require.NoError(t, err)
	}
	require.Equal(t, before+1, nodes[0].calls.Load())
}

func TestARefusalIsNoReasonToAskAnother(t *testing.T) {
	c, nodes := cannedNodes(t, 2)
	for _, n := range nodes {
		n.answer = func(w http.ResponseWriter, _ string, id json.RawMessage) {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"Invalid param"}}`, id)
		}
	}
	before := nodes[1].calls.Load()
	_, err := c.Genesis(t.Context())
	var refusal *solana.Refusal
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, -32602, refusal.Code)
	require.Equal(t, before, nodes[1].calls.Load())
}

func TestANodeOfAnotherChainIsRefused(t *testing.T) {
	node := &canned{answer: healthy}
	server := httptest.NewServer(node)
	t.Cleanup(server.Close)
	config := solana.Config{Cluster: solana.Devnet, Endpoints: []string{server.URL}, FeePayer: seed(t)}
	_, err := solana.Open(t.Context(), config)
	require.ErrorIs(t, err, solana.ErrOtherChain)

	node.answer = func(w http.ResponseWriter, _ string, id json.RawMessage) {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":"%s"}`, id, solana.Mainnet.Genesis)
	}
	config.Cluster.Genesis = ""
	_, err = solana.Open(t.Context(), config)
	require.ErrorIs(t, err, solana.ErrOtherChain, "mainnet must be named")
}

func TestANodeThatIsDownAtTheStartIsAskedForItsChainBeforeItIsUsed(t *testing.T) {
	down := func(w http.ResponseWriter, _ string, _ json.RawMessage) { w.WriteHeader(502) }
	first, second := &canned{answer: down}, &canned{answer: healthy}
	var urls []string
	for _, node := range []*canned{first, second} {
		server := httptest.NewServer(node)
		t.Cleanup(server.Close)
		urls = append(urls, server.URL)
	}
	config := solana.Config{Cluster: solana.Cluster{Genesis: someGenesis, Mint: solana.Devnet.Mint}, Endpoints: urls, FeePayer: seed(t)}
	c, err := solana.Open(t.Context(), config)
	require.NoError(t, err)

	second.answer = down
	first.answer = func(w http.ResponseWriter, _ string, id json.RawMessage) {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":"%s"}`, id, solana.Mainnet.Genesis)
	}
	err = c.Send(t.Context(), []byte{1})
	require.ErrorIs(t, err, solana.ErrOtherChain, "it came up on another chain")
	require.ErrorIs(t, err, chain.ErrUnavailable)

}

func TestAChainThatIsNamedIsOpenedWhileNoNodeAnswers(t *testing.T) {
	node := &canned{answer: func(w http.ResponseWriter, _ string, _ json.RawMessage) { w.WriteHeader(502) }}
	server := httptest.NewServer(node)
	t.Cleanup(server.Close)
	config := solana.Config{Cluster: solana.Cluster{Genesis: someGenesis, Mint: solana.Devnet.Mint}, Endpoints: []string{server.URL}, FeePayer: seed(t)}
	c, err := solana.Open(t.Context(), config)
	require.NoError(t, err)
	genesis, err := c.Genesis(t.Context())
	require.NoError(t, err)
	require.Equal(t, someGenesis, genesis)
	require.ErrorIs(t, c.Send(t.Context(), []byte{1}), chain.ErrUnavailable)

	config.Cluster.Genesis = ""
	_, err = solana.Open(t.Context(), config)
	require.ErrorIs(t, err, chain.ErrUnavailable, "nobody says which chain it is")
}

func TestAConfigurationThatCannotWorkNamesItsField(t *testing.T) {
	good := solana.Config{Cluster: solana.Devnet, Endpoints: []string{"http://127.0.0.1:1"}, FeePayer: seed(t)}
	for field, change := range map[string]func(*solana.Config){
		"Endpoints:":   func(c *solana.Config) { c.Endpoints = nil },
		"Endpoints[1]": func(c *solana.Config) { c.Endpoints = append(c.Endpoints, "ws://127.0.0.1:1") },
		"FeePayer":     func(c *solana.Config) { c.FeePayer = chain.Seed{} },
		"Cluster.Mint": func(c *solana.Config) { c.Cluster.Mint = "" },
		"OtherMints":   func(c *solana.Config) { c.OtherMints = []chain.Address{"0"} },
	} {
		config := good
		change(&config)
		_, err := solana.Open(t.Context(), config)
		require.ErrorContains(t, err, field)
		require.False(t, strings.Contains(err.Error(), "unavailable"))
	}
}
