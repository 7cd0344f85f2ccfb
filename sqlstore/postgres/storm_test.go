//go:build postgres

package postgres_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ferrytest/sim"
	"github.com/ferrypay/ferry/internal/storms"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/postgres"
	"github.com/ferrypay/ferry/store"
)

// timed is a store in a database that has the time of a run.
type timed struct {
	*sqlstore.Store
	conn  *pgx.Conn
	clock ferry.Clock
	told  time.Time
}

// ownTime gives a database a function that hides the one by which leases run.
const ownTime = `CREATE SCHEMA sim;
	CREATE TABLE sim.clock (now timestamptz NOT NULL);
	INSERT INTO sim.clock VALUES ('epoch');
	CREATE FUNCTION sim.statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT now FROM sim.clock'`

// newTimed opens an empty store.
func newTimed(url string, clock ferry.Clock) (store.Backend, error) {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, ownTime); err != nil {
		return nil, err
	}
	join := "?"
	if strings.Contains(url, "?") {
		join = "&"
	}
	s, err := postgres.Open(ctx, url+join+"search_path=public,sim,pg_catalog")
	return &timed{Store: s, conn: conn, clock: clock}, err
}

// tell tells the database the time of the run, which stands still within a unit.
func (s *timed) tell(ctx context.Context) error {
	now := s.clock.Now()
	if now.Equal(s.told) {
		return nil
	}
	s.told = now
	_, err := s.conn.Exec(context.WithoutCancel(ctx), "UPDATE sim.clock SET now = $1", now)
	return err
}

func (s *timed) Read(ctx context.Context, body func(context.Context, store.Ports) error) error {
	if err := s.tell(ctx); err != nil {
		return err
	}
	return s.Store.Read(ctx, body)
}

func (s *timed) Write(ctx context.Context, body func(context.Context, store.Ports) error) error {
	if err := s.tell(ctx); err != nil {
		return err
	}
	return s.Store.Write(ctx, body)
}

func (s *timed) Close(ctx context.Context) error {
	return errors.Join(s.Store.Close(ctx), s.conn.Close(ctx))
}

// stormsOn are storms on PostgreSQL, each of them in a database of its own.
func stormsOn(t *testing.T) storms.Storms {
	return storms.Storms{Seeds: 1, Steps: 200, On: func(uint64) sim.Config {
		return sim.Config{Store: func(clock ferry.Clock) (store.Backend, error) { return newTimed(pgtest.URL(t), clock) }}
	}}
}

func TestTheStorm(t *testing.T)                { stormsOn(t).Run(t) }
func TestStormsForHours(t *testing.T)          { stormsOn(t).RunForHours(t) }
func TestTheSameSeedIsTheSameRun(t *testing.T) { stormsOn(t).Repeat(t, 7, 100) }
