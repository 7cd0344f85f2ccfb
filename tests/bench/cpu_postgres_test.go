//go:build postgres && unix

package bench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/postgres"
)

// BenchmarkProcessorTimePostgres measures the processor time of a transfer over
// HTTP in the server process and in PostgreSQL together: of an engine, and of a
// handler of a few lines which calls one function in the database. That function
// moves the money and keeps the posting. It has no idempotency key, no transfer
// that anybody can read again, no statement and no events.
func BenchmarkProcessorTimePostgres(b *testing.B) {
	cluster := pgtest.NewCluster(b, pgtest.Options{Durable: true})
	engine, hand := startOn(b, "postgres", cluster.URL(b)), startOn(b, "hand", cluster.URL(b))
	engine.warm(b, 32, engine.transfer)
	hand.warm(b, 32, hand.transfer)
	for _, callers := range []int{1, 8, 32} {
		b.Run(fmt.Sprintf("callers=%d/transfer", callers), func(b *testing.B) { engine.measure(b, callers, engine.transfer) })
		b.Run(fmt.Sprintf("callers=%d/hand", callers), func(b *testing.B) { hand.measure(b, callers, hand.transfer) })
	}
}

// database names, in the environment, the URL of the database of a server.
const database = "FERRY_BENCH_DATABASE"

// startOn starts a server on a database, for which the processes of PostgreSQL work.
func startOn(b *testing.B, what, url string) *process {
	p := start(b, what, database+"="+url)
	conn, err := pgx.Connect(b.Context(), url)
	require.NoError(b, err)
	b.Cleanup(func() { _ = conn.Close(context.Background()) })
	server := p.working(b)
	p.working = func(b *testing.B) []int {
		rows, err := conn.Query(b.Context(), "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND (datname = current_database() OR datname IS NULL)")
		require.NoError(b, err)
		backends, err := pgx.CollectRows(rows, pgx.RowTo[int])
		require.NoError(b, err)
		return append(backends, server...)
	}
	return p
}

// serveOn serves an engine on a database, or the yardstick.
func (at serving) serveOn(ctx context.Context, listener net.Listener, what string) error {
	s, err := postgres.Open(ctx, os.Getenv(database))
	if err != nil {
		return err
	}
	defer func() { _ = s.Close(context.WithoutCancel(ctx)) }()
	config := engine.Config{Store: s, World: sandbox.New(sandbox.Config{Store: s.World()})}
	if what == "postgres" {
		return at.engine(ctx, listener, config)
	}
	r, err := open(ctx, config, rich)
	if err != nil {
		return err
	}
	at.know(r)
	accounts := map[string]string{}
	for _, w := range r.wallets {
		accounts[string(w.PrimaryAddress)] = string(ledger.AddressAccount(string(w.Primary)))
	}
	handler, err := byHand(ctx, accounts)
	if err != nil {
		return err
	}
	return at.handle(ctx, listener, handler)
}

// byHand makes transfers between accounts, which it knows by their addresses.
func byHand(ctx context.Context, accounts map[string]string) (http.Handler, error) {
	pool, err := pgtest.ByHand(ctx, os.Getenv(database))
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in := struct {
			From      string          `json:"from_address"`
			To        string          `json:"to_address"`
			Amount    json.RawMessage `json:"amount"`
			Reference string          `json:"reference"`
		}{}
		err := json.NewDecoder(r.Body).Decode(&in)
		if err == nil {
			err = transferByHand(r.Context(), pool, in.Reference, accounts[in.From], accounts[in.To], string(in.Amount))
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(in)
	}), nil
}

func transferByHand(ctx context.Context, pool *pgxpool.Pool, reference, from, to, amount string) error {
	moved, err := money.ParseMajor(money.AssetUSDC, amount)
	if err != nil {
		return err
	}
	_, err = pool.Exec(ctx, "SELECT transfer($1, $2, $3, $4, $5)", reference, from, to, moved.Minor(), time.Now().UnixMicro())
	return err
}
