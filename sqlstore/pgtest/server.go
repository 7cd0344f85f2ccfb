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
	templates map[string]string // names given to Copy, and their databases
}

func newServer(u *url.URL) *server { return &server{url: u, templates: map[string]string{}} }

// database returns the URL of a database.
func (s *server) database(name string) string {
	u := *s.url
	u.Path = "/" + name
	return u.String()
}

// exec runs a statement on a connection of its own.
func (s *server) exec(statement string) (rows int64, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.url.String())
	if err != nil {
		return 0, fmt.Errorf("pgtest: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	tag, err := conn.Exec(ctx, statement)
	if err != nil {
		return 0, fmt.Errorf("pgtest: %s: %w", statement, err)
	}
	return tag.RowsAffected(), nil
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

// fresh returns the URL of a copy that is dropped when the test ends.
func (s *server) fresh(t testing.TB, template string) string {
	t.Helper()
	name, err := s.create(template)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.drop(name); err != nil {
			t.Error(err)
		}
	})
	return s.database(name)
}

// template returns the database that Copy copies.
func (s *server) template(name string, prepare func(url string) error) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if database, ok := s.templates[name]; ok {
		return database, nil
	}
	database, err := s.create(empty)
	if err != nil {
		return "", err
	}
	if err := prepare(s.database(database)); err != nil {
		return "", errors.Join(err, s.drop(database))
	}
	s.templates[name] = database
	return database, nil
}

func (s *server) dropTemplates() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, database := range s.templates {
		errs = append(errs, s.drop(database))
	}
	return errors.Join(errs...)
}
