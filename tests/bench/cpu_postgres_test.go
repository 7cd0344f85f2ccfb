//go:build postgres && unix

package bench_test

import (
	"context"
	"crypto/rand"
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
// HTTP in the server process and in PostgreSQL together: of an engine, and of two
// handlers of a few lines which call one function in the database.
//
//   - hand moves the money and keeps the posting. It has no idempotency key, no
//     transfer that anybody can read again, no statement and no events.
//   - rows writes all of these as well. It answers no second request with the same
//     key, has no lists with totals, and numbers events with gaps.
func BenchmarkProcessorTimePostgres(b *testing.B) {
	cluster := pgtest.NewCluster(b, pgtest.Options{Durable: true})
	names := []string{"transfer", "hand", "rows"}
	servers := map[string]*process{"transfer": startOn(b, "postgres", cluster.URL(b))}
	for _, name := range names[1:] {
		servers[name] = startOn(b, name, cluster.URL(b))
	}
	for _, server := range servers {
		server.warm(b, 32, server.transfer)
	}
	for _, callers := range []int{1, 8, 32} {
		for _, name := range names {
			b.Run(fmt.Sprintf("callers=%d/%s", callers, name), func(b *testing.B) { servers[name].measure(b, callers, servers[name].transfer) })
		}
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
	p.database = func(b *testing.B) []int {
		rows, err := conn.Query(b.Context(), "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND (datname = current_database() OR datname IS NULL)")
		require.NoError(b, err)
		backends, err := pgx.CollectRows(rows, pgx.RowTo[int])
		require.NoError(b, err)
		return backends
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
	handler, err := byHand(ctx, r, what)
	if err != nil {
		return err
	}
	return at.handle(ctx, listener, handler)
}

// byHand makes the transfers of a yardstick between the wallets of a rig.
func byHand(ctx context.Context, r *rig, what string) (http.Handler, error) {
	pool, err := pgtest.ByHand(ctx, os.Getenv(database))
	if err != nil {
		return nil, err
	}
	accounts := map[string]string{}
	for _, w := range r.wallets {
		accounts[string(w.PrimaryAddress)] = string(ledger.AddressAccount(string(w.Primary)))
	}
	transfer := transferByHand
	if what == "rows" {
		transfer = recordByHand
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in := transferRequest{key: r.Header.Get("Idempotency-Key")}
		err := json.NewDecoder(r.Body).Decode(&in)
		if err == nil {
			err = transfer(r.Context(), pool, in, accounts[in.From], accounts[in.To])
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(in)
	}), nil
}

// transferRequest is what a yardstick reads of a request.
type transferRequest struct {
	key       string
	From      string          `json:"from_address"`
	To        string          `json:"to_address"`
	Amount    json.RawMessage `json:"amount"`
	Reference string          `json:"reference"`
}

func (in transferRequest) minor() (int64, error) {
	amount, err := money.ParseMajor(money.AssetUSDC, string(in.Amount))
	return amount.Minor(), err
}

func transferByHand(ctx context.Context, pool *pgxpool.Pool, in transferRequest, from, to string) error {
	minor, err := in.minor()
	if err != nil {
		return err
	}
	_, err = pool.Exec(ctx, "SELECT transfer($1, $2, $3, $4, $5)", in.Reference, from, to, minor, time.Now().UnixMicro())
	return err
}

func recordByHand(ctx context.Context, pool *pgxpool.Pool, in transferRequest, from, to string) error {
	minor, err := in.minor()
	if err != nil {
		return err
	}
	answer, err := json.Marshal(in)
	if err != nil {
		return err
	}
	_, err = pool.Exec(ctx, "SELECT record($1, $2, $3, $4, $5, $6, $7, $8)",
		in.key, "trf_"+rand.Text(), in.Reference, from, to, minor, time.Now().UnixMicro(), string(answer))
	return err
}
