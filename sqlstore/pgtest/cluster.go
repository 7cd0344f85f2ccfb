//go:build unix

package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Options say what kind of cluster a test needs. The zero value is a fast one.
type Options struct {
	// Durable makes the cluster flush what it commits, as one in production
	// does: for tests of crashes.
	Durable bool
}

// Cluster is a PostgreSQL of one test, which may stop it, kill it and pause it.
type Cluster struct {
	keeper *keeper
	server *server
	paused []int // processes that stand still
}

// NewCluster starts a cluster that is removed when the test ends.
func NewCluster(t testing.TB, options Options) *Cluster {
	t.Helper()
	c, err := start(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.remove(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// start makes a cluster and starts it.
func start(options Options) (*Cluster, error) {
	dir, err := programs(installed)
	if err != nil {
		return nil, err
	}
	keeper, err := startKeeper(dir, place(options))
	if err != nil {
		return nil, err
	}
	address := &url.URL{
		Scheme: "postgres", User: url.User("postgres"), Path: "/postgres",
		RawQuery: url.Values{"host": {keeper.directory}}.Encode(),
	}
	c := &Cluster{keeper: keeper, server: newServer(address)}
	if err := c.create(options); err != nil {
		return nil, fmt.Errorf("%w (and: %v)", err, c.remove())
	}
	return c, nil
}

// fast are settings of a cluster that need not survive anything, and lies in memory.
const fast = `
fsync = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
min_wal_size = 32MB
max_wal_size = 64MB
autovacuum = off
`

// settings are those of every cluster: a socket in a directory that only its
// owner may enter is all there is of a network.
const settings = `
listen_addresses = ''
unix_socket_directories = '%s'
max_connections = 200
shared_buffers = 32MB
logging_collector = off
`

func (c *Cluster) create(options Options) error {
	if err := c.keeper.do("initdb -D data -U postgres -A trust -E UTF8 --locale=C --no-sync --no-instructions"); err != nil {
		return err
	}
	text := fmt.Sprintf(settings, c.keeper.directory)
	if !options.Durable {
		text += fast
	}
	if err := appendTo(filepath.Join(c.keeper.directory, "data", "postgresql.conf"), text); err != nil {
		return err
	}
	if err := c.Start(); err != nil || options.Durable {
		return err
	}
	return c.server.copyFiles()
}

func appendTo(path, text string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}

func (c *Cluster) remove() error { return c.keeper.end() }

// URL returns the URL of a fresh and empty database, which stays until the cluster
// is removed.
func (c *Cluster) URL(t testing.TB) string {
	t.Helper()
	name, err := c.server.create(empty)
	if err != nil {
		t.Fatal(err)
	}
	return c.server.database(name)
}

// Start starts the cluster again after Stop and returns when it answers, after
// it has recovered from its log.
func (c *Cluster) Start() error { return c.keeper.do("pg_ctl -D data -l log -t 120 start") }

// Mode is a way to stop.
type Mode string

const (
	// Fast rolls back what runs, disconnects everybody and shuts down cleanly.
	Fast Mode = "fast"
	// Immediate ends all processes at once: what follows is a recovery, as after
	// a crash.
	Immediate Mode = "immediate"
)

// Stop stops the cluster and returns when it has stopped.
func (c *Cluster) Stop(mode Mode) error {
	return c.keeper.do("pg_ctl -D data -t 120 -m " + string(mode) + " stop")
}

// Disconnect ends every connection of a client, and returns how many there were.
// A COMMIT that is under way may be cut off on either side of its effect.
func (c *Cluster) Disconnect() (int, error) {
	n, err := c.server.exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()")
	return int(n), err
}

// Pause makes every process of the cluster stand still: connections stay open,
// and nothing answers. Resume ends it.
func (c *Cluster) Pause() error {
	if err := c.pause(); err != nil {
		return errors.Join(fmt.Errorf("pgtest: pause: %w", err), c.Resume())
	}
	return nil
}

func (c *Cluster) pause() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.server.url.String())
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	// First the process that makes the others, so that none is missed.
	postmaster, err := c.postmaster()
	if err != nil {
		return err
	}
	if err := c.freeze(postmaster); err != nil {
		return err
	}
	rows, err := conn.Query(ctx, "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
	if err != nil {
		return err
	}
	processes, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		return err
	}
	return c.freeze(processes...)
}

// postmaster returns the first process of the cluster.
func (c *Cluster) postmaster() (int, error) {
	text, err := os.ReadFile(filepath.Join(c.keeper.directory, "data", "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return strconv.Atoi(string(line))
}

func (c *Cluster) freeze(processes ...int) error {
	for _, process := range processes {
		if err := send(process, syscall.SIGSTOP); err != nil {
			return err
		}
		c.paused = append(c.paused, process)
	}
	return nil
}

// Resume lets a cluster go on that Pause has stopped.
func (c *Cluster) Resume() error {
	var errs []error
	for _, process := range c.paused {
		errs = append(errs, send(process, syscall.SIGCONT))
	}
	c.paused = nil
	return errors.Join(errs...)
}

// send sends a signal to a process, if it is still there.
func send(process int, signal syscall.Signal) error {
	if err := syscall.Kill(process, signal); !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}
