package solana

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/gagliardetto/solana-go/rpc/jsonrpc"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
)

// node is one RPC node.
type node struct {
	// host names the node in errors and logs. The URL may hold a key.
	host    string
	rpc     *rpc.Client
	timeout time.Duration
	clock   ferry.Clock
	cluster Cluster
	mu      sync.Mutex
	resting time.Time // until then it is not asked, because it said that it is busy
	known   bool      // it has said that it serves the cluster
	health  health
}

func newNode(endpoint string, config Config) *node {
	u, _ := url.Parse(endpoint) // it was checked
	client := jsonrpc.NewClientWithOpts(endpoint, &jsonrpc.RPCClientOpts{HTTPClient: &http.Client{Transport: honest{config.Transport}}})
	return &node{host: u.Host, rpc: rpc.NewWithCustomRPCClient(client), timeout: config.Timeout, clock: config.Clock, cluster: config.Cluster, health: health{host: u.Host, logger: config.Logger}}
}

// nodesOf are the nodes of a configuration.
func nodesOf(config Config) (nodes []*node) {
	for _, endpoint := range config.Endpoints {
		nodes = append(nodes, newNode(endpoint, config))
	}
	return nodes
}

// errNoAnswer says that a node gave no answer that can be read.
var errNoAnswer = errors.New("no answer that can be read")

// answered refuses the zero value of an answer: no node says that.
func answered[A comparable](a A, err error) (A, error) {
	var none A
	if err == nil && a == none {
		err = errNoAnswer
	}
	return a, err
}

func genesisOf(ctx context.Context, r *rpc.Client) (sol.Hash, error) {
	return answered(r.GetGenesisHash(ctx))
}

// identify asks a node once which chain it serves. Errors: ErrOtherChain, chain.ErrUnavailable.
func (n *node) identify(ctx context.Context) error {
	n.mu.Lock()
	known := n.known
	n.mu.Unlock()
	if known {
		return nil
	}
	hash, err := try(ctx, n, genesisOf)
	if err != nil {
		return err
	}
	genesis, want := hash.String(), n.cluster.Genesis
	if want == "" && genesis == Mainnet.Genesis {
		return fmt.Errorf("%w: %s serves mainnet, which must be named", ErrOtherChain, n.host)
	}
	if want != "" && genesis != want {
		return fmt.Errorf("%w: the genesis of %s is %s, configured is %s", ErrOtherChain, n.host, genesis, want)
	}
	n.mu.Lock()
	n.known = true
	n.mu.Unlock()
	return nil
}

// call asks one node, which is asked for its chain first. One of another chain is not used.
func call[A any](ctx context.Context, n *node, body func(context.Context, *rpc.Client) (A, error)) (A, error) {
	a, err := callUnnoted(ctx, n, body)
	n.note(ctx, err)
	return a, err
}

func callUnnoted[A any](ctx context.Context, n *node, body func(context.Context, *rpc.Client) (A, error)) (A, error) {
	var none A
	err := n.identify(ctx)
	switch {
	case errors.Is(err, ErrOtherChain):
		return none, fmt.Errorf("%w: %w", chain.ErrUnavailable, err)
	case err != nil:
		return none, err
	}
	return try(ctx, n, body)
}

// try asks a node. All errors but refusals of what was asked are chain.ErrUnavailable.
func try[A any](ctx context.Context, n *node, body func(context.Context, *rpc.Client) (A, error)) (A, error) {
	var none A
	if n.rests() {
		return none, fmt.Errorf("%w: %s has asked for a pause: %w", chain.ErrUnavailable, n.host, errBusy)
	}
	within, cancel := context.WithTimeout(ctx, n.timeout)
	defer cancel()
	a, err := body(within, n.rpc)
	if err == nil {
		return a, nil
	}
	return none, n.failed(err)
}

// failed says what an error of a node means. A client's error may quote the URL, so only known
// errors are shown.
func (n *node) failed(err error) error {
	var status *statusError
	var refusal *jsonrpc.RPCError
	switch {
	case errors.As(err, &status):
		n.rest(status.after)
		if status.after > 0 {
			return fmt.Errorf("%w: %s answers with status %d: %w", chain.ErrUnavailable, n.host, status.code, errBusy)
		}
		return fmt.Errorf("%w: %s answers with status %d", chain.ErrUnavailable, n.host, status.code)
	case errors.As(err, &refusal) && refusal.Code == behindCode:
		return fmt.Errorf("%w: %s answers %d %s: %w", chain.ErrUnavailable, n.host, refusal.Code, refusal.Message, errBehind)
	case errors.As(err, &refusal) && !refusals[refusal.Code]:
		return fmt.Errorf("%w: %s answers %d %s", chain.ErrUnavailable, n.host, refusal.Code, refusal.Message)
	case errors.As(err, &refusal):
		return &Refusal{n.host, refusal.Code, refusal.Message}
	case errors.Is(err, rpc.ErrNotFound):
		return fmt.Errorf("%w: %s: %w", chain.ErrUnavailable, n.host, rpc.ErrNotFound)
	case errors.Is(err, errNoAnswer):
		return fmt.Errorf("%w: %s: %w", chain.ErrUnavailable, n.host, errNoAnswer)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: %s did not answer in time", chain.ErrUnavailable, n.host)
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%w: %w", chain.ErrUnavailable, context.Canceled)
	}
	return fmt.Errorf("%w: %s is not reached or answers what cannot be read", chain.ErrUnavailable, n.host)
}

// Refusal is the answer of a node that understood what was asked and refuses it.
type Refusal struct {
	Host    string
	Code    int
	Message string
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("solana: %s refuses: %d %s", r.Host, r.Code, r.Message)
}

// refusals are the codes of a node that understood what was asked and refuses it. All others say
// that it cannot answer now: it is behind or busy, or does not keep what is asked for.
var refusals = map[int]bool{
	-32600:      true, // no request
	-32601:      true, // no such method
	-32602:      true, // no such parameters
	-32002:      true, // a transaction that fails when it is tried
	-32003:      true, // a signature that does not fit
	-32015:      true, // a version of transactions that is not known
	cleanedUp:   true,
	skipped:     true,
	longSkipped: true,
}

// Codes of a node that has no block for a slot.
const (
	cleanedUp   = -32001
	skipped     = -32007
	longSkipped = -32009
)

const (
	// shortRest and longRest bound how long a node is not asked after it said that it is busy.
	shortRest, longRest = time.Second, time.Minute
)

func (n *node) rest(asked time.Duration) {
	if asked == 0 {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.resting = n.clock.Now().Add(min(max(asked, shortRest), longRest))
}

func (n *node) rests() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.clock.Now().Before(n.resting)
}

// askNode asks one node after the other until one answers, or refuses what is asked.
func askNode[A any](ctx context.Context, c *Chain, body func(context.Context, *node) (A, error)) (a A, err error) {
	for _, n := range c.nodes {
		if a, err = body(ctx, n); !errors.Is(err, chain.ErrUnavailable) || ctx.Err() != nil {
			return a, err
		}
	}
	return a, err
}

// askAll asks all nodes at once. What each answered, or why not, stands in the order of the nodes.
func askAll[A any](ctx context.Context, c *Chain, body func(context.Context, *node) (A, error)) (all []A, failures []error) {
	all, failures = make([]A, len(c.nodes)), make([]error, len(c.nodes))
	var asking sync.WaitGroup
	for i, n := range c.nodes {
		asking.Go(func() { all[i], failures[i] = body(ctx, n) })
	}
	asking.Wait()
	return all, failures
}

// ask is askNode for one call.
func ask[A any](ctx context.Context, c *Chain, body func(context.Context, *rpc.Client) (A, error)) (A, error) {
	return askNode(ctx, c, func(ctx context.Context, n *node) (A, error) { return call(ctx, n, body) })
}
