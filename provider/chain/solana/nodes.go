package solana

import (
	"context"
	"errors"

	"github.com/gagliardetto/solana-go/rpc"
)

// NodeState is how a node does.
type NodeState string

const (
	// Reached: it answers, serves the chain, and is not behind.
	Reached NodeState = "reached"
	// NotReached: it does not answer, or answers what cannot be read. NodeReport.Err says why.
	NotReached NodeState = "not_reached"
	// OtherChain: it serves another chain than the configuration names.
	OtherChain NodeState = "other_chain"
	// Behind: it says so itself, or its finalized height is more than 150 blocks below that of
	// another node.
	Behind NodeState = "behind"
)

// NodeReport is what was found out about a node. It holds no key of its URL.
type NodeReport struct {
	// Host is the host of its URL, with the port if there is one.
	Host  string
	State NodeState
	// Height is its finalized block height, or 0 when it did not say.
	Height uint64
	// Err says why a node is not Reached.
	Err error
}

// CheckNodes asks all nodes of a configuration, also those with which Open fails, in their order.
// Errors: a configuration that cannot work.
func CheckNodes(ctx context.Context, config Config) ([]NodeReport, error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	config = config.withDefaults()
	return (&Chain{config: config, nodes: nodesOf(config)}).Nodes(ctx), nil
}

// NeededNodes is how many of so many configured nodes must answer for every payment to come to an
// end: no payment is called failed until two nodes have answered, unless only one is configured.
func NeededNodes(configured int) int { return min(2, configured) }

// Nodes asks all nodes at once how they do. The reports are in the order of the configuration.
func (c *Chain) Nodes(ctx context.Context) []NodeReport {
	heights, failures := askAll(ctx, c, func(ctx context.Context, n *node) (uint64, error) {
		return call(ctx, n, func(ctx context.Context, r *rpc.Client) (uint64, error) {
			return answered(r.GetBlockHeight(ctx, rpc.CommitmentFinalized))
		})
	})
	var highest uint64
	for _, height := range heights {
		highest = max(highest, height)
	}
	reports := make([]NodeReport, len(c.nodes))
	for i, n := range c.nodes {
		reports[i] = NodeReport{n.host, stateOf(failures[i]), heights[i], failures[i]}
		if failures[i] == nil && heights[i]+hashLife < highest {
			reports[i].State, reports[i].Err = Behind, errFarBehind
		}
	}
	return reports
}

var errFarBehind = errors.New("solana: its finalized height is far below that of another node")

func stateOf(err error) NodeState {
	switch {
	case err == nil:
		return Reached
	case errors.Is(err, ErrOtherChain):
		return OtherChain
	case errors.Is(err, errBehind):
		return Behind
	}
	return NotReached
}
