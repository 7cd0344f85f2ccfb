//go:build postgres && unix

package sqlstore_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/internal/sqltest"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/postgres"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storetest"
	"github.com/ferrypay/ferry/webhook"
)

// open opens one more store on a database, as another server would.
func openServer(t *testing.T, url string) *sqlstore.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		require.NoError(t, s.Close(ctx))
	})
	return s
}

func TestTwoServersLeaveNoStreamWaitingThatMaySend(t *testing.T) {
	url := pgtest.URL(t)
	storetest.Deliveries(t, openServer(t, url), openServer(t, url))
}

func TestARowOfBeforeAResetIsNotTakenForTheOneThatAnotherServerMadeSince(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	one, two := openServer(t, url), openServer(t, url)
	put := func(target string, at time.Time) func(context.Context, store.Ports) error {
		return func(ctx context.Context, p store.Ports) error {
			return webhook.EndpointKind.Put(ctx, p, webhook.Endpoint{Scope: scope, URL: target, CreatedAt: at, UpdatedAt: at})
		}
	}
	require.NoError(t, two.Write(t.Context(), put("https://example.com/before", noon)))
	require.NoError(t, one.Reset(t.Context()))
	require.NoError(t, one.Write(t.Context(), put("https://example.com/since", noon.Add(time.Second))))
	target := ""
	require.NoError(t, two.Write(t.Context(), func(ctx context.Context, p store.Ports) error {
		e, err := webhook.EndpointOf(ctx, p, scope)
		target = e.URL
		return errors.Join(err, sqltest.Count("other")(ctx, p))
	}))
	require.Equal(t, "https://example.com/since", target)
}

func TestAReaderWhoLeavesDisturbsNoOther(t *testing.T) {
	s := openServer(t, pgtest.URL(t))
	read := func(ctx context.Context, query string) error {
		return s.Read(ctx, func(ctx context.Context, p store.Ports) error {
			own, err := sqlstore.OwnOf(p)
			require.NoError(t, err)
			return own.Query(ctx, query, nil, func(func(...any) error) error { return nil })
		})
	}
	for range 3 {
		leaving, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		require.Error(t, read(leaving, "SELECT pg_sleep(5)"))
		cancel()
		require.NoError(t, read(t.Context(), "SELECT 1"))
	}
}

const (
	takeUnitLock  = "SELECT pg_advisory_xact_lock(28821989845696513)" // 0x66657272790001
	takeWorldLock = "SELECT pg_advisory_xact_lock(28821989845696514)"
)

// A server that stands still keeps its connections open. Each of these leaves a
// backend that has the lock of the commits in a place where it waits for its
// client.
func TestAServerThatStandsStillInACommitIsCutOff(t *testing.T) {
	for place, leave := range map[string]func(t *testing.T, conn *pgconn.PgConn, lock string){
		"between two round trips": func(t *testing.T, conn *pgconn.PgConn, lock string) {
			require.NoError(t, conn.Exec(t.Context(), "BEGIN; "+lock).Close())
		},
		"when it has sent a part of its statements": func(t *testing.T, conn *pgconn.PgConn, lock string) {
			p := conn.StartPipeline(context.Background())
			p.SendQueryParams(lock, nil, nil, nil, nil)
			p.SendFlushRequest()
			require.NoError(t, p.Flush())
			_, err := p.GetResults()
			require.NoError(t, err)
		},
		"in the middle of a statement": func(t *testing.T, conn *pgconn.PgConn, lock string) {
			p := conn.StartPipeline(context.Background())
			p.SendQueryParams(lock, nil, nil, nil, nil)
			p.SendFlushRequest()
			require.NoError(t, p.Flush())
			_, err := p.GetResults()
			require.NoError(t, err)
			_, err = conn.Conn().Write([]byte("P\x00\x00\x10\x00half"))
			require.NoError(t, err)
		},
		"with answers that it does not read": func(t *testing.T, conn *pgconn.PgConn, lock string) {
			_, err := conn.Conn().Write(query("BEGIN; " + lock + "; SELECT repeat('x', 1000) FROM generate_series(1, 100000)"))
			require.NoError(t, err)
			_, err = conn.Conn().Read(make([]byte, 1)) // it answers when it has the lock and many rows
			require.NoError(t, err)
		},
	} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			url := pgtest.URL(t)
			s := openServer(t, url)
			require.NoError(t, s.Write(t.Context(), openBooks))
			stopped, err := pgconn.Connect(t.Context(), url)
			require.NoError(t, err)
			defer func() { _ = stopped.Conn().Close() }()

			requireSoon(t, func(ctx context.Context) error {
				leave(t, stopped, takeUnitLock)
				return s.Write(ctx, deposit("first"))
			})
			require.EqualValues(t, 1, posted(t, s))
		})
	}
}

func TestAServerKnowsTheWorldThatAnotherHasChanged(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	one, two := openServer(t, url).World(), openServer(t, url).World()
	put := func(value string) {
		require.NoError(t, two.Update(t.Context(), func(kv sandbox.KV) error {
			return errors.Join(kv.Put("a", []byte(value)), kv.Put("k/"+value, []byte(value)))
		}))
	}
	read := func(kv sandbox.KV, key string) string {
		doc, _, err := kv.Get(key)
		require.NoError(t, err)
		return string(doc)
	}
	put("1")
	for i := 2; i < 20; i++ {
		last, now := strconv.Itoa(i-1), strconv.Itoa(i)
		require.NoError(t, one.View(t.Context(), 0, func(kv sandbox.KV) error {
			require.Equal(t, last, read(kv, "a"), "at once")
			return nil
		}))
		put(now)
		runs := 0
		require.NoError(t, one.View(t.Context(), time.Hour, func(kv sandbox.KV) error {
			runs++
			a, b := read(kv, "a"), ""
			docs, err := kv.Scan("k/", "", 100+i) // is known of no state
			if err != nil {
				return err
			}
			if b = string(docs[len(docs)-1].Data); len(docs) < 10 {
				require.Equal(t, a, b, "of one state")
			}
			return nil
		}))
		require.Equal(t, 2, runs, "what was known is of another version than what was read")
		require.NoError(t, one.Update(t.Context(), func(kv sandbox.KV) error {
			require.Equal(t, now, read(kv, "a"), "an update begins with the newest state")
			return nil
		}))
	}
}

// An update of the world holds connections that others need to look at it.
func TestAServerThatStandsStillInTheWorldIsCutOff(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	world := openServer(t, url).World()
	stopped, err := pgconn.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { _ = stopped.Conn().Close() }()
	require.NoError(t, stopped.Exec(t.Context(), "BEGIN; "+takeWorldLock).Close())

	requireSoon(t, func(ctx context.Context) error {
		errs := make([]error, 32)
		var updates sync.WaitGroup
		for i := range errs {
			updates.Go(func() {
				errs[i] = world.Update(ctx, func(kv sandbox.KV) error { return kv.Put("key", nil) })
			})
		}
		looking, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		time.Sleep(100 * time.Millisecond)
		err := world.View(looking, 0, func(kv sandbox.KV) error { _, _, err := kv.Get("key"); return err })
		updates.Wait()
		return errors.Join(append(errs, err)...)
	})
}

// requireSoon requires that something is done although a server stands still: it
// is cut off after 5 seconds, which are noticed after 1.
func requireSoon(t *testing.T, do func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 12*time.Second)
	defer cancel()
	began := time.Now()
	require.NoError(t, do(ctx))
	require.Greater(t, time.Since(began), 4*time.Second, "it was there")
}

// query is the message of a simple query.
func query(sql string) []byte {
	n := len(sql) + 5
	var b strings.Builder
	b.WriteByte('Q')
	b.Write([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
	b.WriteString(sql)
	b.WriteByte(0)
	return []byte(b.String())
}
