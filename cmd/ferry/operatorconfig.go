package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/inspect"
)

// operatorConfig says who may look at the operator's view. Nobody may, when neither TokensFile nor UserHeader is given.
type operatorConfig struct {
	// TokensFile lists names and digests of tokens: ferry operator token writes it.
	TokensFile string `json:"tokens_file,omitempty"`
	// UserHeader is the header in which a proxy of the operator names the person. It is believed from this machine
	// and from Proxies.
	UserHeader string         `json:"user_header,omitempty"`
	Proxies    []netip.Prefix `json:"proxies,omitempty"`
	// Hosts are the names by which people reach the view, beside those of this machine.
	Hosts []string `json:"hosts,omitempty"`
}

// on reports whether somebody may look.
func (c operatorConfig) on() bool { return c.TokensFile != "" || c.UserHeader != "" }

var (
	headerName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]{0,63}$`)
	hostName   = regexp.MustCompile(`^[a-z0-9]([a-z0-9.:-]{0,251}[a-z0-9])?$`)
)

// check refuses a view that nobody could reach, or that strangers could.
func (c operatorConfig) check(adminAddr string) error {
	switch {
	case !c.on() && (len(c.Hosts) > 0 || len(c.Proxies) > 0):
		return errors.New("operator: nobody may look yet: name operator.tokens_file or operator.user_header")
	case !c.on():
		return nil
	case adminAddr == "":
		return errors.New("operator: the view is served at admin_addr, which is empty")
	case c.UserHeader != "" && !headerName.MatchString(c.UserHeader):
		return wrongValue("operator.user_header", "the name of a header, as X-Forwarded-User")
	case c.UserHeader == "" && len(c.Proxies) > 0:
		return errors.New("operator.proxies: they name nobody without operator.user_header")
	case c.TokensFile == "" && !loopbackOnly(adminAddr):
		return errors.New("admin_addr: others than this machine reach it, so the operator's view needs operator.tokens_file; or listen at 127.0.0.1")
	}
	for n, host := range c.Hosts {
		if !hostName.MatchString(host) || hasPort(host) {
			return wrongValue(fmt.Sprintf("operator.hosts.%d", n), "a name in small letters without scheme and port, as ops.example.com")
		}
	}
	return checkNetworks("operator.proxies", c.Proxies)
}

// loopbackOnly reports whether only programs on this machine reach an address to listen at.
func loopbackOnly(address string) bool {
	host := address
	if colon := strings.LastIndex(address, ":"); colon >= 0 {
		host = address[:colon]
	}
	at, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && at.IsLoopback()
}

// hasPort reports whether a host is followed by a port. An address of IPv6 has colons of its own.
func hasPort(host string) bool {
	_, err := netip.ParseAddr(host)
	return err != nil && strings.Contains(host, ":")
}

// tokens reads the file of the names and digests of tokens.
func (c operatorConfig) tokens() (map[string]string, error) {
	if c.TokensFile == "" {
		return nil, nil
	}
	text, err := readPrivate(c.TokensFile)
	if err != nil {
		return nil, fmt.Errorf("operator.tokens_file: %w", err)
	}
	names := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if digest, err := hex.DecodeString(words[len(words)-1]); len(words) != 2 || err != nil || len(digest) != 32 {
			return nil, fmt.Errorf("operator.tokens_file: line %d of %s is not a name and a digest, as ferry operator token writes it", n, c.TokensFile)
		}
		names[strings.ToLower(words[1])] = words[0]
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("operator.tokens_file: %s has no token: ferry operator token NAME --file %s makes one", c.TokensFile, c.TokensFile)
	}
	return names, lines.Err()
}

// view is the operator's view over an engine, or nil when nobody may look.
func (c operatorConfig) view(e *engine.Engine, api http.Handler, logger *slog.Logger) (http.Handler, error) {
	if !c.on() {
		return nil, nil
	}
	tokens, err := c.tokens()
	if err != nil {
		return nil, err
	}
	return inspect.NewOperator(e, inspect.OperatorConfig{
		API: api, Tokens: tokens, UserHeader: c.UserHeader, Proxies: c.Proxies, Hosts: slices.Clone(c.Hosts), Logger: logger,
	}), nil
}
