package main

import (
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
)

// deployed is a file of deploy/, which operators copy.
func deployed(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../deploy/" + name)
	require.NoError(t, err)
	return string(text)
}

// says are the lines of a file that are not comments.
func says(text string) string {
	return regexp.MustCompile(`(?m)^\s*#.*$`).ReplaceAllString(text, "")
}

func TestTheConfigurationToCopyIsAccepted(t *testing.T) {
	c := defaults()
	require.NoError(t, c.decode([]byte(deployed(t, "ferry.json"))))
	require.NoError(t, c.check())
	require.True(t, c.Operator.on())
	require.Contains(t, deployed(t, "compose.yaml"), "subnet: "+c.TrustedProxies[0].String(), "the proxy's network")
	require.Contains(t, deployed(t, "compose.yaml"), c.Operator.TokensFile)
	require.Contains(t, deployed(t, "Caddyfile"), strings.TrimPrefix(c.BaseURL, "https://")+" {")
}

func TestTheCommandsToCopyExist(t *testing.T) {
	commands := 0
	for _, name := range []string{"ferry.service", "compose.yaml"} {
		for _, line := range regexp.MustCompile(`(?m)(?:ExecStart=\S*/ferry|run --rm ferry|^    command:) (\S[^#\n]*)`).FindAllStringSubmatch(deployed(t, name), -1) {
			parser, err := newParser(t.Context(), io.Discard)
			require.NoError(t, err)
			_, err = parser.Parse(strings.Fields(strings.ReplaceAll(line[1], `"Corner shop"`, "Shop")))
			require.NoError(t, err, line[1])
			commands++
		}
	}
	require.Equal(t, 6, commands)
}

func TestNoProxyToCopyLeadsToTheAdminAddress(t *testing.T) {
	c := defaults()
	require.NoError(t, c.decode([]byte(deployed(t, "ferry.json"))))
	for _, address := range []string{c.AdminAddr, defaults().AdminAddr} {
		port := address[strings.LastIndex(address, ":")+1:]
		require.NotEmpty(t, port)
		for _, proxy := range []string{"Caddyfile", "nginx.conf"} {
			require.NotContains(t, says(deployed(t, proxy)), port, proxy)
			require.Contains(t, says(deployed(t, proxy)), "127.0.0.1:8080", proxy)
		}
		for _, published := range regexp.MustCompile(`"([^"]*):`+port+`"`).FindAllStringSubmatch(says(deployed(t, "compose.yaml")), -1) {
			require.True(t, strings.HasPrefix(published[1], "127.0.0.1:"), published[0])
		}
	}
	require.Contains(t, deployed(t, "nginx.conf"), "X-Forwarded-For $remote_addr", "what a client says of itself is replaced")
	require.Contains(t, deployed(t, "nginx.conf"), `Forwarded ""`)
	require.Contains(t, deployed(t, "Caddyfile"), "header_up -Forwarded")
}

func TestTheAlarmsToCopyNameMetricsThatThereAre(t *testing.T) {
	rules := deployed(t, "prometheus-rules.yaml")
	described := make(chan *prometheus.Desc)
	go func() {
		defer close(described)
		for _, c := range newMetrics(nil, nil).collectors() {
			c.Describe(described)
		}
	}()
	known := map[string]string{} // what is said of a metric, with its labels
	for d := range described {
		text := d.String()
		known[regexp.MustCompile(`fqName: "([^"]+)"`).FindStringSubmatch(text)[1]] = text
	}
	used := regexp.MustCompile(`\b(?:ferry|process|go)_[a-z_]+`).FindAllString(rules, -1)
	require.Greater(t, len(used), 10)
	for _, name := range used {
		require.Contains(t, known, strings.TrimSuffix(name, "_bucket"))
	}
	for _, by := range regexp.MustCompile(`by \(([a-z, ]+)\) \((?:rate\()?(\w+)`).FindAllStringSubmatch(rules, -1) {
		for label := range strings.SplitSeq(by[1], ", ") {
			if label != "le" { // that of every histogram
				require.Contains(t, known[strings.TrimSuffix(by[2], "_bucket")], label, by[0])
			}
		}
	}
	operations, err := os.ReadFile("../../docs/operations.md")
	require.NoError(t, err)
	for name := range known {
		if strings.HasPrefix(name, "ferry_") {
			require.Contains(t, string(operations), "`"+name+"{", "docs/operations.md says what it means")
		}
	}
}

func TestTheUnitToCopyTakesTheRightsOfTheServer(t *testing.T) {
	unit := says(deployed(t, "ferry.service"))
	for _, line := range []string{
		"User=ferry", "NoNewPrivileges=yes", "CapabilityBoundingSet=", "ProtectSystem=strict", "ProtectHome=yes", "PrivateTmp=yes", "PrivateDevices=yes",
		"MemoryDenyWriteExecute=yes", "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX", "SystemCallFilter=@system-service", "UMask=0077", "LimitCORE=0",
	} {
		require.True(t, slices.Contains(strings.Split(unit, "\n"), line), line)
	}
	// The server calls setrlimit, which is among @resources, and reads /proc/stat for its start.
	require.NotContains(t, unit, "@resources")
	require.NotContains(t, unit, "ProcSubset")
}
