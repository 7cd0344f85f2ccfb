package bench_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// process is a server in a process of its own, and a client of it.
type process struct {
	serving
	server int // its process
	// database returns the processes of PostgreSQL that work for the server at present.
	database func(b *testing.B) []int
	client   *http.Client
	// serial numbers requests, so that each transfer has a reference of its own.
	serial atomic.Int64
}

// start runs this program again as a server, with more in its environment.
func start(b *testing.B, what string, environment ...string) *process {
	b.Helper()
	if runtime.GOOS != "linux" {
		b.Skip("the processor time of another process is read in /proc")
	}
	program, err := os.Executable()
	require.NoError(b, err)
	command := exec.CommandContext(b.Context(), program)
	command.Env = append(append(os.Environ(), served+"="+what), environment...)
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	require.NoError(b, err)
	output, err := command.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, command.Start())
	b.Cleanup(func() {
		_ = input.Close()
		_ = command.Wait()
	})
	p := &process{
		server:   command.Process.Pid,
		database: func(*testing.B) []int { return nil },
		client:   loopbackClient(),
	}
	require.NoError(b, json.NewDecoder(output).Decode(&p.serving))
	return p
}

// processorTime is how long the threads of processes have run, in user mode and
// in the kernel.
func processorTime(b *testing.B, pids ...int) (sum time.Duration) {
	b.Helper()
	for _, pid := range pids {
		threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
		require.NoError(b, err)
		for _, thread := range threads {
			text, err := os.ReadFile(thread)
			if err != nil {
				continue // it has ended
			}
			ran, err := strconv.ParseInt(strings.Fields(string(text))[0], 10, 64)
			require.NoError(b, err)
			sum += time.Duration(ran)
		}
	}
	return sum
}

// used is how long the server has run, and the processes of PostgreSQL that work for it.
func (p *process) used(b *testing.B) (server, database time.Duration) {
	b.Helper()
	return processorTime(b, p.server), processorTime(b, p.database(b)...)
}

// measure sends b.N requests, some at once, and reports how much processor time
// the server and PostgreSQL took for each, together and one by one, until all that
// they left to be done later is done.
func (p *process) measure(b *testing.B, callers int, send func(b *testing.B, n int64)) {
	b.Helper()
	b.ResetTimer()
	server, database := p.spend(b, b.N, callers, send)
	b.ReportMetric(float64(server+database)/float64(b.N), "cpu-ns/op")
	if database > 0 {
		b.ReportMetric(float64(server)/float64(b.N), "server-ns/op")
		b.ReportMetric(float64(database)/float64(b.N), "database-ns/op")
	}
}

// spend sends n requests, some at once, and returns the processor time that the server and
// PostgreSQL took for them, until all that they left to be done later is done. The timer
// stops when they are answered.
func (p *process) spend(b *testing.B, n, callers int, send func(b *testing.B, n int64)) (server, database time.Duration) {
	b.Helper()
	var left atomic.Int64
	left.Store(int64(n))
	var sending sync.WaitGroup
	server, database = p.used(b)
	for range callers {
		sending.Go(func() {
			for left.Add(-1) >= 0 {
				send(b, p.serial.Add(1))
			}
		})
	}
	sending.Wait()
	b.StopTimer()
	p.rest(b)
	serverAfter, databaseAfter := p.used(b)
	return serverAfter - server, databaseAfter - database
}

// rest waits until the server has little to do: below a tenth of a processor.
func (p *process) rest(b *testing.B) {
	const pause = 100 * time.Millisecond
	for range 100 {
		server, database := p.used(b)
		time.Sleep(pause)
		serverAfter, databaseAfter := p.used(b)
		if serverAfter+databaseAfter-server-database < pause/10 {
			return
		}
	}
	b.Error("the server does not come to rest")
}

// warm sends requests that are not measured, for connections, prepared
// statements and caches.
func (p *process) warm(b *testing.B, callers int, send func(b *testing.B, n int64)) {
	b.Helper()
	var warming sync.WaitGroup
	for range callers {
		warming.Go(func() {
			for range 20 {
				send(b, p.serial.Add(1))
			}
		})
	}
	warming.Wait()
	p.rest(b)
}

const transferBody = `{"from_address":%q,"to_address":%q,"amount":0.01,"network":"Solana","asset":"USDC","reference":%q}`

// transfer sends one transfer with an idempotency key of its own.
func (p *process) transfer(b *testing.B, n int64) {
	do(b, p.client, http.MethodPost, p.URL+"/v1/wallets/transfer", p.Key, fmt.Sprintf("key-%d", n), p.body(n))
}

// body is a transfer between two of the wallets.
func (p *process) body(n int64) string {
	from, to := p.Addresses[2*n%rich], p.Addresses[(2*n+1)%rich]
	return fmt.Sprintf(transferBody, from, to, fmt.Sprintf("transfer-%d-of-a-shop", n))
}
