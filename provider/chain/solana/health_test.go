package solana_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain/solana"
)

// log is what a chain logs. Lines counts those with a text.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *log) lines(text string) int { return strings.Count(l.String(), text) }

// dial is a clock that a test moves.
type dial struct {
	mu  sync.Mutex
	now time.Time
}

func (d *dial) Now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

func (d *dial) pass(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = d.now.Add(by)
}

// watched is a chain on nodes with keys in their URLs, and what it logs.
type watched struct {
	*solana.Chain
	nodes []*canned
	hosts []string
	clock *dial
	log   *log
}

func watch(t *testing.T, n int) watched {
	w := watched{clock: &dial{now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}, log: &log{}}
	config := w.config(t, n)
	var err error
	w.Chain, err = solana.Open(t.Context(), config)
	require.NoError(t, err)
	return w
}

func (w *watched) config(t *testing.T, n int) solana.Config {
	var urls []string
	for range n {
		node := &canned{answer: healthy}
		server := httptest.NewServer(node)
		t.Cleanup(server.Close)
		w.nodes, w.hosts = append(w.nodes, node), append(w.hosts, strings.TrimPrefix(server.URL, "http://"))
		urls = append(urls, server.URL+"/sesame?api-key=sesame")
	}
	return solana.Config{
		Cluster: solana.Cluster{Mint: solana.Devnet.Mint}, Endpoints: urls, FeePayer: seed(t),
		Timeout: 200 * time.Millisecond, Clock: w.clock, Logger: slog.New(slog.NewTextHandler(w.log, nil)),
	}
}

// ask asks the first node that answers, and lets a second pass.
func (w watched) ask(t *testing.T) {
	_, _ = w.Genesis(t.Context())
	w.clock.pass(time.Second)
}

func refusing(code int) func(http.ResponseWriter, string, json.RawMessage) {
	return func(w http.ResponseWriter, _ string, _ json.RawMessage) { w.WriteHeader(code) }
}

const silent, back = "a node does not answer", "a node answers again"

func TestANodeThatStopsAnsweringIsLoggedOnceAndOnceWhenItAnswersAgain(t *testing.T) {
	w := watch(t, 2)
	require.Empty(t, w.log.String())
	w.nodes[0].answer = refusing(502)
	for range 30 {
		w.ask(t)
	}
	require.Equal(t, 1, w.log.lines(silent), w.log)
	require.Contains(t, w.log.String(), "level=WARN")
	require.Contains(t, w.log.String(), "node="+w.hosts[0])
	require.Contains(t, w.log.String(), "status 502")
	require.Zero(t, w.log.lines(back))

	w.nodes[0].answer = healthy
	for range 10 {
		w.ask(t)
	}
	require.Equal(t, 1, w.log.lines(back), w.log)
	require.Contains(t, w.log.String(), "level=INFO")
	require.Equal(t, 1, w.log.lines(silent))
	require.NotContains(t, w.log.String(), "sesame", "the key of a node")
}

func TestOneLostAnswerIsNotLogged(t *testing.T) {
	w := watch(t, 1)
	for range 10 {
		w.nodes[0].answer = refusing(502)
		w.ask(t)
		w.nodes[0].answer = healthy
		w.ask(t)
	}
	require.Empty(t, w.log.String())
}

func TestANodeThatIsBusyIsLoggedAfterAMinute(t *testing.T) {
	w := watch(t, 1)
	w.nodes[0].answer = refusing(429)
	for range 59 {
		w.ask(t)
	}
	require.Empty(t, w.log.String())
	for range 59 {
		w.ask(t)
	}
	require.Equal(t, 1, w.log.lines(silent), w.log)
}

func TestANodeThatRefusesWhatWasAskedAnswers(t *testing.T) {
	w := watch(t, 1)
	w.nodes[0].answer = func(w http.ResponseWriter, _ string, id json.RawMessage) {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no"}}`, id)
	}
	for range 30 {
		w.ask(t)
	}
	require.Empty(t, w.log.String())
}

func TestANodeThatDoesNotAnswerAtTheStartIsLoggedAtOnce(t *testing.T) {
	w := watched{clock: &dial{now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}, log: &log{}}
	config := w.config(t, 2)
	w.nodes[1].answer = refusing(502)
	_, err := solana.Open(t.Context(), config)
	require.NoError(t, err)
	require.Equal(t, 1, w.log.lines(silent), w.log)
	require.Contains(t, w.log.String(), w.hosts[1])
	require.NotContains(t, w.log.String(), "sesame")
}

// at is a healthy node at a finalized height of a chain.
func at(height int, genesis string) func(http.ResponseWriter, string, json.RawMessage) {
	return func(w http.ResponseWriter, method string, id json.RawMessage) {
		switch method {
		case "getBlockHeight":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%d}`, id, height)
		case "getGenesisHash":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%q}`, id, genesis)
		default:
			healthy(w, method, id)
		}
	}
}

func TestEveryNodeOfAConfigurationIsReportedByItsHost(t *testing.T) {
	w := watched{clock: &dial{now: time.Now()}, log: &log{}}
	config := w.config(t, 6)
	config.Cluster.Genesis = someGenesis
	w.nodes[0].answer = at(1000, someGenesis)
	w.nodes[1].answer = at(850, someGenesis)
	w.nodes[2].answer = at(849, someGenesis)
	w.nodes[3].answer = at(1000, solana.Devnet.Genesis)
	w.nodes[4].answer = refusing(502)
	w.nodes[5].answer = func(w http.ResponseWriter, method string, id json.RawMessage) {
		if method == "getGenesisHash" {
			healthy(w, method, id)
			return
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32005,"message":"Node is behind by 200 slots"}}`, id)
	}
	reports, err := solana.CheckNodes(t.Context(), config)
	require.NoError(t, err)
	states := []solana.NodeState{solana.Reached, solana.Reached, solana.Behind, solana.OtherChain, solana.NotReached, solana.Behind}
	require.Len(t, reports, len(states))
	for i, r := range reports {
		require.Equal(t, w.hosts[i], r.Host)
		require.Equal(t, states[i], r.State, i)
		require.Equal(t, states[i] == solana.Reached, r.Err == nil)
		require.NotContains(t, fmt.Sprint(r), "sesame")
	}
	require.Equal(t, uint64(850), reports[1].Height)

	config.Endpoints = nil
	_, err = solana.CheckNodes(t.Context(), config)
	require.Error(t, err)
}
