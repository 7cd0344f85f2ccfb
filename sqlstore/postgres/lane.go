package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// lane is some connections that read. A reader who has ended leaves the transaction of his
// snapshot open on the connection, and the next one ends it in the round trip of his own
// first query. What nobody takes up is ended after a moment.
type lane struct {
	pool   *pgxpool.Pool
	places chan struct{} // one for each connection that may be in use

	mu     sync.Mutex
	left   []*pgxpool.Conn // with an open transaction
	ending bool            // somebody will end what is left
	closed bool
}

// leftOpen is how long a transaction waits for a next reader to end it.
const leftOpen = 20 * time.Millisecond

// openLane opens a pool and lets as many read at once as there are places.
func openLane(ctx context.Context, config *pgxpool.Config, places int32) (*lane, error) {
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	return &lane{pool: pool, places: make(chan struct{}, places)}, nil
}

// take waits for a connection, on which a transaction may be open.
func (l *lane) take(ctx context.Context) (*pgxpool.Conn, error) {
	select {
	case l.places <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if conn := l.takeLeft(); conn != nil {
		return conn, nil
	}
	conn, err := l.pool.Acquire(ctx)
	if err != nil {
		<-l.places
		return nil, unavailable(err)
	}
	return conn, nil
}

// takeLeft returns the connection that was left last, or nil.
func (l *lane) takeLeft() (conn *pgxpool.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if last := len(l.left) - 1; last >= 0 {
		conn, l.left = l.left[last], l.left[:last]
	}
	return conn
}

// give takes a connection back. It leaves a transaction open, unless that has failed: the
// server would take nothing on it but its end.
func (l *lane) give(conn *pgxpool.Conn) {
	defer func() { <-l.places }()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || !inTransaction(conn) {
		go end(conn)
		return
	}
	l.left = append(l.left, conn)
	if !l.ending {
		l.ending = true
		time.AfterFunc(leftOpen, l.endLeft)
	}
}

// The states of a connection, beside aborted.
const (
	idle    = 'I'
	working = 'T' // in a transaction
)

// inTransaction reports whether a transaction is open on a connection and has not failed.
func inTransaction(conn *pgxpool.Conn) bool {
	return !conn.Conn().IsClosed() && conn.Conn().PgConn().TxStatus() == working
}

// endLeft ends what was left and not taken up.
func (l *lane) endLeft() {
	l.mu.Lock()
	left := l.left
	l.left, l.ending = nil, false
	l.mu.Unlock()
	for _, conn := range left {
		end(conn)
	}
}

// end ends the transaction on a connection, if there is one, and gives that back to its pool.
func end(conn *pgxpool.Conn) {
	defer conn.Release()
	if conn.Conn().IsClosed() || conn.Conn().PgConn().TxStatus() == idle {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
	defer cancel()
	_, _ = conn.Exec(ctx, "ROLLBACK") // Release closes a connection that is not idle
}

// close waits until all connections are given back, and closes them.
func (l *lane) close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.endLeft()
	l.pool.Close()
}
