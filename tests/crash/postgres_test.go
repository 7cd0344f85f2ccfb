//go:build postgres

package crash_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/failpoint"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/postgres"
)

func TestWhatWasAcknowledgedSurvivesOnPostgreSQL(t *testing.T) {
	t.Parallel()
	cluster := pgtest.NewCluster(t, pgtest.Options{Durable: true})
	survive(t, postgresStore{cluster, newProxy(t, cluster.URL(t))})
}

// Each way dies at one place: each server that dies keeps the next one waiting for a lease.
func TestEachPaymentOnPostgreSQLEndsAsTheBankSaysWhereverTheServerDies(t *testing.T) {
	t.Parallel()
	cluster := pgtest.NewCluster(t, pgtest.Options{Durable: true})
	for n, place := range []failpoint.Place{failpoint.AfterCommit, failpoint.BeforePay, failpoint.AfterPay} {
		by := ways[n]
		t.Run(by.name+"/"+string(place), func(t *testing.T) {
			t.Parallel()
			newPayroll(t, by, database{cluster.URL(t)}).dieAgainAndAgain(place)
		})
	}
}

// So does each exchange.
func TestEachExchangeOnPostgreSQLEndsOnceWhereverTheServerDies(t *testing.T) {
	t.Parallel()
	cluster := pgtest.NewCluster(t, pgtest.Options{Durable: true})
	for n, place := range []failpoint.Place{failpoint.AfterSend, failpoint.AfterPay, failpoint.BeforePay, failpoint.AfterPay} {
		by := exchanges[n]
		t.Run(by.name+"/"+string(place), func(t *testing.T) {
			t.Parallel()
			by.dieOnce(t, database{cluster.URL(t)}, place)
		})
	}
}

// database is a database of a cluster.
type database struct{ url string }

func (d database) store() string { return d.url }

func (d database) deaths() int { return 1 }

func (d database) open(t *testing.T) *sqlstore.Store {
	left, err := postgres.Open(t.Context(), d.url)
	require.NoError(t, err)
	return left
}

// postgresStore is a database of a cluster, behind a proxy.
type postgresStore struct {
	cluster *pgtest.Cluster
	proxy   *proxy
}

func (p postgresStore) store() string { return p.proxy.url }

func (p postgresStore) fails() bool { return true }

func (p postgresStore) accidents() []accident {
	return []accident{
		{string(failpoint.InMigration), diesInMigrations},
		{"killed at start", killedAtStart},
		diesAt(failpoint.AfterCommit, 40),
		diesAt(failpoint.BeforeSend, 8),
		diesAt(failpoint.AfterSend, 8),
		diesAt(failpoint.AfterPost, 8),
		{"PostgreSQL stopped", p.stopped},
		{"disconnected", p.disconnected},
		p.cut("cut before a commit", cutBefore),
		p.cut("cut after a commit", cutAfter),
		p.cut("answer to a commit lost", cutAnswer),
	}
}

// stopped is a PostgreSQL that dies and comes back under a running server.
func (p postgresStore) stopped(r *run) {
	r.start()
	time.Sleep(r.some(300 * time.Millisecond))
	require.NoError(r.t, p.cluster.Stop(pgtest.Immediate))
	time.Sleep(r.some(100 * time.Millisecond))
	require.NoError(r.t, p.cluster.Start())
}

// disconnected is the end of all connections at once.
func (p postgresStore) disconnected(r *run) {
	r.start()
	time.Sleep(r.some(300 * time.Millisecond))
	_, err := p.cluster.Disconnect()
	require.NoError(r.t, err)
}

// cut is the end of the one connection that commits, in a commit.
func (p postgresStore) cut(name string, how cut) accident {
	return accident{name, func(r *run) {
		r.start()
		select {
		case <-p.proxy.arm(how, r.random.IntN(40)):
			time.Sleep(r.some(100 * time.Millisecond))
		case <-time.After(20 * time.Second):
			r.t.Error("no commit came by")
		}
	}}
}
