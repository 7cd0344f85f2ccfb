package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// binary is the command as TestMain built it.
var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "ferry-test-*")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "ferry")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// process is a running `ferry dev --json`.
type process struct {
	ready
	cmd    *exec.Cmd
	stdout *bufio.Reader
}

func startDev(t *testing.T, args ...string) process {
	t.Helper()
	return startCommand(t, exec.Command(binary, append([]string{"dev", "--addr", "127.0.0.1:0", "--json"}, args...)...))
}

func startCommand(t *testing.T, cmd *exec.Cmd) process {
	t.Helper()
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	p := process{cmd: cmd, stdout: bufio.NewReader(stdout)}
	line, err := p.stdout.ReadBytes('\n')
	require.NoError(t, err)
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&p.ready))
	return p
}

func (p process) get(t *testing.T, path string) (int, string) {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, p.BaseURL+path, nil)
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+p.SecretKey)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(body)
}

// run runs another command of the binary against a process.
func (p process) run(t *testing.T, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(p.cmd.Path, args...)
	cmd.Env = append(os.Environ(), "FERRY_URL="+p.BaseURL, "FERRY_KEY="+p.SecretKey)
	out, err := cmd.Output()
	if err != nil {
		require.IsType(t, &exec.ExitError{}, err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func TestDevPrintsOneReadyLineServesAndDrains(t *testing.T) {
	p := startDev(t)
	require.Regexp(t, `^http://127\.0\.0\.1:\d+$`, p.BaseURL)
	require.True(t, strings.HasPrefix(p.SecretKey, "sk_test_"))
	require.True(t, strings.HasPrefix(p.PublicKey, "pk_test_"))
	require.True(t, strings.HasPrefix(p.WidgetKey, "rwpk_test_"))
	require.True(t, strings.HasPrefix(p.WebhookSecret, "whsec_test_"))
	require.Equal(t, "whsec_"+strings.TrimPrefix(p.WebhookSecret, "whsec_test_"), p.StandardSecret)
	require.Regexp(t, `^biz_[0-9a-f]{32}$`, p.BusinessID)
	require.Regexp(t, `^bank_[0-9a-f]{32}$`, p.SourceBankAccountID)
	require.Regexp(t, `^\d{10}$`, p.SourceAccountNumber)

	for path, want := range map[string]string{
		"/healthz":      "ok",
		"/readyz":       "ready",
		"/openapi.json": `"openapi": "3.1`,
		"/v1/business":  string(p.BusinessID),
	} {
		status, body := p.get(t, path)
		require.Equal(t, http.StatusOK, status, path)
		require.True(t, strings.Contains(body, want), path)
	}

	for _, path := range []string{"/v1//business", "/v1/wallets/../business"} {
		status, body := p.get(t, path)
		require.Equal(t, http.StatusNotFound, status, path)
		require.Contains(t, body, `"code":"not_found"`, "no redirect")
	}

	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	rest, err := io.ReadAll(p.stdout)
	require.NoError(t, err)
	require.Empty(t, rest, "the ready line is all that goes to standard output")
	require.NoError(t, p.cmd.Wait(), "it exits 0")
}

func TestKeysAndAuditWorkAgainstARunningServer(t *testing.T) {
	p := startDev(t)
	out, code := p.run(t, "keys", "create", "--type", "secret", "--label", "ci")
	require.Zero(t, code)
	var made struct{ ID, Key, Label string }
	require.NoError(t, json.Unmarshal([]byte(out), &made))
	require.Equal(t, "ci", made.Label)

	out, code = p.run(t, "keys", "list")
	require.Zero(t, code)
	require.Contains(t, out, made.ID)
	require.NotContains(t, out, made.Key)

	_, code = p.run(t, "keys", "rotate", "--id", made.ID, "--overlap", "1h")
	require.Zero(t, code)
	_, code = p.run(t, "keys", "revoke", made.ID)
	require.Zero(t, code)
	_, code = p.run(t, "keys", "revoke", "key_00000000000000000000000000000000")
	require.NotZero(t, code)

	out, code = p.run(t, "audit")
	require.Zero(t, code)
	require.JSONEq(t, `{"clean":true,"findings":[]}`, out)
	_, code = p.run(t, "audit", "--key", "sk_test_wrong")
	require.Equal(t, exitCannotTell, code)
}

func TestASeedFixesIdentifiersAndKeys(t *testing.T) {
	a, b, other := startDev(t, "--seed", "7"), startDev(t, "--seed", "7"), startDev(t, "--seed", "8")
	b.serving = a.serving
	require.Equal(t, a.ready, b.ready)
	for _, pair := range [][2]string{
		{a.SecretKey, other.SecretKey}, {a.PublicKey, other.PublicKey}, {a.WidgetKey, other.WidgetKey}, {a.WebhookSecret, other.WebhookSecret},
	} {
		require.NotEqual(t, pair[0], pair[1])
	}
}

func TestTheBannerSaysWhatToDoNext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "dev", "--addr", "127.0.0.1:0")
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var text strings.Builder
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		text.WriteString(lines.Text() + "\n")
		if strings.Contains(lines.Text(), "Ctrl-C") {
			break
		}
	}
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.NoError(t, cmd.Wait())
	for _, want := range []string{"export FERRY_URL=http://127.0.0.1:", "export FERRY_KEY=sk_test_", "export FERRY_WEBHOOK_SECRET=whsec_test_", "curl"} {
		require.Contains(t, text.String(), want)
	}
}

func TestAnAddressInUseIsAClearError(t *testing.T) {
	p := startDev(t)
	cmd := exec.Command(binary, "dev", "--addr", strings.TrimPrefix(p.BaseURL, "http://"))
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "address already in use")
}
