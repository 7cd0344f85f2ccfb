package main

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain/solana"
)

// realChains are the real chains of the environments that have one.
type realChains map[ferry.Env]*solana.Chain

// chainCollector asks the nodes of the real chains when the figures are asked for.
type chainCollector struct {
	chains realChains

	mu    sync.Mutex
	asked time.Time
	found []prometheus.Metric
}

const (
	// chainLife is how long what the nodes said is shown before they are asked again, and
	// chainPatience is how long they have for an answer.
	chainLife     = 10 * time.Second
	chainPatience = 4 * time.Second
)

var (
	feePayerDesc = prometheus.NewDesc("ferry_chain_fee_payer_lamports",
		"SOL of the fee payer in lamports, a billionth each. Absent while no node says it.", []string{"environment"}, nil)
	nodesDesc = prometheus.NewDesc("ferry_chain_nodes",
		"Configured nodes, by how they do.", []string{"environment", "state"}, nil)
	nodesNeededDesc = prometheus.NewDesc("ferry_chain_nodes_needed",
		"How many nodes must be reached.", []string{"environment"}, nil)
)

// Describe names the metrics.
func (*chainCollector) Describe(ch chan<- *prometheus.Desc) {
	ch <- feePayerDesc
	ch <- nodesDesc
	ch <- nodesNeededDesc
}

// Collect asks the nodes of all chains, unless they were asked just now.
func (c *chainCollector) Collect(ch chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.asked) >= chainLife {
		c.asked, c.found = now, c.chains.ask()
	}
	for _, m := range c.found {
		ch <- m
	}
}

// ask asks all chains at once.
func (all realChains) ask() []prometheus.Metric {
	ctx, cancel := context.WithTimeout(context.Background(), chainPatience)
	defer cancel()
	var mu sync.Mutex
	var found []prometheus.Metric
	var asking sync.WaitGroup
	for env, chain := range all {
		asking.Go(func() {
			figures := figuresOf(ctx, env, chain)
			mu.Lock()
			defer mu.Unlock()
			found = append(found, figures...)
		})
	}
	asking.Wait()
	return found
}

// figuresOf asks the nodes of a chain how they do and what the fee payer has.
func figuresOf(ctx context.Context, env ferry.Env, chain *solana.Chain) []prometheus.Metric {
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) prometheus.Metric {
		return prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, append([]string{string(env)}, labels...)...)
	}
	var balance sync.WaitGroup
	var lamports uint64
	var err error
	balance.Go(func() { lamports, err = chain.FeePayerBalance(ctx) })
	reports := chain.Nodes(ctx)
	balance.Wait()
	states := map[solana.NodeState]int{solana.Reached: 0, solana.NotReached: 0, solana.OtherChain: 0, solana.Behind: 0}
	for _, r := range reports {
		states[r.State]++
	}
	found := []prometheus.Metric{gauge(nodesNeededDesc, float64(solana.NeededNodes(len(reports))))}
	for state, n := range states {
		found = append(found, gauge(nodesDesc, float64(n), string(state)))
	}
	if err == nil {
		found = append(found, gauge(feePayerDesc, float64(lamports)))
	}
	return found
}
