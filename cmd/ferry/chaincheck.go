package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana"
)

type chainCheckCommand struct {
	Config string `help:"The configuration of ferry serve." required:"" placeholder:"FILE"`
}

// chainView is a chain of a configuration, as it is printed.
type chainView struct {
	Environment ferry.Env     `json:"environment"`
	Cluster     clusterName   `json:"cluster"`
	Genesis     string        `json:"genesis"`
	Mint        chain.Address `json:"mint"`
	Nodes       []nodeView    `json:"nodes"`
	// Needed is how many nodes must be reached.
	Needed   int           `json:"needed"`
	FeePayer chain.Address `json:"fee_payer"`
	// SOL is left out when no node said it.
	SOL string `json:"sol,omitempty"`
}

// nodeView is a configured node, as it is printed. It holds no key of its URL.
type nodeView struct {
	Host   string           `json:"host"`
	State  solana.NodeState `json:"state"`
	Height uint64           `json:"height,omitempty"`
	Error  string           `json:"error,omitempty"`
}

var (
	errNoChains   = errors.New("the configuration has no chain: add chain.test or chain.live")
	errNotStarted = errors.New("ferry serve does not start with a node of another chain")
)

// Run prints the chains of all environments. It fails when a node serves another one, and when
// fewer nodes are reached than are needed.
func (c chainCheckCommand) Run(ctx context.Context) error {
	config, err := readConfig(c.Config)
	if err != nil {
		return err
	}
	var all []chainView
	var wrong error
	for env, given := range config.Chain.all() {
		view, err := given.look(ctx, env)
		if err != nil {
			return fmt.Errorf("chain.%s.%w", env, err)
		}
		all, wrong = append(all, view), errors.Join(wrong, view.verdict())
	}
	if all == nil {
		return errNoChains
	}
	return errors.Join(printJSON(os.Stdout, map[string][]chainView{"chains": all}), wrong)
}

// look asks all nodes of a chain, and the first that is reached for the SOL of the fee payer.
func (c chainConfig) look(ctx context.Context, env ferry.Env) (chainView, error) {
	config, err := c.adapter(env, warnings())
	if err != nil {
		return chainView{}, err
	}
	reports, err := solana.CheckNodes(ctx, config)
	if err != nil {
		return chainView{}, err
	}
	cluster := config.Cluster
	view := chainView{
		Environment: env, Cluster: c.Cluster, Genesis: cluster.Genesis, Mint: cluster.Mint,
		Needed: solana.NeededNodes(len(reports)), FeePayer: config.FeePayer.Address(),
	}
	var reached []string
	for i, r := range reports {
		view.Nodes = append(view.Nodes, viewNode(r))
		if r.State == solana.Reached {
			reached = append(reached, config.Endpoints[i])
		}
	}
	if config.Endpoints = reached; reached != nil {
		view.SOL = askSOL(ctx, config)
	}
	return view, nil
}

func viewNode(r solana.NodeReport) nodeView {
	view := nodeView{Host: r.Host, State: r.State, Height: r.Height}
	if r.Err != nil {
		view.Error = r.Err.Error()
	}
	return view
}

// askSOL is what the fee payer has, or empty when no node says it.
func askSOL(ctx context.Context, config solana.Config) string {
	opened, err := solana.Open(ctx, config)
	if err != nil {
		return ""
	}
	lamports, err := opened.FeePayerBalance(ctx)
	if err != nil {
		return ""
	}
	return inSOL(lamports)
}

// verdict is what is wrong with the nodes of a chain, or nil.
func (v chainView) verdict() error {
	reached := 0
	var other error
	for _, n := range v.Nodes {
		switch n.State {
		case solana.Reached:
			reached++
		case solana.OtherChain:
			other = fmt.Errorf("chain.%s: %w: %s", v.Environment, errNotStarted, n.Host)
		}
	}
	if reached < v.Needed {
		return errors.Join(other, fmt.Errorf("chain.%s: %d of %d nodes are reached, and %d are needed", v.Environment, reached, len(v.Nodes), v.Needed))
	}
	return other
}
