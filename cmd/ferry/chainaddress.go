package main

import (
	"errors"
	"fmt"
	"strings"
)

// chainAddress says which chain a sandbox runs on: "sim", or "solana:" and the URLs of nodes of
// one chain with commas. A URL may hold a key, so every way of printing an address leaves it out.
type chainAddress string

// simulatedChain is the address of the simulated chain, and onSolana what begins that of a real one.
const (
	simulatedChain chainAddress = "sim"
	onSolana       string       = "solana:"
)

var errNoChain = errors.New("is neither sim nor solana:URL, with commas before further URLs of nodes")

// simulated reports whether the chain is the simulated one.
func (a chainAddress) simulated() bool { return a == "" || a == simulatedChain }

// nodes are the nodes of a real chain.
func (a chainAddress) nodes() []nodeURL {
	list, _ := strings.CutPrefix(string(a), onSolana)
	var nodes []nodeURL
	for text := range strings.SplitSeq(list, ",") {
		nodes = append(nodes, nodeURL(strings.TrimSpace(text)))
	}
	return nodes
}

// Validate refuses an address of another form.
func (a chainAddress) Validate() error {
	if a.simulated() {
		return nil
	}
	if !strings.HasPrefix(string(a), onSolana) {
		return fmt.Errorf("%q %w", a.String(), errNoChain)
	}
	for i, n := range a.nodes() {
		if n == "" {
			return fmt.Errorf("%q: node %d is empty: it %w", a.String(), i+1, errNoNode)
		}
		if err := n.check(); err != nil {
			return fmt.Errorf("%q: %q %w", a.String(), n.String(), err)
		}
	}
	return nil
}

// String returns the address without keys.
func (a chainAddress) String() string {
	if a.simulated() {
		return string(a)
	}
	if !strings.HasPrefix(string(a), onSolana) {
		scheme, _, _ := strings.Cut(string(a), ":")
		return scheme
	}
	var nodes []string
	for _, n := range a.nodes() {
		if n == "" { // it hides nothing
			nodes = append(nodes, "")
			continue
		}
		nodes = append(nodes, n.String())
	}
	return onSolana + strings.Join(nodes, ",")
}

// GoString is String, for %#v.
func (a chainAddress) GoString() string { return fmt.Sprintf("%q", a.String()) }

// MarshalText is String, for logs.
func (a chainAddress) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// chainFlag names the flag of a chain that cannot be used, and its variable.
func chainFlag(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("--chain (FERRY_CHAIN): %w", err)
}
