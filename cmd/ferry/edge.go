package main

import (
	"fmt"
	"net/netip"

	"github.com/ferrypay/ferry/server"
)

// edgeConfig is the part of a configuration about who reaches the server, and how.
type edgeConfig struct {
	// AdminAddr is where the operator's pages listen; empty for nowhere.
	AdminAddr string `json:"admin_addr"`
	// TrustedProxies are the networks of proxies that are believed about their clients.
	TrustedProxies []netip.Prefix `json:"trusted_proxies,omitempty"`
	// Connections is how many there may be at once.
	Connections capsConfig `json:"max_connections"`
	// Operator says who may look at the view at AdminAddr.
	Operator operatorConfig `json:"operator,omitzero"`
	// LogRequests writes a line for each request.
	LogRequests bool `json:"log_requests,omitempty"`
}

// capsConfig is in connections; 0 is any number.
type capsConfig struct {
	Total      int `json:"total"`
	PerAddress int `json:"per_address"`
}

// defaultEdge is what a configuration need not say.
var defaultEdge = edgeConfig{AdminAddr: "127.0.0.1:8081", Connections: capsConfig{Total: 2000, PerAddress: 100}}

// check refuses what a server cannot be started with.
func (c edgeConfig) check() error {
	switch {
	case c.Connections.Total < 0:
		return wrongValue("max_connections.total", anyOrMore)
	case c.Connections.PerAddress < 0:
		return wrongValue("max_connections.per_address", anyOrMore)
	}
	if err := checkNetworks("trusted_proxies", c.TrustedProxies); err != nil {
		return err
	}
	return c.Operator.check(c.AdminAddr)
}

// checkNetworks refuses networks that are written in more than their length.
func checkNetworks(field string, networks []netip.Prefix) error {
	for _, network := range networks {
		if network.Masked() != network {
			return fmt.Errorf("%s: %s has bits beyond its length; write %s", field, network, network.Masked())
		}
	}
	return nil
}

func (c edgeConfig) caps() server.Caps {
	return server.Caps{Total: c.Connections.Total, PerAddress: c.Connections.PerAddress}
}
