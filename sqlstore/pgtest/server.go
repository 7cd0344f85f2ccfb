//go:build unix

package pgtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// empty is the database that others are copies of when nothing is asked for.
const empty = "template0"

// patience is how long a server may take for one statement.
const patience = time.Minute

// server makes databases in a PostgreSQL.
type server struct {
	url *url.URL // of a database that stands, and of a role that may create others
	how string   // databases are created

	mu        sync.Mutex
	templates map[string]*template // by the names given to Copy
}

func newServer(u *url.URL) *server { return &server{url: u, templates: map[string]*template{}} }

// database returns the URL of a database.
func (s *server) database(name string) string {
	u := *s.url
	u.Path = "/" + name
	return u.String()
}

// exec runs a statement on a connection of its own.
func (s *server) exec(statement string) (rows int64, err error) {
	err = on(s.url.String(), func(ctx context.Context, conn *pgx.Conn) error {
		tag, err := conn.Exec(ctx, statement)
		if err != nil {
			return fmt.Errorf("pgtest: %s: %w", statement, err)
		}
		rows = tag.RowsAffected()
		return nil
	})
	return rows, err
}

// on lets body use a connection to the database of a URL.
func on(url string, body func(context.Context, *pgx.Conn) error) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("pgtest: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	return body(ctx, conn)
}

// copyFiles lets databases be created file by file, from PostgreSQL 15 on, as they were
// before. It is half the work where no file has to reach a disk.
func (s *server) copyFiles() error {
	understood, err := s.exec("SELECT WHERE current_setting('server_version_num')::int >= 150000")
	if understood > 0 {
		s.how = " STRATEGY file_copy"
	}
	return err
}

// create makes a database, as a copy of another, and returns its name.
func (s *server) create(template string) (name string, err error) {
	name = "ferry_" + strings.ToLower(rand.Text())
	_, err = s.exec("CREATE DATABASE " + name + " TEMPLATE " + template + s.how)
	return name, err
}

func (s *server) drop(name string) error {
	_, err := s.exec("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)")
	return err
}

// fresh returns the URL of an empty database that is dropped when the test ends.
func (s *server) fresh(t testing.TB) string {
	t.Helper()
	return s.lend(t, func() (string, error) { return s.create(empty) }, s.drop)
}

// lend returns the URL of a database that a test has until it ends.
func (s *server) lend(t testing.TB, take func() (name string, err error), giveBack func(name string) error) string {
	t.Helper()
	name, err := take()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := giveBack(name); err != nil {
			t.Error(err)
		}
	})
	return s.database(name)
}

// template returns what Copy copies.
func (s *server) template(name string, prepare func(url string) error) (*template, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if made, ok := s.templates[name]; ok {
		return made, nil
	}
	database, err := s.create(empty)
	if err != nil {
		return nil, err
	}
	err = prepare(s.database(database))
	made := &template{database: database}
	if err == nil {
		made.schema, err = s.after(keep, database)
	}
	if err != nil {
		return nil, errors.Join(err, s.drop(database))
	}
	s.templates[name] = made
	return made, nil
}

// dropCopied drops the templates and the copies that nobody uses.
func (s *server) dropCopied() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, made := range s.templates {
		for _, database := range append(made.free, made.database) {
			errs = append(errs, s.drop(database))
		}
	}
	return errors.Join(errs...)
}
