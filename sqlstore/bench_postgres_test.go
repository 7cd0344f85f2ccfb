//go:build postgres

package sqlstore_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/postgres"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/webhook"
)

// BenchmarkPostgres posts transfers through the port, each in a unit of its own.
// It stands beside two yardsticks on the same server and the same tables. hand is
// the whole transfer as one function on the server, one round trip and one commit
// for each caller. naive is what programs do that think in objects: they lock
// what they read and write it back, eight round trips.
//
// spread is a thousand accounts in turn; hot takes every transfer from one.
func BenchmarkPostgres(b *testing.B) {
	url := pgtest.NewCluster(b, pgtest.Options{Durable: true}).URL(b)
	s, err := postgres.Open(b.Context(), url)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, s.Close(context.Background())) })
	require.NoError(b, s.Write(b.Context(), openBenchBooks))
	hand, naive := handWrittenOn(b, url)
	post := func(from, to ledger.AccountID, n int64) error {
		return s.Write(context.Background(), transferBetween(from, to, n))
	}
	var last atomic.Int64
	measure := func(name string, callers int, accounts func(n int64) (from, to ledger.AccountID), do func(from, to ledger.AccountID, n int64) error) {
		b.Run(name, func(b *testing.B) {
			concurrently(b, callers, func() error {
				n := last.Add(1)
				from, to := accounts(n)
				return do(from, to, n)
			})
		})
	}
	for _, callers := range []int{1, 8, 32} {
		measure(fmt.Sprintf("spread/callers=%d/post", callers), callers, spreadAccounts, post)
		measure(fmt.Sprintf("spread/callers=%d/hand", callers), callers, spreadAccounts, hand)
	}
	measure("hot/callers=32/post", 32, hotAccount, post)
	measure("hot/callers=32/hand", 32, hotAccount, hand)
	measure("hot/callers=32/naive", 32, hotAccount, naive)
}

// BenchmarkPostgresPage reads pages of a list, with its total, of 10,000 rows and
// of a million: the first, the last, and the one in the middle.
func BenchmarkPostgresPage(b *testing.B) {
	url := pgtest.NewCluster(b, pgtest.Options{}).URL(b)
	s, err := postgres.Open(b.Context(), url)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, s.Close(context.Background())) })
	conn, err := pgx.Connect(b.Context(), url)
	require.NoError(b, err)
	b.Cleanup(func() { _ = conn.Close(context.Background()) })
	lists := map[string]int{"short": 10_000, "long": 1_000_000}
	for business, rows := range lists {
		_, err := conn.Exec(b.Context(), `INSERT INTO webhook_attempts (id, env, business, event, type, number, status, error, duration, sent, created_at, version)
			SELECT $1 || '_' || n, 'test', $1, 'evt_' || n / 3, 'stablecoin.received', 1, 200, '', 1000000, TRUE, 1770000000000000 + n * 1000, 1
			FROM generate_series(1, $2::bigint) AS n`, business, rows)
		require.NoError(b, err)
		_, err = conn.Exec(b.Context(), "INSERT INTO counters (list, rows) VALUES ($1, $2)", "webhook_attempts/test/"+business, rows)
		require.NoError(b, err)
	}
	_, err = conn.Exec(b.Context(), "VACUUM ANALYZE")
	require.NoError(b, err)
	for _, name := range []string{"short", "long"} {
		pages := lists[name] / 20
		for _, page := range []struct {
			name   string
			number int
		}{{"first", 1}, {"last", pages}, {"middle", pages / 2}} {
			b.Run(name+"/"+page.name, func(b *testing.B) {
				for b.Loop() {
					readPage(b, s, ferry.Scope{Business: ferry.BusinessID(name), Env: ferry.Test}, ferry.Page{Number: page.number, Limit: 20}, lists[name])
				}
			})
		}
	}
}

func readPage(b *testing.B, s *sqlstore.Store, scope ferry.Scope, page ferry.Page, total int) {
	list, err := ferry.InRead(context.Background(), s, func(ctx context.Context, p store.Ports) (ferry.List[webhook.Attempt], error) {
		return webhook.AttemptKind.Page(ctx, p, scope, records.Query{}, page)
	})
	require.NoError(b, err)
	require.Equal(b, total, list.Total)
	require.Len(b, list.Data, 20)
}

// spreadAccounts gives pairs of which no two share an account in one order and in
// the other, so that the yardsticks do not wait for each other in a ring.
func spreadAccounts(n int64) (from, to ledger.AccountID) {
	return benchAccount(2 * n), benchAccount(2*n + 1)
}

func hotAccount(n int64) (from, to ledger.AccountID) {
	return benchAccount(0), benchAccount(n%(benchAccounts-1) + 1)
}

// handWrittenOn returns the two yardsticks on a database.
func handWrittenOn(b *testing.B, url string) (hand, naive func(from, to ledger.AccountID, n int64) error) {
	pool, err := pgtest.ByHand(b.Context(), url)
	require.NoError(b, err)
	b.Cleanup(pool.Close)
	hand = func(from, to ledger.AccountID, n int64) error {
		_, err := pool.Exec(context.Background(), "SELECT transfer($1, $2, $3, 1, $4)", fmt.Sprintf("transfer:%032x", n), string(from), string(to), noon.UnixMicro())
		return err
	}
	naive = func(from, to ledger.AccountID, n int64) error {
		return pgx.BeginFunc(context.Background(), pool, func(tx pgx.Tx) error { return transferNaively(tx, from, to, n) })
	}
	return hand, naive
}

func transferNaively(tx pgx.Tx, from, to ledger.AccountID, n int64) error {
	ctx := context.Background()
	var posting int64
	if err := tx.QueryRow(ctx, "INSERT INTO postings (id, kind, ref, at) VALUES ($1, 'transfer', 'ref', $2) RETURNING no",
		fmt.Sprintf("transfer:%032x", n), noon.UnixMicro()).Scan(&posting); err != nil {
		return err
	}
	for leg, id := range []ledger.AccountID{from, to} {
		var account, posted int64
		if err := tx.QueryRow(ctx, "SELECT no, posted FROM accounts WHERE id = $1 FOR UPDATE", string(id)).Scan(&account, &posted); err != nil {
			return err
		}
		posted += int64(leg)*2 - 1
		if _, err := tx.Exec(ctx, "UPDATE accounts SET posted = $1 WHERE no = $2", posted, account); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "INSERT INTO entries (posting, leg, account, amount, balance_after) VALUES ($1, $2, $3, $4, $5)",
			posting, leg, account, int64(leg)*2-1, posted); err != nil {
			return err
		}
	}
	return nil
}
