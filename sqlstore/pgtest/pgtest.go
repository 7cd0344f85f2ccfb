//go:build unix

package pgtest

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync"
	"testing"
)

// Main runs the tests of a package and then removes the cluster that they shared.
// Call it from TestMain and do nothing after it.
func Main(m *testing.M) {
	code := m.Run()
	if err := shared.end(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// URL returns the URL of a fresh and empty database. It is dropped when the test
// ends, whoever is still connected.
func URL(t testing.TB) string {
	t.Helper()
	s, err := shared.get()
	if err != nil {
		t.Fatal(err)
	}
	return s.fresh(t)
}

// Copy is URL for a database that is not empty: prepare fills the first of a
// name, and every test gets a copy of what it left. It must disconnect. A copy may have
// been that of an earlier test, of which nothing is left. It has a schema pgtest beside
// what prepare made.
func Copy(t testing.TB, name string, prepare func(url string) error) string {
	t.Helper()
	s, err := shared.get()
	if err != nil {
		t.Fatal(err)
	}
	template, err := s.template(name, prepare)
	if err != nil {
		t.Fatal(err)
	}
	return s.copyOf(t, template)
}

// shared is the server of this test binary.
var shared sharing

type sharing struct {
	once    sync.Once
	server  *server
	cluster *Cluster // that was started for it; nil when a server was given
	err     error
}

func (s *sharing) get() (*server, error) {
	s.once.Do(func() { s.err = s.start() })
	return s.server, s.err
}

func (s *sharing) start() (err error) {
	if given := os.Getenv("FERRY_TEST_POSTGRES"); given != "" {
		u, err := url.Parse(given)
		if err != nil {
			return fmt.Errorf("pgtest: FERRY_TEST_POSTGRES is no URL: %w", err)
		}
		s.server = newServer(u)
		return nil
	}
	if s.cluster, err = start(Options{}); err != nil {
		return err
	}
	s.server = s.cluster.server
	return nil
}

// end removes what was started, and lets nobody start it any more.
func (s *sharing) end() error {
	s.once.Do(func() { s.err = errors.New("pgtest: the tests are over") })
	switch {
	case s.cluster != nil:
		return s.cluster.remove()
	case s.server != nil:
		return s.server.dropCopied()
	}
	return nil
}
