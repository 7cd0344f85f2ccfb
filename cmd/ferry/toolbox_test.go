package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/httpapi"
	"github.com/ferrypay/ferry/webhook"
)

// tool is a run of the binary against a process, whose environment names that.
func (p process) tool(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, args...)
	cmd.Env = append(os.Environ(), "FERRY_URL="+p.BaseURL, "FERRY_KEY="+p.SecretKey, "FERRY_WEBHOOK_SECRET="+p.WebhookSecret)
	return cmd
}

// says runs a command, and returns what it prints and its exit code.
func (p process) says(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := p.tool(t, args...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		require.IsType(t, &exec.ExitError{}, err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// receives sets a webhook URL whose server answers with a status.
func (p process) receives(t *testing.T, status int) {
	t.Helper()
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	t.Cleanup(receiver.Close)
	p.data(t, http.MethodPost, "webhook/config", `{"url":"`+receiver.URL+`"}`, new(any))
}

// lines starts a command, and gives the lines that it prints.
func (p process) lines(t *testing.T, args ...string) (stdout, stderr *bufio.Scanner) {
	t.Helper()
	cmd := p.tool(t, args...)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	errs, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return bufio.NewScanner(out), bufio.NewScanner(errs)
}

func TestTriggerMakesEveryEventOfTheCatalogueHappen(t *testing.T) {
	p := startDev(t)
	p.receives(t, http.StatusOK)
	var all []string
	for _, event := range httpapi.EventTypes() {
		all = append(all, event.Name)
		stdout, stderr, code := p.says(t, "trigger", event.Name)
		require.Zero(t, code, "%s: %s", event.Name, stderr)
		var came struct {
			ID, Type string
			Data     json.RawMessage
		}
		require.NoError(t, json.Unmarshal([]byte(stdout), &came))
		require.Equal(t, event.Name, came.Type)
		require.NotEmpty(t, came.Data)
	}
	require.ElementsMatch(t, all, slices.Collect(maps.Keys(triggers)), "every trigger is of an event of the catalogue")
	listed, _, code := p.says(t, "trigger")
	require.Zero(t, code)
	require.Equal(t, len(all), strings.Count(listed, "\n"))
	p.requireClean(t)
}

func TestTriggerPrintsTheEventAsItIsDelivered(t *testing.T) {
	p := startDev(t)
	printed, _, code := p.says(t, "trigger", "payment.failed")
	require.Zero(t, code)
	delivered, _, code := p.says(t, "events", "--events", "payment.failed")
	require.Zero(t, code)
	require.Equal(t, delivered, printed)
	require.Contains(t, printed, `"event":"payment.failed"`)
}

func TestWordsThatAreNotKnownAreRefused(t *testing.T) {
	p := startDev(t)
	for want, args := range map[string][]string{
		`--events: there is no event "payment.successs": the events are `:                               {"events", "--events", "payment.failed,payment.successs"},
		`--events: there is no event "nope"`:                                                            {"listen", "--forward-to", "http://127.0.0.1:1", "--events", "nope"},
		`--kind: there is no kind "nope": the kinds are api, page, money, event, webhook, clock, fault`: {"logs", "tail", "--kind", "nope"},
	} {
		_, stderr, code := p.says(t, args...)
		require.Equal(t, 80, code, stderr)
		require.Contains(t, stderr, want)
	}
}

func TestTriggerSaysWhatKeepsAnEventFromHappening(t *testing.T) {
	p := startDev(t)
	_, stderr, code := p.says(t, "trigger", "payment.sucess")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, `there is no event "payment.sucess": ferry trigger lists them`)
	_, stderr, code = p.says(t, "trigger", "webhook.test")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "POST /v1/webhook/test: 409: No webhook URL is set")
}

func TestExplainSaysWhyAnOrderIsNotPaid(t *testing.T) {
	p := startDev(t)
	p.data(t, http.MethodPost, "checkout/create", `{"public_key":"`+p.PublicKey+`","trx_id":"order-981","email":"ada@example.com","amount":1500000,"currency":"NGN"}`, new(any))
	stdout, _, code := p.says(t, "explain", "order-981")
	require.Zero(t, code)
	require.Contains(t, stdout, "payment pay_")
	require.Contains(t, stdout, "(order-981) is pending.\nThe payment of ₦15,000.00 is not paid yet. ₦15,000.00 are missing.")
	require.Contains(t, stdout, "\nNext:\n  payer: Send 10 USDC on Solana to ")
	require.Contains(t, stdout, "\n  payer: Transfer exactly ₦15,000.00 to account ")

	stdout, _, code = p.says(t, "explain", "--json", "order-981")
	require.Zero(t, code)
	var x struct{ Resource, Status string }
	require.NoError(t, json.Unmarshal([]byte(stdout), &x))
	require.Equal(t, "payment pending", x.Resource+" "+x.Status)

	_, stderr, code := p.says(t, "explain", "order-982")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, errUnknownName.Error())
}

func TestEventsPrintsWhatCameAndFollowsWhatComes(t *testing.T) {
	p := startDev(t)
	_, _, code := p.says(t, "trigger", "payment.pending")
	require.Zero(t, code)
	_, _, code = p.says(t, "trigger", "payment.success")
	require.Zero(t, code)
	stdout, _, code := p.says(t, "events")
	require.Zero(t, code)
	require.Equal(t, 2, strings.Count(stdout, "\n"), "one a line")
	stdout, _, _ = p.says(t, "events", "--events", "payment.success,payment.failed")
	require.Equal(t, 1, strings.Count(stdout, "\n"))
	require.Contains(t, stdout, `"type":"payment.success"`)

	followed, _ := p.lines(t, "events", "--follow", "--events", "payment.failed")
	_, _, code = p.says(t, "trigger", "payment.failed")
	require.Zero(t, code)
	require.True(t, followed.Scan())
	require.Contains(t, followed.Text(), `"type":"payment.failed"`)
}

func TestListenForwardsNewEventsSignedAndPrintsTheAnswers(t *testing.T) {
	p := startDev(t)
	_, _, code := p.says(t, "trigger", "payment.pending") // before it listens
	require.Zero(t, code)
	got := make(chan webhook.Received, 10)
	receiver := httptest.NewServer(webhook.Handler(func(_ context.Context, event webhook.Received) error {
		got <- event
		return nil
	}, p.WebhookSecret))
	t.Cleanup(receiver.Close)
	out, errs := p.lines(t, "listen", "--forward-to", receiver.URL+"/hooks?shop=7", "--events", "payment.pending,payment.success")
	require.True(t, errs.Scan())
	require.Contains(t, errs.Text(), "Ready")
	for _, kind := range []string{"payment.failed", "payment.success"} {
		_, _, code = p.says(t, "trigger", kind)
		require.Zero(t, code)
	}
	require.True(t, out.Scan())
	require.Regexp(t, `^payment\.success +evt_[0-9a-f]{32} -> 200 OK$`, out.Text())
	require.Equal(t, "payment.success", (<-got).Type, "the receiver verified the signature")

	_, stderr, code := p.says(t, "listen", "--forward-to", "localhost:3000")
	require.Equal(t, 80, code, "as any mistake of a command line")
	require.Contains(t, stderr, errForward.Error())
}

func TestDoctorSaysWhatIsWrongAndHowToMendIt(t *testing.T) {
	p := startDev(t)
	stdout, _, code := p.says(t, "doctor")
	require.Zero(t, code, "no webhook URL is no fault")
	for _, line := range []string{"ok    url ", "ok    version ", "ok    clock ", "ok    key          the key is valid, of the test environment", "note  webhook      no URL is set"} {
		require.Contains(t, stdout, line)
	}

	p.receives(t, http.StatusInternalServerError)
	_, _, code = p.says(t, "trigger", "payment.success")
	require.Zero(t, code)
	p.advance(t, "60")
	stdout, _, code = p.says(t, "doctor")
	require.Equal(t, exitFindings, code)
	require.Regexp(t, `FAIL  deliveries +the receiver answered 500 to the last event \(payment\.success\)`, stdout)
	require.Contains(t, stdout, "-> Look at the log of your receiver")

	p.advance(t, "86400")
	stdout, _, _ = p.says(t, "doctor", "--json")
	var found struct{ Checks []checked }
	require.NoError(t, json.Unmarshal([]byte(stdout), &found))
	ahead := slices.IndexFunc(found.Checks, func(c checked) bool { return c.Check == "sandbox" })
	require.Equal(t, noted, found.Checks[ahead].Verdict)
	require.Contains(t, found.Checks[ahead].Text, "24h1m0s ahead")
}

func TestDoctorTellsKeysApartAndServersThatDoNotAnswer(t *testing.T) {
	p := startDev(t)
	for key, mend := range map[string]string{
		"": "ferry dev prints a line with FERRY_KEY", p.PublicKey: "This is a public key", "sk_test_other": "Take a secret key that this server made",
	} {
		q := p
		q.SecretKey = key
		stdout, _, code := q.says(t, "doctor")
		require.Equal(t, exitFindings, code)
		require.Contains(t, stdout, "FAIL  key ")
		require.Contains(t, stdout, mend)
	}
	p.BaseURL = "http://127.0.0.1:1"
	stdout, _, code := p.says(t, "doctor")
	require.Equal(t, exitFindings, code)
	require.Contains(t, stdout, "FAIL  url          no server answers at http://127.0.0.1:1")
}

func TestDoctorSeesAClockThatIsWrong(t *testing.T) {
	strange := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", "Mon, 02 Mar 2026 09:15:00 GMT")
		_, _ = io.WriteString(w, "ready\n")
	}))
	t.Cleanup(strange.Close)
	stdout, _, code := process{ready: ready{serving: serving{BaseURL: strange.URL}}}.says(t, "doctor")
	require.Equal(t, exitFindings, code)
	require.Contains(t, stdout, "FAIL  clock        the clocks of the server and of this machine are ")
	require.Contains(t, stdout, "note  version      the server does not tell its version")
}

func TestResetEmptiesTheSandbox(t *testing.T) {
	p := startDev(t)
	_, _, code := p.says(t, "trigger", "payment.success")
	require.Zero(t, code)
	stdout, _, code := p.says(t, "reset")
	require.Zero(t, code)
	require.Contains(t, stdout, "The sandbox is empty")
	stdout, _, code = p.says(t, "events")
	require.Zero(t, code)
	require.Empty(t, stdout)
}

func TestShellsCompleteCommandsFlagsAndEvents(t *testing.T) {
	complete := func(line string) string {
		cmd := exec.CommandContext(t.Context(), binary, "complete", "ferry", "--f", "ferry") // as bash calls it
		cmd.Env = append(os.Environ(), "COMP_LINE="+line)
		out, err := cmd.Output()
		require.NoError(t, err)
		return string(out)
	}
	require.Equal(t, "explain\n", complete("ferry exp"))
	require.Equal(t, "rotate\n", complete("ferry keys rot"))
	require.Equal(t, "--follow\n", complete("ferry events --fo"))
	require.Equal(t, "payment.success\n", complete("ferry trigger payment.s"))
	require.Contains(t, complete("ferry "), "doctor\n")
	require.NotContains(t, complete("ferry "), "complete\n", "it is for shells")
	require.Empty(t, complete("ferry nothing-like-that x y z q"))
	for _, shell := range []string{"bash", "zsh", "fish"} {
		require.Contains(t, mustRun(t, "completion", shell), "ferry complete")
	}
	if bash, err := exec.LookPath("bash"); err == nil {
		require.NoError(t, exec.CommandContext(t.Context(), bash, "-c", mustRun(t, "completion", "bash")).Run(), "bash takes the line")
	}
}
