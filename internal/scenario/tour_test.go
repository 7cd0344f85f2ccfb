package scenario_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// tour returns the commands of the README's tour.
func tour(t *testing.T) string {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(readme), "## A tour with curl")
	require.True(t, found)
	_, rest, found = strings.Cut(rest, "```sh\n")
	require.True(t, found)
	script, _, found := strings.Cut(rest, "```")
	require.True(t, found)
	return script
}

// freeAddress is an address nobody listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return l.Addr().String()
}

// startDev starts `ferry dev` and returns the environment of the banner.
func startDev(t *testing.T) []string {
	t.Helper()
	path := t.TempDir() + "/ferry"
	build := exec.Command("go", "build", "-o", path, "./cmd/ferry")
	build.Dir = "../.."
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	dev := exec.Command(path, "dev", "--addr", "127.0.0.1:0", "--json")
	stdout, err := dev.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, dev.Start())
	t.Cleanup(func() {
		_ = dev.Process.Signal(os.Interrupt)
		_ = dev.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	require.NoError(t, err)
	var ready struct {
		BaseURL       string `json:"base_url"`
		SecretKey     string `json:"secret_key"`
		WebhookSecret string `json:"webhook_secret"`
	}
	require.NoError(t, json.Unmarshal(line, &ready))
	return []string{"FERRY_URL=" + ready.BaseURL, "FERRY_KEY=" + ready.SecretKey, "FERRY_WEBHOOK_SECRET=" + ready.WebhookSecret}
}

// TestTheTourOfTheREADMEGoesAsItSays pastes the tour into a shell.
func TestTheTourOfTheREADMEGoesAsItSays(t *testing.T) {
	receiver := freeAddress(t)
	script := strings.ReplaceAll(tour(t), "127.0.0.1:8090", receiver)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	shell := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", script)
	shell.Dir = "../.."
	shell.Env = append(append(os.Environ(), startDev(t)...), "RECEIVE_ADDR="+receiver)
	out, err := shell.CombinedOutput()
	text := string(out)
	require.NoError(t, err, text)
	for _, want := range []string{
		`"status":"verified"`,
		`"verification_method":"bvn","verification_type":"bvn"`, // told by a signed event
		`verified stablecoin.received {`,
		`"amount":25.5,"status":"credited"`,
		`"transfer_type":"internal","fees":{"network_fee":0,"total_fees":0}`,
		`"transfer_type":"external","fees":{"network_fee":0.005,"total_fees":0.005}`,
		`verified stablecoin.sent {`,
		`"balance_before":20.5,"balance_after":10.495,"network_fee":0.005,"status":"success"`,
		`"counter":{"total_addresses":2,"total_balance":10.495}`,
		`"summary":{"total_addresses":2,"active_addresses":2,"total_balance":15.495,"total_received":30.5}`,
		`"clean": true`,
	} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, `"success":false`)
}
