package main

import (
	"errors"
	"fmt"
	"net"
	"net/url"
)

// nodeURL is the URL of a node of a chain. It often holds a key, so every way of printing one
// shows its scheme and host only.
type nodeURL string

var (
	errNoNode    = errors.New("must be the URL of a node, as https://api.devnet.solana.com")
	errOpenPlain = errors.New("must begin with https://: what goes over http to another machine can be changed on its way")
)

// check refuses what is no URL of a node.
func (n nodeURL) check() error {
	u, err := url.Parse(string(n))
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errNoNode
	}
	return nil
}

// checkLive is check for a node that is asked about real money.
func (n nodeURL) checkLive() error {
	if err := n.check(); err != nil {
		return err
	}
	if u, _ := url.Parse(string(n)); u.Scheme != "https" && !n.loopback() {
		return errOpenPlain
	}
	return nil
}

// loopback reports whether the node is on this machine.
func (n nodeURL) loopback() bool {
	u, err := url.Parse(string(n))
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// hasSecret reports whether the URL says more than where the node is.
func (n nodeURL) hasSecret() bool {
	u, err := url.Parse(string(n))
	return err != nil || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Path != "" && u.Path != "/"
}

// String returns the URL without what may be a key.
func (n nodeURL) String() string {
	u, err := url.Parse(string(n))
	switch {
	case err != nil || u.Host == "":
		return "***"
	case n.hasSecret():
		return u.Scheme + "://" + u.Host + "/***"
	}
	return u.Scheme + "://" + u.Host
}

// GoString is String, for %#v.
func (n nodeURL) GoString() string { return fmt.Sprintf("%q", n.String()) }

// MarshalText is String, for logs.
func (n nodeURL) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// texts are URLs as they were given.
func texts(nodes []nodeURL) []string {
	all := make([]string, len(nodes))
	for i, n := range nodes {
		all[i] = string(n)
	}
	return all
}
