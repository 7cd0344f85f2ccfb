package scenario_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// tour returns the commands of the README's tour, all of which go into one shell.
func tour(t *testing.T) string {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(readme), "## A tour with curl")
	require.True(t, found)
	section, _, found := strings.Cut(rest, "\n## ")
	require.True(t, found)
	var script strings.Builder
	for block := range strings.SplitSeq(section, "```sh\n") {
		if commands, _, closed := strings.Cut(block, "```"); closed {
			script.WriteString(commands)
		}
	}
	require.Contains(t, script.String(), "checkout/create")
	return script.String()
}

// freeAddress is an address nobody listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return l.Addr().String()
}

// dev is a running `ferry dev`.
type dev struct {
	program string
	// env is the environment of the banner.
	env      []string
	feePayer string // of a real chain
	stop     func()
}

// startDev starts `ferry dev`, which is stopped when the test ends, if not before.
func startDev(t *testing.T, args ...string) dev {
	t.Helper()
	path := t.TempDir() + "/ferry"
	build := exec.Command("go", "build", "-o", path, "./cmd/ferry")
	build.Dir = "../.."
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	server := exec.Command(path, append([]string{"dev", "--addr", "127.0.0.1:0", "--json"}, args...)...)
	stdout, err := server.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, server.Start())
	stop := sync.OnceFunc(func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
	})
	t.Cleanup(stop)
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	require.NoError(t, err)
	var ready struct {
		BaseURL       string `json:"base_url"`
		SecretKey     string `json:"secret_key"`
		WebhookSecret string `json:"webhook_secret"`
		FeePayer      string `json:"fee_payer"`
	}
	require.NoError(t, json.Unmarshal(line, &ready))
	env := []string{"FERRY_URL=" + ready.BaseURL, "FERRY_KEY=" + ready.SecretKey, "FERRY_WEBHOOK_SECRET=" + ready.WebhookSecret}
	return dev{path, env, ready.FeePayer, stop}
}

// paste runs commands in a shell of its own beside a server, and returns what they print.
func paste(t *testing.T, d dev, script string, env ...string) string {
	t.Helper()
	receiver := freeAddress(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	shell := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", strings.ReplaceAll(script, "127.0.0.1:8090", receiver))
	shell.Dir = "../.."
	shell.Env = append(slices.Concat(os.Environ(), d.env, env), "RECEIVE_ADDR="+receiver)
	shell.WaitDelay = time.Second // the receiver outlives a shell that was killed
	out, err := shell.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

// TestTheTourOfTheREADMEGoesAsItSays pastes the tour into a shell.
func TestTheTourOfTheREADMEGoesAsItSays(t *testing.T) {
	t.Parallel()
	text := paste(t, startDev(t), tour(t))
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
		`/checkout/sess_`,
		`verified payment.success {"payment":{`,
		`"reference":"order-981","status":"success","amount":1500000,"currency":"NGN","payment_method":"bank_transfer"`,
		`/pay/jollof`,
		`"channel":"payment_link"`,
		`"payments_count":1,"total_paid":500000`,
		`{"currency":"NGN","posted":1020000,"reserved":0,"available":1020000}`,
		`"status":"partially_successful"`,
		`verified payout.item.failed {`,
		`verified refund.successful {`,
		`{"currency":"NGN","posted":990000,"reserved":0,"available":990000}`,
		`"reference":"topup-1","provider_reference":"onr_`,
		`"stage":"done","fiat_currency":"NGN","amount":15000,"amount_unit":"major","amount_received":15000,"amount_stablecoin":10,`,
		`"status":"returned","reason":"excess"`,
		`"amount_returned":0.995`,
		`"token":"`,
		`{"currency":"NGN","posted":989500,"reserved":0,"available":989500}`,
	} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, `"success":false`)
	require.Equal(t, 3, strings.Count(text, `"clean": true`))
}

// TestTheTourCanBePastedIntoZsh is about the shell of macOS: what it is given by hand it
// reads as commands, comments too. A quote, a bracket or a semicolon in one begins
// something; behind a command a comment becomes its arguments.
func TestTheTourCanBePastedIntoZsh(t *testing.T) {
	t.Parallel()
	for line := range strings.Lines(tour(t)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			require.NotRegexp(t, "['\"`\\[\\](){}<>;&|?*$!~=]", line)
			continue
		}
		require.NotContains(t, line, " # ")
	}
}
