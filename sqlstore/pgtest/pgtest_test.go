//go:build postgres && unix

package pgtest_test

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore/pgtest"
)

// abandoned is set for the copies of this test binary that start a cluster and
// do not clean up.
const abandoned = "PGTEST_ABANDONED"

func TestMain(m *testing.M) { pgtest.Main(m) }

func connect(t testing.TB, url string) *pgx.Conn {
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func ask[T any](t testing.TB, conn *pgx.Conn, question string) (answer T) {
	require.NoError(t, conn.QueryRow(t.Context(), question).Scan(&answer))
	return answer
}

func do(t testing.TB, conn *pgx.Conn, statement string) {
	_, err := conn.Exec(t.Context(), statement)
	require.NoError(t, err)
}

// directory is where the cluster of a URL lies.
func directory(t testing.TB, database string) string {
	u, err := url.Parse(database)
	require.NoError(t, err)
	return u.Query().Get("host")
}

func TestEveryTestHasAnEmptyDatabaseOfItsOwn(t *testing.T) {
	first, second := connect(t, pgtest.URL(t)), connect(t, pgtest.URL(t))
	do(t, first, "CREATE TABLE here (id text)")
	const tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
	require.Equal(t, 1, ask[int](t, first, tables))
	require.Equal(t, 0, ask[int](t, second, tables))
}

func TestADatabaseIsDroppedAlthoughSomebodyIsConnected(t *testing.T) {
	watcher := connect(t, pgtest.URL(t))
	var name string
	t.Run("a test that leaves its connection open", func(t *testing.T) {
		conn, err := pgx.Connect(t.Context(), pgtest.URL(t))
		require.NoError(t, err)
		name = ask[string](t, conn, "SELECT current_database()")
		require.Equal(t, 1, ask[int](t, watcher, "SELECT count(*) FROM pg_database WHERE datname = '"+name+"'"))
	})
	require.Equal(t, 0, ask[int](t, watcher, "SELECT count(*) FROM pg_database WHERE datname = '"+name+"'"))
}

func TestCopiesShareWhatWasPreparedAndNothingElse(t *testing.T) {
	prepared := 0
	prepare := func(url string) error {
		prepared++
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			return err
		}
		if _, err := conn.Exec(t.Context(), "CREATE TABLE notes (text text)"); err != nil {
			return err
		}
		return conn.Close(t.Context())
	}
	first, second := connect(t, pgtest.Copy(t, "notes", prepare)), connect(t, pgtest.Copy(t, "notes", prepare))
	do(t, first, "INSERT INTO notes VALUES ('here')")
	require.Equal(t, 1, ask[int](t, first, "SELECT count(*) FROM notes"))
	require.Equal(t, 0, ask[int](t, second, "SELECT count(*) FROM notes"))
	require.Equal(t, 1, prepared)
}

// shop prepares a table with a row and a counter that has counted one.
func shop(url string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, `
		CREATE TABLE shops (no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text);
		CREATE TABLE orders (shop bigint REFERENCES shops, text text);
		CREATE SEQUENCE numbers;
		INSERT INTO shops (name) VALUES ('the first')`); err != nil {
		return err
	}
	return conn.Close(ctx)
}

// used is the database of a test that does something to it.
func used(t *testing.T, statement string) (name string) {
	t.Run(statement, func(t *testing.T) {
		conn := connect(t, pgtest.Copy(t, "shop", shop))
		name = ask[string](t, conn, "SELECT current_database()")
		require.Equal(t, "the first", ask[string](t, conn, "SELECT string_agg(name, ', ') FROM shops"))
		require.Zero(t, ask[int](t, conn, "SELECT count(*) FROM orders"))
		require.EqualValues(t, 1, ask[int64](t, conn, "SELECT nextval('numbers')"))
		require.EqualValues(t, 2, ask[int64](t, conn, "INSERT INTO shops (name) VALUES ('another') RETURNING no"))
		do(t, conn, statement)
	})
	return name
}

func TestACopyIsUsedAgainAsIfItWereNew(t *testing.T) {
	first := used(t, "INSERT INTO orders VALUES (1, 'one'), (2, 'two')")
	require.Equal(t, first, used(t, "UPDATE shops SET name = 'changed'"))
	require.Equal(t, first, used(t, "DELETE FROM shops"))
	require.Equal(t, first, used(t, "INSERT INTO orders SELECT 2, repeat('much', 100) FROM generate_series(1, 2000)"))
	require.Equal(t, first, used(t, "SELECT setval('numbers', 100)"))
}

func TestACopyOfAnotherFormIsNotUsedAgain(t *testing.T) {
	for _, statement := range []string{
		"CREATE TABLE more (id text)", "ALTER TABLE orders ADD COLUMN more text", "CREATE INDEX ON orders (text)", "DROP TABLE orders",
		"CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1'", "CREATE SCHEMA more", "ALTER TABLE shops ADD CHECK (name <> '')",
		"CREATE ROLE reader; GRANT SELECT ON shops TO reader",
	} {
		require.NotEqual(t, used(t, statement), used(t, "SELECT"), statement)
	}
}

func TestAClusterIsPrivate(t *testing.T) {
	database := pgtest.NewCluster(t, pgtest.Options{}).URL(t)
	require.Empty(t, ask[string](t, connect(t, database), "SHOW listen_addresses"))
	info, err := os.Stat(directory(t, database))
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o700), info.Mode().Perm())
	owner := info.Sys().(*syscall.Stat_t).Uid
	require.NotZero(t, owner, "not as root")
	if uid := os.Getuid(); uid != 0 {
		require.EqualValues(t, uid, owner)
	}
}

func TestTwoClustersRunAtOnce(t *testing.T) {
	first, second := pgtest.NewCluster(t, pgtest.Options{}).URL(t), pgtest.NewCluster(t, pgtest.Options{}).URL(t)
	require.NotEqual(t, directory(t, first), directory(t, second))
	const identity = "SELECT system_identifier FROM pg_control_system()"
	require.NotEqual(t, ask[int64](t, connect(t, first), identity), ask[int64](t, connect(t, second), identity))
}

func TestAClusterIsRemovedWhenItsTestEnds(t *testing.T) {
	var dir string
	var server int
	t.Run("a test", func(t *testing.T) {
		dir = directory(t, pgtest.NewCluster(t, pgtest.Options{}).URL(t))
		server = postmaster(t, dir)
	})
	require.NoDirExists(t, dir)
	require.True(t, ended(server))
}

func TestWhatADurableClusterAcknowledgedIsThereAfterACrash(t *testing.T) {
	c := pgtest.NewCluster(t, pgtest.Options{Durable: true})
	database := c.URL(t)
	conn := connect(t, database)
	require.Equal(t, "on", ask[string](t, conn, "SHOW fsync"))
	do(t, conn, "CREATE TABLE notes (text text)")
	do(t, conn, "INSERT INTO notes VALUES ('kept')")
	require.NoError(t, c.Stop(pgtest.Immediate))
	_, err := conn.Exec(t.Context(), "INSERT INTO notes VALUES ('lost')")
	require.Error(t, err)
	require.NoError(t, c.Start())
	require.Equal(t, 1, ask[int](t, connect(t, database), "SELECT count(*) FROM notes"))
	require.NoError(t, c.Stop(pgtest.Fast))
	require.NoError(t, c.Start())
}

func TestDisconnectEndsTheConnectionsOfEverybody(t *testing.T) {
	c := pgtest.NewCluster(t, pgtest.Options{})
	database := c.URL(t)
	first, second := connect(t, database), connect(t, database)
	n, err := c.Disconnect()
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.Error(t, first.Ping(t.Context()))
	require.Error(t, second.Ping(t.Context()))
	require.NoError(t, connect(t, database).Ping(t.Context()))
}

func TestAPausedClusterAnswersOnceItIsResumed(t *testing.T) {
	c := pgtest.NewCluster(t, pgtest.Options{})
	conn := connect(t, c.URL(t))
	require.NoError(t, c.Pause())
	answered := make(chan error, 1)
	go func() { answered <- conn.Ping(context.Background()) }()
	select {
	case err := <-answered:
		t.Fatal("a paused cluster answered", err)
	case <-time.After(100 * time.Millisecond):
	}
	require.NoError(t, c.Resume())
	require.NoError(t, <-answered)
}

func TestNothingStaysBehindWhenTheTestBinaryIsKilled(t *testing.T) {
	for _, how := range []string{"running", "paused"} {
		t.Run(how, func(t *testing.T) {
			dir, server := abandon(t, how)
			require.Eventually(t, func() bool { return gone(dir) && ended(server) }, time.Minute, 10*time.Millisecond)
		})
	}
}

// abandon has another process start a cluster, kills that process and returns
// where the cluster was, and its process, once it was seen there.
func abandon(t *testing.T, how string) (dir string, server int) {
	binary, err := os.Executable()
	require.NoError(t, err)
	child := exec.Command(binary, "-test.run", "^TestThatIsKilled$", "-test.v")
	child.Env = append(os.Environ(), abandoned+"="+how)
	stdout, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	for lines := bufio.NewScanner(stdout); dir == "" && lines.Scan(); {
		_, dir, _ = strings.Cut(lines.Text(), "cluster in ")
	}
	require.NotEmpty(t, dir)
	server = postmaster(t, dir) // before it is gone
	require.NoError(t, child.Process.Kill())
	_ = child.Wait() // it was killed
	return dir, server
}

// TestThatIsKilled is what abandon runs; otherwise there is nothing to test.
func TestThatIsKilled(t *testing.T) {
	how := os.Getenv(abandoned)
	if how == "" {
		return
	}
	c := pgtest.NewCluster(t, pgtest.Options{})
	database := c.URL(t)
	if how == "paused" {
		require.NoError(t, c.Pause())
	}
	fmt.Println("cluster in", directory(t, database))
	select {}
}

// postmaster is the process of the cluster in a directory.
func postmaster(t *testing.T, dir string) (pid int) {
	text, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	require.NoError(t, err)
	_, err = fmt.Sscan(string(text), &pid)
	require.NoError(t, err)
	return pid
}

func gone(dir string) bool {
	_, err := os.Stat(dir)
	return os.IsNotExist(err)
}

// ended reports whether a process has ended, even if nobody has asked how.
func ended(pid int) bool {
	if syscall.Kill(pid, 0) == syscall.ESRCH {
		return true
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(status), ") Z ")
}
