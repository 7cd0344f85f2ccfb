package crash_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/failpoint"
)

// lease is how long a server that dies on PostgreSQL still holds what it worked on. On SQLite a
// lease ends with its process.
const lease = 5 * time.Second

// server is a running `ferry dev --json`.
type server struct {
	ready

	cmd  *exec.Cmd
	gone chan struct{} // closed when the process has ended
}

// ready is what a server prints when it is.
type ready struct {
	BaseURL             string `json:"base_url"`
	SecretKey           string `json:"secret_key"`
	WebhookSecret       string `json:"webhook_secret"`
	BusinessID          string `json:"business_id"`
	SourceAccountNumber string `json:"source_account_number"`
	FeePayer            string `json:"fee_payer"` // on a real chain
}

// death is how and when a server dies.
type death struct {
	// place is where it kills itself, at so many visits; none leaves it to
	// the harness.
	place  failpoint.Place
	visits int
}

// launch starts a server on a store, by way of another command if one is given;
// its log goes to a file. The server is not ready yet.
func launch(t *testing.T, store string, log *os.File, d death, by ...string) (*server, <-chan []byte) {
	t.Helper()
	args := append(by, program, "dev", "--store", store, "--json", "--addr", "127.0.0.1:0", "--seed", "1", "--lease", lease.String())
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Stderr = log
	cmd.Env = os.Environ()
	if d.place != "" {
		cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%s:%d", failpoint.Variable, d.place, d.visits))
	}
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	s, first := &server{cmd: cmd, gone: make(chan struct{})}, make(chan []byte, 1)
	go func() {
		lines := bufio.NewReader(out)
		if line, err := lines.ReadBytes('\n'); err == nil {
			first <- line
		}
		close(first)
		_, _ = io.Copy(io.Discard, lines)
		_ = cmd.Wait()
		close(s.gone)
	}()
	t.Cleanup(func() { s.kill(t) })
	return s, first
}

// start launches a server and waits until it is ready. It returns nil when the
// server died before.
func start(t *testing.T, store string, log *os.File, d death, by ...string) *server {
	t.Helper()
	s, first := launch(t, store, log, d, by...)
	line, lives := <-first
	if !lives {
		<-s.gone
		require.False(t, s.cmd.ProcessState.Exited(), "the server ended by itself:\n%s", tail(log.Name()))
		return nil
	}
	require.NoError(t, json.Unmarshal(line, &s.ready), "%s", line)
	return s
}

// kill ends a server with no time to do anything.
func (s *server) kill(t *testing.T) {
	t.Helper()
	_ = s.cmd.Process.Kill() // it may have ended
	<-s.gone
}

// diesWithin reports whether a server ends within a time.
func (s *server) diesWithin(d time.Duration) bool {
	select {
	case <-s.gone:
		return true
	case <-time.After(d):
		return false
	}
}

// tail is the end of a file.
func tail(name string) string {
	const length = 4 << 10
	all, _ := os.ReadFile(name)
	return string(all[max(0, len(all)-length):])
}

// complaints are the lines of a server's log that no crash excuses.
func complaints(t *testing.T, name string, fails bool) (found []string) {
	all, err := os.ReadFile(name)
	require.NoError(t, err)
	for line := range bytes.Lines(all) {
		text := string(line)
		if strings.Contains(text, "panic") || strings.Contains(text, "DATA RACE") || !fails && strings.Contains(text, "status=500") {
			found = append(found, text)
		}
	}
	return found
}
